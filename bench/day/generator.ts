/**
 * The acts of a made-up trading day, second by second: makers who replace their quotes all the
 * time, takers of small sizes with a heavy tail, news at which a fair price jumps and everybody
 * rushes, reads, moves between cash and tokens, resolutions and redemptions. Arrivals of each kind
 * are a Poisson stream at a fixed rate, whatever the exchange answers.
 *
 * Invariant: pure: the same terms make the same acts. Acts of a second are in the order of their
 * times, and none is due in another one.
 */
import { Random } from '../../test/engine/random/random.ts';
import {
  DayBoard,
  type DayMarket,
  inventoryLots,
  MEAN_QUOTES,
  openingSeconds,
  type Place,
  share,
} from './board.ts';
import { dayEvents, negRiskMarkets } from './events.ts';
import type { DayAct, DayTerms, DueAct, Move, Read } from './plan.ts';
import { DayQueue } from './queue.ts';
import { DayTakers } from './takers.ts';

/** What comes about; most of them become acts. */
type Coming = { readonly dueMs: number } & (
  | { readonly kind: 'stream'; readonly stream: Stream }
  | { readonly kind: 'requote'; readonly place: Place; readonly clears: boolean }
  | { readonly kind: 'rush'; readonly market: DayMarket }
  | { readonly kind: 'close'; readonly market: DayMarket }
  | { readonly kind: 'act'; readonly act: DayAct }
);

type Stream = 'quotes' | 'takers' | 'reads' | 'moves' | 'news';

/** Of all orders, without news. */
const TAKER_SHARE = 0.15;
/** Between a cancel and the quotes that follow it; from one set to the next; the same as a rule. */
const GAP_MS = 15;
const LEAST_MS = 40;
const REST_MS = 250;
/** Until a place is found that was not replaced just now. */
const TRIES = 20;
/** Of the opening: when the splits have been sent, and the first quotes. */
const OPENING_SPLITS = 0.45;
const OPENING_QUOTES = 0.95;

/** News are of one of the first markets; each fourth is of several at once. */
const NEWS_RANKS = 200;
const MARKETS_AT_ONCE = 6;
const JUMP_CENTS = { least: 8, most: 35 };
const RUSH_TAKERS = 60;
const RUSH_MEAN_MS = 300;
/** When makers have taken their quotes away and come back, again and again. */
const REQUOTES_MS = [50, 1_100, 2_300];
const REQUOTE_SPREAD_MS = 900;

/** Where in the day a market resolves, and which one: a rank. */
const RESOLUTIONS = [
  { at: 0.35, rank: 40 },
  { at: 0.6, rank: 90 },
  { at: 0.85, rank: 15 },
] as const;
/** Nothing is sent for a market from so long before it resolves. */
const CLOSING_MS = 2_000;
const REDEMPTIONS_MS = 10_000;

const MOVED_LOTS = 1_000;

const READ_MIX: readonly (readonly [read: Read, percent: number])[] = [
  ['book', 35],
  ['price', 20],
  ['midpoint', 15],
  ['history', 5],
  ['own orders', 6],
  ['own trades', 4],
  ['trades', 3],
  ['positions', 3],
  ['activity', 2],
  ['events', 3],
  ['markets', 3],
  ['search', 1],
];

export class DayGenerator {
  readonly #terms: DayTerms;
  readonly #random: Random;
  readonly #board: DayBoard;
  readonly #takers: DayTakers;
  readonly #eventOf: ReadonlyMap<number, readonly number[]>;
  readonly #coming = new DayQueue<Coming>();
  readonly #perMs: Readonly<Record<Stream, number>>;
  #second = 0;
  #news = 0;

  constructor(terms: DayTerms) {
    this.#terms = terms;
    this.#random = new Random(terms.seed);
    this.#board = new DayBoard(terms, this.#random);
    this.#takers = new DayTakers(terms, this.#board, this.#random);
    this.#eventOf = negRiskMarkets(dayEvents(terms));
    this.#perMs = {
      quotes: ((1 - TAKER_SHARE) * terms.ordersPerSecond) / MEAN_QUOTES / 1_000,
      takers: (TAKER_SHARE * terms.ordersPerSecond) / 1_000,
      reads: terms.readsPerSecond / 1_000,
      moves: terms.movesPerSecond / 1_000,
      news: 1 / terms.secondsBetweenNews / 1_000,
    };
    this.#open();
  }

  /** What is due in the next second. */
  nextSecond(): readonly DueAct[] {
    this.#second += 1;
    const endMs = this.#second * 1_000;
    const acts: DueAct[] = [];
    for (;;) {
      const next = this.#coming.takeBefore(endMs);
      if (next === undefined) return acts;
      if (next.kind === 'act') acts.push({ ...next.act, dueMs: next.dueMs });
      else this.#happen(next);
    }
  }

  /** Everybody splits and quotes once; then the streams begin. */
  #open(): void {
    const { places } = this.#board;
    const openingMs = openingSeconds(this.#terms) * 1_000;
    const splitsMs = OPENING_SPLITS * openingMs;
    const quotesMs = (OPENING_QUOTES - OPENING_SPLITS) * openingMs;
    for (const [at, place] of places.entries()) {
      const { market, account } = place;
      const lots = inventoryLots(place);
      const act = { kind: 'move', move: 'split', account, market, lots } as const;
      this.#act((splitsMs * at) / places.length, act);
      const dueMs = splitsMs + (quotesMs * at) / places.length;
      this.#coming.add({ kind: 'requote', dueMs, place, clears: false });
    }
    // The keys are those of the record above.
    for (const stream of Object.keys(this.#perMs) as Stream[]) this.#schedule(openingMs, stream);
    const dayMs = this.#terms.minutes * 60_000;
    for (const { at, rank } of RESOLUTIONS) {
      const market = this.#board.markets[rank];
      if (market === undefined) continue;
      this.#coming.add({ kind: 'close', dueMs: openingMs + at * dayMs, market });
    }
  }

  #happen(next: Exclude<Coming, { kind: 'act' }>): void {
    const { dueMs } = next;
    switch (next.kind) {
      case 'stream':
        this.#flow(next.stream, dueMs);
        this.#schedule(dueMs, next.stream);
        return;
      case 'requote':
        this.#requote(next.place, dueMs, next.clears);
        return;
      case 'rush':
        this.#take(dueMs, next.market, true);
        return;
      case 'close':
        this.#close(next.market, dueMs);
    }
  }

  #schedule(afterMs: number, stream: Stream): void {
    const gapMs = -Math.log(1 - share(this.#random)) / this.#perMs[stream];
    this.#coming.add({ kind: 'stream', dueMs: afterMs + gapMs, stream });
  }

  #flow(stream: Stream, dueMs: number): void {
    switch (stream) {
      case 'quotes':
        this.#requoteOne(dueMs);
        return;
      case 'takers':
        this.#take(dueMs, this.#board.draw(), false);
        return;
      case 'reads':
        this.#read(dueMs);
        return;
      case 'moves':
        this.#moveTokens(dueMs);
        return;
      case 'news':
        this.#tellNews(dueMs);
    }
  }

  /** A market by how often it is dealt in; not a place that was replaced just now. */
  #requoteOne(dueMs: number): void {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const market = this.#board.draw();
      const place = this.#random.pick(market.places);
      if (!market.isOpen || dueMs - place.replacedMs < REST_MS) continue;
      this.#board.move(market);
      this.#requote(place, dueMs, false);
      return;
    }
  }

  /** What is live is cancelled by its ids or, in a hurry, by its market. */
  #requote(place: Place, dueMs: number, clears: boolean): void {
    if (!this.#board.markets[place.market]!.isOpen) return;
    const { account, live, market } = place;
    if (dueMs < place.replacedMs + LEAST_MS) {
      // The last set is not sent yet: it can't be cancelled before it was placed.
      this.#coming.add({ kind: 'requote', dueMs: place.replacedMs + LEAST_MS, place, clears });
      return;
    }
    place.replacedMs = dueMs;
    if (clears) this.#act(dueMs, { kind: 'clear', account, market });
    else if (live.length > 0) this.#act(dueMs, { kind: 'cancel', account, numbers: live });
    const orders = this.#board.quote(place);
    this.#act(dueMs + GAP_MS, { kind: 'orders', account, orders });
  }

  #take(dueMs: number, market: DayMarket, isRush: boolean): void {
    if (!market.isOpen) return;
    const { account, order, cancelMs } = this.#takers.take(market, isRush);
    this.#act(dueMs, { kind: 'order', account, order });
    if (cancelMs === 0) return;
    const act = { kind: 'cancel', account, numbers: [order.number] } as const;
    this.#act(dueMs + cancelMs, act);
  }

  /** The fair price jumps; takers come at once, and makers take their quotes away and come back. */
  #tellNews(dueMs: number): void {
    this.#news += 1;
    const random = this.#random;
    const count = this.#news % 4 === 0 ? MARKETS_AT_ONCE : 1;
    const ranks = Math.min(NEWS_RANKS, this.#terms.markets);
    for (let at = 0; at < count; at += 1) {
      const market = this.#board.draw(ranks);
      const cents = random.between(JUMP_CENTS.least, JUMP_CENTS.most);
      this.#board.move(market, market.fairCents > 50 ? -cents : cents);
      for (let taker = 0; taker < RUSH_TAKERS; taker += 1) {
        const afterMs = -Math.log(1 - share(random)) * RUSH_MEAN_MS;
        this.#coming.add({ kind: 'rush', dueMs: dueMs + afterMs, market });
      }
      for (const place of market.places) this.#comeBack(place, dueMs);
    }
  }

  #comeBack(place: Place, newsMs: number): void {
    for (const [times, fromMs] of REQUOTES_MS.entries()) {
      const dueMs = newsMs + fromMs + this.#random.below(REQUOTE_SPREAD_MS);
      this.#coming.add({ kind: 'requote', dueMs, place, clears: times === 0 });
    }
  }

  /** Of a neg-risk event all markets end at once. */
  #close(market: DayMarket, dueMs: number): void {
    const { rank } = market;
    const ranks = this.#eventOf.get(rank) ?? [rank];
    const payout = this.#random.chance(50) ? 1 : 0;
    const resolveMs = dueMs + CLOSING_MS;
    this.#act(resolveMs, { kind: 'resolve', market: rank, payout });
    for (const one of ranks) {
      const ended = this.#board.markets[one]!;
      ended.isOpen = false;
      const makers = ended.places.map(({ account }) => account);
      for (const account of new Set([...makers, ...this.#takers.holdersOf(one)])) {
        const afterMs = 1_000 + this.#random.below(REDEMPTIONS_MS);
        const act = { kind: 'move', move: 'redeem', account, market: one, lots: 0 } as const;
        this.#act(resolveMs + afterMs, act);
      }
    }
  }

  #moveTokens(dueMs: number): void {
    const market = this.#board.draw();
    if (!market.isOpen) return;
    const { account } = this.#random.pick(market.places);
    const moves: readonly Move[] = ['split', 'split', 'merge', 'merge', 'convert'];
    const wanted = this.#random.pick(moves);
    const move = wanted === 'convert' && !this.#eventOf.has(market.rank) ? 'merge' : wanted;
    const { rank } = market;
    this.#act(dueMs, { kind: 'move', move, account, market: rank, lots: MOVED_LOTS });
  }

  #read(dueMs: number): void {
    let left = this.#random.below(100);
    const found = READ_MIX.find(([, percent]) => {
      left -= percent;
      return left < 0;
    });
    const { rank, places } = this.#board.draw();
    const { account } = this.#random.pick(places);
    this.#act(dueMs, { kind: 'read', account, read: found?.[0] ?? 'book', market: rank });
  }

  #act(dueMs: number, act: DayAct): void {
    this.#coming.add({ kind: 'act', dueMs, act });
  }
}
