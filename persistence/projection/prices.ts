/**
 * Projects the price points of all markets from the events of commands, in half ticks of YES. A
 * market's price is the midpoint of its book. While a side of the book is empty, it is the last
 * midpoint or the last trade (wire 6.4), whichever is later. Before the first of them the market
 * has no price; once it is resolved, its price is what YES pays.
 *
 * Invariant: a minute's point is the price after the last command of that minute that changed it.
 * It depends neither on the steps nor on the command at which a projection was resumed.
 * Bounds: one byte for each price level of a quoted market; one pending point for each market and
 * minute of a step. Old points are thinned (`thinningsBetween`).
 */
import { strict as assert } from 'node:assert';
import type { EngineEvent, Fill, LevelChanged, MarketSummary, Ticks } from '../../engine/index.ts';
import { complement, MINUTE_MS, ONE_TICKS } from '../../engine/model/index.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import type { PricePoint, ProjectionStatements } from './statements.ts';

interface PendingPoint {
  readonly market: MarketPrice;
  readonly minute: number;
  readonly halfTicks: number;
}

export type MidpointBook = Pick<MarketSummary, 'conditionId' | 'tickTicks' | 'bids' | 'asks'>;
type Level = Pick<LevelChanged, 'side' | 'priceTicks' | 'lots'>;
type Trade = Pick<Fill, 'takerOutcome' | 'takerPriceTicks'>;

/** The midpoint of a market's book in half ticks of YES; 0 while a side is empty. */
type Midpoint = Pick<MarketPrice, 'marketKey' | 'midpoint'>;

export class ProjectionPrices {
  readonly #markets = new Map<string, MarketPrice>();
  /** Markets that the current command changed. Reused, because most commands change one. */
  readonly #changed = new Set<MarketPrice>();
  /** Markets whose midpoint changed in this step. */
  readonly #quoted = new Set<MarketPrice>();
  /** Points to write, by market and minute. */
  readonly #pending = new Map<string, PendingPoint>();

  add(conditionId: string, marketKey: number, tick: Ticks): void {
    this.#markets.set(conditionId, new MarketPrice(marketKey, tick));
  }

  /** Restores a market from its book; `lastPoint` is its newest point in the tables. */
  restore(
    { conditionId, tickTicks, bids, asks }: MidpointBook,
    marketKey: number,
    lastPoint: PricePoint | undefined,
  ): void {
    const market = new MarketPrice(marketKey, tickTicks);
    for (const [priceTicks, lots] of bids) market.setLevel({ side: 'bid', priceTicks, lots });
    for (const [priceTicks, lots] of asks) market.setLevel({ side: 'ask', priceTicks, lots });
    market.halfTicks = lastPoint?.halfTicks ?? 0;
    market.writtenMinute = lastPoint?.minute;
    assert(!market.refresh(), 'the newest point of the tables is the price of the book');
    this.#markets.set(conditionId, market);
  }

  project(timeMs: number, events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.kind === 'level_changed') this.#change(event.conditionId).setLevel(event);
      else if (event.kind === 'fill') this.#change(event.conditionId).setTrade(event);
      else if (event.kind === 'market_resolved') {
        this.#change(event.conditionId).payoutTicks = event.payoutTicks;
      }
    }
    for (const market of this.#changed) {
      const { midpoint } = market;
      if (market.refresh()) this.#addPending(market, Math.floor(timeMs / MINUTE_MS));
      if (market.midpoint !== midpoint) this.#quoted.add(market);
    }
    this.#changed.clear();
  }

  /**
   * Writes the pending points in order of time, and removes points that are too old. Returns the
   * midpoints that changed.
   */
  flush({ putPoint, thinPoints }: ProjectionStatements): readonly Midpoint[] {
    for (const { market, minute, halfTicks } of this.#pending.values()) {
      const { marketKey, writtenMinute = minute } = market;
      putPoint.run({ marketKey, minute, halfTicks });
      for (const thinning of thinningsBetween(writtenMinute, minute)) {
        thinPoints.run({ marketKey, ...thinning });
      }
      market.writtenMinute = minute;
    }
    this.#pending.clear();
    const midpoints = [...this.#quoted];
    this.#quoted.clear();
    return midpoints;
  }

  #change(conditionId: string): MarketPrice {
    const market = this.#markets.get(conditionId);
    assert(market !== undefined, 'a market is created before it is quoted');
    this.#changed.add(market);
    return market;
  }

  #addPending(market: MarketPrice, minute: number): void {
    const { marketKey, halfTicks } = market;
    this.#pending.set(`${marketKey} ${minute}`, { market, minute, halfTicks });
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** What a price level holds; never both sides. */
const EMPTY = 0;
const BIDS = 1;
const ASKS = 2;
const NONE = -1;

class MarketPrice {
  readonly marketKey: number;
  /** Divides every price that was quoted: resting orders keep their price when the tick changes. */
  #grain: number;
  /** By level, which is price / grain; undefined until the first order rests. */
  #levels: Uint8Array | undefined;
  #bestBid = NONE;
  #bestAsk = NONE;
  /** The last trade of the current command; 0 for none. */
  #tradeTicks = 0;
  /** The midpoint of the book, in half ticks; 0 while a side is empty. */
  midpoint = 0;
  halfTicks = 0;
  /** Set by the command that resolves the market; its price does not change afterwards. */
  payoutTicks: Ticks | undefined;
  /** The minute of the newest point in the tables. */
  writtenMinute: number | undefined;

  constructor(marketKey: number, tick: Ticks) {
    this.marketKey = marketKey;
    this.#grain = tick;
  }

  setLevel({ side, priceTicks, lots }: Level): void {
    if (priceTicks % this.#grain !== 0) this.#refine(commonDivisor(this.#grain, priceTicks));
    this.#levels ??= new Uint8Array(ONE_TICKS / this.#grain + 1);
    const level = priceTicks / this.#grain;
    const content = side === 'bid' ? BIDS : ASKS;
    if (lots > 0) this.#levels[level] = content;
    else if (this.#levels[level] === content) this.#levels[level] = EMPTY;
    if (side === 'bid') this.#bestBid = this.#bestBidAfter(this.#levels, level, lots > 0);
    else this.#bestAsk = this.#bestAskAfter(this.#levels, level, lots > 0);
  }

  setTrade({ takerOutcome, takerPriceTicks }: Trade): void {
    this.#tradeTicks = takerOutcome === 0 ? takerPriceTicks : complement(takerPriceTicks);
  }

  /** Computes the price after a command; returns whether it changed. */
  refresh(): boolean {
    const before = this.halfTicks;
    const [bid, ask] = [this.#bestBid, this.#bestAsk];
    assert(ask === NONE || bid < ask, 'a book is not crossed after a command');
    this.midpoint = bid !== NONE && ask !== NONE ? (bid + ask) * this.#grain : 0;
    if (this.payoutTicks !== undefined) this.halfTicks = 2 * this.payoutTicks;
    else if (this.midpoint > 0) this.halfTicks = this.midpoint;
    else if (this.#tradeTicks > 0) this.halfTicks = 2 * this.#tradeTicks;
    this.#tradeTicks = 0;
    return this.halfTicks !== before;
  }

  #refine(grain: number): void {
    const factor = this.#grain / grain;
    const finer = new Uint8Array(ONE_TICKS / grain + 1);
    for (const [level, content] of this.#levels?.entries() ?? []) finer[level * factor] = content;
    this.#levels = finer;
    this.#grain = grain;
    if (this.#bestBid !== NONE) this.#bestBid *= factor;
    if (this.#bestAsk !== NONE) this.#bestAsk *= factor;
  }

  #bestBidAfter(levels: Uint8Array, level: number, isThere: boolean): number {
    if (isThere) return Math.max(level, this.#bestBid);
    return level === this.#bestBid ? levels.lastIndexOf(BIDS, level) : this.#bestBid;
  }

  #bestAskAfter(levels: Uint8Array, level: number, isThere: boolean): number {
    if (isThere) return this.#bestAsk === NONE ? level : Math.min(level, this.#bestAsk);
    return level === this.#bestAsk ? levels.indexOf(ASKS, level) : this.#bestAsk;
  }
}

// Which price points are removed because of their age. Age counts from the market's own newest
// point, never from a clock, and by whole steps, so the points that stay do not depend on the steps
// of the projection.
//
// Invariant: each step length divides the next, and the last point of each thinned step stays. So a
// history at that step, or a multiple of it, is the same from thinned points as from all points; a
// finer one is right at the end of each kept step and lags in between. Bound:
// STORE_BOUNDS.pricePointAges.

/** A range of minutes in which only the last point of each step stays. */
interface Thinning {
  readonly fromMinute: number;
  /** The first minute after the range. */
  readonly toMinute: number;
  readonly stepMinutes: number;
}

const DAY_MINUTES = 1_440;
/** Thinning runs at most once in this time for a market, so that a statement removes many rows. */
const THINNING_MINUTES = 30;

const AGES = STORE_BOUNDS.pricePointAges;
for (const [index, { minutes, days }] of AGES.entries()) {
  const before = AGES[index - 1] ?? { minutes: 1, days: 0 };
  assert(
    minutes % before.minutes === 0 && days > before.days,
    'steps grow, and each divides the next',
  );
}

/** The thinning that a market's new point causes; `beforeMinute` is the point before it. */
export function thinningsBetween(beforeMinute: number, minute: number): Thinning[] {
  return AGES.flatMap(({ days, minutes: stepMinutes }) => {
    const turn = Math.max(stepMinutes, THINNING_MINUTES);
    const horizon = (newest: number): number =>
      Math.max(0, Math.floor((newest - days * DAY_MINUTES) / turn) * turn);
    const [fromMinute, toMinute] = [horizon(beforeMinute), horizon(minute)];
    return fromMinute < toMinute ? [{ fromMinute, toMinute, stepMinutes }] : [];
  });
}
