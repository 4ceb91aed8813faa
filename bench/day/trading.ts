/**
 * The requests of a made-up trading day, second by second, in its own process that makes and
 * signs them ahead of time. Makers replace their quotes all the time, takers trade small sizes with
 * a heavy tail, news move a fair price and everybody rushes; reads, moves between cash and tokens
 * and redemptions come meanwhile. How often a market is traded follows Zipf: the second one half as
 * often as the first. Each kind of arrival is a Poisson stream at a fixed rate.
 *
 * Invariant: the same terms make the same day. A maker's quotes never cross each other, and after
 * they are replaced it has as many as before. A cancel names orders that were sent before.
 */
import { Random } from '../../test/engine/random/random.ts';
import { ownMicros } from '../harness/processor-time.ts';
import { readRequest, Signer } from '../harness/signing.ts';
import {
  type DayRequest,
  type DayTerms,
  RESOLUTIONS,
  type Venue,
  type VenueMarket,
} from './terms.ts';

/** A maker's quotes in one market. */
interface Place {
  readonly market: Market;
  readonly maker: number;
  /** Orders of each set: bids and asks in turn. */
  readonly quotes: number;
  readonly lots: number;
  /** Ids of the last set. */
  live: readonly string[];
  replacedMs: number;
}

interface Market extends VenueMarket {
  readonly rank: number;
  readonly places: Place[];
  fairCents: number;
  closesMs: number;
}

interface Purchase {
  readonly taker: number;
  readonly market: Market;
  readonly outcome: 0 | 1;
  readonly lots: number;
}

type Stream = 'quotes' | 'takers' | 'reads' | 'moves' | 'news';

/** Makers of the first 20 markets, of the first 200, and of the rest. */
const MAKERS_OF = [
  { ranks: 20, makers: 8 },
  { ranks: 200, makers: 3 },
  { ranks: Number.POSITIVE_INFINITY, makers: 1 },
];
const QUOTES = { least: 4, most: 15 };
const MEAN_QUOTES = (QUOTES.least + QUOTES.most) / 2;
const TAKER_SHARE = 0.15;
/** Between a cancel and the quotes that follow it, and from one set of quotes to the next. */
const GAP_MS = 15;
const REST_MS = 250;
const NEWS_RANKS = 200;
const RUSH_TAKERS = 60;
const RUSH_MEAN_MS = 300;
/** When makers quote again after news. */
const REQUOTES_MS = [50, 1_100, 2_300];
const PURCHASES = 4_000;
/** Nothing is sent for a market from this time before its resolution. */
const CLOSING_MS = 2_000;
const TRIES = 20;
export const WORDS = ['rain', 'match', 'vote', 'price', 'goal', 'storm', 'court', 'launch'];

const READS: readonly (readonly [read: string, percent: number])[] = [
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

function makersOf(rank: number, { makers }: DayTerms): number {
  return Math.min(makers, MAKERS_OF.find(({ ranks }) => rank < ranks)!.makers);
}

/** Before the day every maker quotes once in each of its markets, at the rate of the day. */
export function openingSeconds(terms: DayTerms): number {
  let places = 0;
  for (let rank = 0; rank < terms.markets; rank += 1) places += makersOf(rank, terms);
  return Math.ceil((MEAN_QUOTES * places) / terms.rate) + 1;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export class Trading {
  readonly #terms: DayTerms;
  readonly #startMs: number;
  readonly #random: Random;
  readonly #signers: readonly Signer[];
  readonly #markets: readonly Market[];
  /** Sums of the weights by rank. */
  readonly #sums: number[] = [];
  readonly #places: readonly Place[];
  readonly #purchases: Purchase[] = [];
  /** When the next arrival of each stream comes, and the mean time between two. */
  readonly #streams: Readonly<Record<Stream, { nextMs: number; readonly meanMs: number }>>;
  /** Work that is due later than the second that planned it. */
  #later: { readonly dueMs: number; readonly work: (dueMs: number) => void }[] = [];
  #requests: DayRequest[] = [];
  #seconds = 0;
  #keys = 0;

  /** `startMs`: when the opening begins, since the epoch. */
  constructor(terms: DayTerms, venue: Venue, startMs: number) {
    const random = new Random(terms.seed);
    const openingMs = openingSeconds(terms) * 1_000;
    this.#terms = terms;
    this.#startMs = startMs;
    this.#random = random;
    this.#signers = venue.accounts.map((account) => new Signer(account));
    let sum = 0;
    this.#markets = venue.markets.map((market, rank) => {
      sum += 1 / (rank + 1);
      this.#sums.push(sum);
      const at = RESOLUTIONS.find((one) => one.rank === rank)?.at ?? Number.POSITIVE_INFINITY;
      const closesMs = openingMs + at * terms.minutes * 60_000 - CLOSING_MS;
      return { ...market, rank, places: [], fairCents: random.between(5, 95), closesMs };
    });
    for (const market of this.#markets) {
      const first = random.below(terms.makers);
      for (let at = 0; at < makersOf(market.rank, terms); at += 1) {
        const quotes = random.between(QUOTES.least, QUOTES.most);
        const lots = 100 * random.between(5, 40);
        const maker = (first + at) % terms.makers;
        market.places.push({ market, maker, quotes, lots, live: [], replacedMs: -REST_MS });
      }
    }
    this.#places = this.#markets.flatMap(({ places }) => places);
    for (const [at, place] of this.#places.entries()) {
      const dueMs = ((openingMs - 1_000) * at) / this.#places.length;
      this.#plan(dueMs, (ms) => this.#quote(place, ms));
    }
    const stream = (perSecond: number) => ({ nextMs: openingMs, meanMs: 1_000 / perSecond });
    this.#streams = {
      quotes: stream(((1 - TAKER_SHARE) * terms.rate) / MEAN_QUOTES),
      takers: stream(TAKER_SHARE * terms.rate),
      reads: stream(terms.readsPerSecond),
      moves: stream(terms.movesPerSecond),
      news: stream(1 / terms.secondsBetweenNews),
    };
  }

  /** The requests that are due in the next second, in the order of their times. */
  nextSecond(): readonly DayRequest[] {
    this.#seconds += 1;
    const endMs = this.#seconds * 1_000;
    for (const [name, stream] of Object.entries(this.#streams)) {
      while (stream.nextMs < endMs) {
        // The keys are those of the record.
        this.#plan(stream.nextMs, (dueMs) => this.#arrive(name as Stream, dueMs));
        stream.nextMs -= Math.log(1 - this.#share()) * stream.meanMs;
      }
    }
    for (;;) {
      const due = this.#later.filter(({ dueMs }) => dueMs < endMs);
      if (due.length === 0) break;
      this.#later = this.#later.filter(({ dueMs }) => dueMs >= endMs);
      due.sort((a, b) => a.dueMs - b.dueMs);
      for (const { dueMs, work } of due) work(dueMs);
    }
    const requests = this.#requests.sort((a, b) => a.dueMs - b.dueMs);
    this.#requests = [];
    return requests;
  }

  #arrive(stream: Stream, dueMs: number): void {
    if (stream === 'quotes') this.#quoteSome(dueMs);
    else if (stream === 'takers') this.#take(this.#draw(), dueMs);
    else if (stream === 'reads') this.#read(dueMs);
    else if (stream === 'moves') this.#move(dueMs);
    else this.#news(dueMs);
  }

  /** Replaces the quotes of a place that were not replaced just now. */
  #quoteSome(dueMs: number): void {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const market = this.#draw();
      const place = this.#random.pick(market.places);
      if (dueMs - place.replacedMs < REST_MS) continue;
      market.fairCents = clamp(market.fairCents + (this.#share() - 0.5) * 0.8, 5, 95);
      this.#requote(place, dueMs);
      return;
    }
  }

  #requote(place: Place, dueMs: number, clears = false): void {
    if (dueMs >= place.market.closesMs) return;
    if (clears) {
      const body = { market: place.market.conditionId };
      this.#send(place.maker, ['DELETE', '/cancel-market-orders', body], {
        dueMs,
        lane: 'cancels',
      });
    } else if (place.live.length > 0) {
      const items = place.live.length;
      const cancel = ['DELETE', '/orders', place.live] as const;
      this.#send(place.maker, cancel, { dueMs, lane: 'cancels', items });
    }
    place.live = [];
    place.replacedMs = dueMs;
    this.#plan(dueMs + GAP_MS, (ms) => this.#quote(place, ms));
  }

  /** Bids buy YES below the fair price, asks buy NO above it. */
  #quote(place: Place, dueMs: number): void {
    const { market, maker, quotes, lots } = place;
    if (dueMs >= market.closesMs || place.live.length > 0) return;
    const postOnly = this.#random.chance(40);
    const orders = Array.from({ length: quotes }, (_, at) => {
      const level = at >>> 1;
      const isBid = at % 2 === 0;
      const fair = isBid ? Math.ceil(market.fairCents) : 100 - Math.floor(market.fairCents);
      const tokenId = market.tokenIds[isBid ? 0 : 1];
      const cents = clamp(fair - 1 - level, 1, 99);
      const size = { lots: lots * (1 + level), postOnly };
      return this.#sign(
        maker,
        market,
        { tokenId, side: 'BUY', type: 'GTC', cents, ...size },
        dueMs,
      );
    });
    place.live = orders.map(({ id }) => id);
    place.replacedMs = dueMs;
    const post = ['POST', '/orders', orders.map(({ body }) => body)] as const;
    this.#send(maker, post, { dueMs, lane: 'orders', items: orders.length });
  }

  /** Most takers spend a budget at once, some sell what was bought before, some rest a while. */
  #take(market: Market, dueMs: number, isRush = false): void {
    const { makers, takers } = this.#terms;
    const percent = isRush ? 0 : this.#random.below(100);
    const sold = percent >= 78 && percent < 90 ? this.#popPurchase() : undefined;
    const traded = sold?.market ?? market;
    if (dueMs >= traded.closesMs) return;
    const taker = sold?.taker ?? makers + Math.floor(takers * this.#share() ** 2);
    const outcome = sold?.outcome ?? (this.#random.chance(50) ? 0 : 1);
    const fair = outcome === 0 ? traded.fairCents : 100 - traded.fairCents;
    const budgetCents = Math.floor(
      Math.min(300_000, (isRush ? 450 : 150) * (1 - this.#share()) ** (-1 / 1.3)),
    );
    const rests = percent >= 90;
    const away = sold ? -4 : rests ? -this.#random.below(6) : 4;
    const cents = clamp(Math.round(fair + away), 1, 99);
    const lots = Math.floor((budgetCents / cents) * 90);
    const tokenId = traded.tokenIds[outcome];
    const order = sold
      ? ({ side: 'SELL', type: 'FAK', lots: sold.lots } as const)
      : rests
        ? ({ side: 'BUY', type: 'GTC', lots: 500 + lots } as const)
        : ({
            side: 'BUY',
            type: percent < 70 ? 'FAK' : 'FOK',
            lots: 0,
            budgetMicros: budgetCents * 10_000,
          } as const);
    const signed = this.#sign(taker, traded, { tokenId, cents, ...order }, dueMs);
    this.#send(taker, ['POST', '/order', signed.body], { dueMs, lane: 'orders' });
    if (!sold && !rests && lots > 0) {
      const { length } = this.#purchases;
      const place = length < PURCHASES ? length : this.#random.below(PURCHASES);
      this.#purchases[place] = { taker, market, outcome, lots };
    }
    if (!rests) return;
    this.#plan(dueMs + this.#random.between(3_000, 30_000), (ms) =>
      this.#send(taker, ['DELETE', '/orders', [signed.id]], { dueMs: ms, lane: 'cancels' }),
    );
  }

  /** The fair price jumps: all makers take their quotes away and come back, and takers rush. */
  #news(dueMs: number): void {
    const market = this.#draw(NEWS_RANKS);
    const jump = this.#random.between(8, 35) * (this.#random.chance(50) ? 1 : -1);
    market.fairCents = clamp(market.fairCents + jump, 5, 95);
    for (let at = 0; at < RUSH_TAKERS; at += 1) {
      const afterMs = -Math.log(1 - this.#share()) * RUSH_MEAN_MS;
      this.#plan(dueMs + afterMs, (ms) => this.#take(market, ms, true));
    }
    for (const place of market.places) {
      for (const [time, fromMs] of REQUOTES_MS.entries()) {
        const afterMs = fromMs + this.#random.below(900);
        this.#plan(dueMs + afterMs, (ms) => this.#requote(place, ms, time === 0));
      }
    }
  }

  #move(dueMs: number): void {
    const market = this.#draw();
    const { conditionId, negRiskEvent, closesMs } = market;
    const { maker } = this.#random.pick(market.places);
    const kind = this.#random.pick(['split', 'split', 'merge', 'convert']);
    this.#keys += 1;
    const key = `day-${this.#keys}`;
    const amount = '10';
    let body: readonly [string, unknown] = [kind, { market: conditionId, amount, key }];
    if (dueMs >= closesMs) body = ['redeem', { market: conditionId, key }];
    else if (kind === 'convert' && negRiskEvent !== '') {
      body = ['convert', { event_id: negRiskEvent, markets: [conditionId], amount, key }];
    } else if (kind === 'convert') body = ['merge', { market: conditionId, amount, key }];
    this.#send(maker, ['POST', `/sets/${body[0]}`, body[1]], { dueMs, lane: 'moves' });
  }

  #read(dueMs: number): void {
    let left = this.#random.below(100);
    const [read] = READS.find(([, percent]) => {
      left -= percent;
      return left < 0;
    })!;
    const { tokenIds, conditionId, rank, places } = this.#draw();
    const signer = this.#signers[this.#random.pick(places).maker]!;
    const user = signer.account.address;
    const paths: Readonly<Record<string, string>> = {
      book: `/book?token_id=${tokenIds[0]}`,
      price: `/price?token_id=${tokenIds[0]}&side=BUY`,
      midpoint: `/midpoint?token_id=${tokenIds[0]}`,
      history: `/prices-history?market=${tokenIds[0]}&interval=1d`,
      'own orders': `/data/orders?market=${conditionId}`,
      'own trades': `/data/trades?market=${conditionId}`,
      trades: `/trades?market=${conditionId}&limit=50`,
      positions: `/positions?user=${user}&limit=50`,
      activity: `/activity?user=${user}&limit=50`,
      events: '/events?limit=20&closed=false',
      markets: '/markets?limit=20&closed=false',
      search: `/public-search?q=${WORDS[rank % WORDS.length]}`,
    };
    const path = paths[read]!;
    const isOwn = read.startsWith('own');
    const request = isOwn
      ? signer.request('GET', path, undefined, this.#startMs + dueMs)
      : readRequest(path);
    this.#requests.push({ request, dueMs, lane: 'reads', read, items: 1 });
  }

  #sign(
    account: number,
    { negRiskEvent }: Market,
    order: Omit<Parameters<Signer['order']>[0], 'negRisk'>,
    dueMs: number,
  ) {
    const negRisk = negRiskEvent !== '';
    return this.#signers[account]!.order({ ...order, negRisk }, this.#startMs + dueMs);
  }

  #send(
    account: number,
    [method, path, body]: readonly ['POST' | 'DELETE', string, unknown],
    due: Pick<DayRequest, 'dueMs' | 'lane'> & { readonly items?: number },
  ): void {
    const signer = this.#signers[account]!;
    const request = signer.request(method, path, body, this.#startMs + due.dueMs);
    this.#requests.push({ request, read: '', items: 1, ...due });
  }

  #plan(dueMs: number, work: (dueMs: number) => void): void {
    this.#later.push({ dueMs, work });
  }

  /** A market by how often it is traded, among the first `ranks`. */
  #draw(ranks = this.#markets.length): Market {
    const most = Math.min(ranks, this.#markets.length) - 1;
    const wanted = this.#share() * this.#sums[most]!;
    let [low, high] = [0, most];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return this.#markets[low]!;
  }

  #popPurchase(): Purchase | undefined {
    if (this.#purchases.length === 0) return undefined;
    const place = this.#random.below(this.#purchases.length);
    const sold = this.#purchases[place];
    const last = this.#purchases.pop()!;
    if (place < this.#purchases.length) this.#purchases[place] = last;
    return sold;
  }

  /** From 0 to below 1. */
  #share(): number {
    return this.#random.next() / 2 ** 32;
  }
}

let trading: Trading | undefined;

export function open(terms: DayTerms, venue: Venue, startMs: number): void {
  trading = new Trading(terms, venue, startMs);
}

/** The next second, and the microseconds of processor time that it took. */
export function nextSecond() {
  const began = ownMicros();
  const requests = trading?.nextSecond() ?? [];
  return { requests, micros: ownMicros() - began };
}
