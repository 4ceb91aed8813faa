/**
 * The midpoints of all markets, as the events of the commands tell them, and the minutes in which
 * they changed. In half ticks of YES: the middle of both sides. While a side is empty there is no
 * midpoint: a market then has its last midpoint or its last trade (wire 6.4), whichever came later,
 * and before the first of them nothing.
 *
 * Invariant: a minute's point is the price after the last command of that minute that changed it,
 * whatever steps the commands came in, and wherever it was begun anew from the books. Bound: one
 * byte a price level of a market that was ever quoted; pending points are at most one a market and
 * minute of a step; those of the past are thinned (price-thinning.ts).
 */
import { strict as assert } from 'node:assert';
import type { EngineEvent, Fill, LevelChanged, MarketSummary, Ticks } from '../../engine/index.ts';
import { complement, ONE_TICKS } from '../../engine/model/index.ts';
import { thinningsBetween } from './price-thinning.ts';
import type { ProjectionStatements } from './statements.ts';

const MINUTE_MS = 60_000;

/** A price that is to be written. */
interface PendingPoint {
  readonly market: MarketPrice;
  readonly minute: number;
  readonly halfTicks: number;
}

type RestedBook = Pick<MarketSummary, 'conditionId' | 'tickTicks' | 'bids' | 'asks'>;
type Level = Pick<LevelChanged, 'side' | 'priceTicks' | 'lots'>;
type Trade = Pick<Fill, 'takerOutcome' | 'takerPriceTicks'>;

/** A row of the tables. */
export interface PricePoint {
  readonly minute: number;
  readonly halfTicks: number;
}

/** What was written of a market. */
interface MarketPoint {
  readonly marketKey: number;
  readonly halfTicks: number;
}

export class ProjectionPrices {
  readonly #markets = new Map<string, MarketPrice>();
  /** Those that the command in hand touched; made once, because most commands touch one. */
  readonly #touched = new Set<MarketPrice>();
  /** By market and minute: what is to be written. */
  readonly #pending = new Map<string, PendingPoint>();

  add(conditionId: string, marketKey: number, tick: Ticks): void {
    this.#markets.set(conditionId, new MarketPrice(marketKey, tick));
  }

  /** Goes on with a market of which the tables have this, if anything, as its last point. */
  restore(
    { conditionId, tickTicks, bids, asks }: RestedBook,
    marketKey: number,
    lastPoint: PricePoint | undefined,
  ): void {
    const market = new MarketPrice(marketKey, tickTicks);
    for (const [priceTicks, lots] of bids) market.setLevel({ side: 'bid', priceTicks, lots });
    for (const [priceTicks, lots] of asks) market.setLevel({ side: 'ask', priceTicks, lots });
    market.halfTicks = lastPoint?.halfTicks ?? 0;
    market.writtenMinute = lastPoint?.minute;
    assert(!market.refresh(), 'the last midpoint of the tables is that of the book');
    this.#markets.set(conditionId, market);
  }

  /** Follows one command, and notes what is to be written. */
  take(timeMs: number, events: readonly EngineEvent[]): void {
    for (const event of events) {
      if (event.kind === 'level_changed') this.#touch(event.conditionId).setLevel(event);
      else if (event.kind === 'fill') this.#touch(event.conditionId).setTrade(event);
    }
    for (const market of this.#touched) {
      if (market.refresh()) this.#note(market, Math.floor(timeMs / MINUTE_MS));
    }
    this.#touched.clear();
  }

  /** Writes what was noted, in order of time, and removes what it makes too old. */
  flush({ putPoint, thinPoints }: ProjectionStatements): Iterable<MarketPoint> {
    const written: MarketPoint[] = [];
    for (const { market, minute, halfTicks } of this.#pending.values()) {
      const { marketKey, writtenMinute = minute } = market;
      putPoint.run({ marketKey, minute, halfTicks });
      written.push({ marketKey, halfTicks });
      for (const thinning of thinningsBetween(writtenMinute, minute)) {
        thinPoints.run({ marketKey, ...thinning });
      }
      market.writtenMinute = minute;
    }
    this.#pending.clear();
    return written;
  }

  #touch(conditionId: string): MarketPrice {
    const market = this.#markets.get(conditionId);
    assert(market !== undefined, 'a market is made before it is quoted');
    this.#touched.add(market);
    return market;
  }

  #note(market: MarketPrice, minute: number): void {
    const { marketKey, halfTicks } = market;
    this.#pending.set(`${marketKey} ${minute}`, { market, minute, halfTicks });
  }
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** What a level of the one book holds: nothing, bids or asks; never both. */
const NOTHING = 0;
const BIDS = 1;
const ASKS = 2;
const NONE = -1;

class MarketPrice {
  readonly marketKey: number;
  /** Divides every price that was ever quoted: a market's tick may change, what rests stays. */
  #grain: number;
  /** By level, which is price / grain; made when the first order rests. */
  #levels: Uint8Array | undefined;
  #bestBid = NONE;
  #bestAsk = NONE;
  /** Of the command in hand, 0 for none. */
  #tradeTicks = 0;
  /** 0 until something is known. */
  halfTicks = 0;
  /** The minute of the last point in the tables. */
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
    else if (this.#levels[level] === content) this.#levels[level] = NOTHING;
    if (side === 'bid') this.#bestBid = this.#bestBidAfter(this.#levels, level, lots > 0);
    else this.#bestAsk = this.#bestAskAfter(this.#levels, level, lots > 0);
  }

  /** In YES ticks. */
  setTrade({ takerOutcome, takerPriceTicks }: Trade): void {
    this.#tradeTicks = takerOutcome === 0 ? takerPriceTicks : complement(takerPriceTicks);
  }

  /** Works the price out anew after a command; returns whether it is another one. */
  refresh(): boolean {
    const before = this.halfTicks;
    const [bid, ask] = [this.#bestBid, this.#bestAsk];
    assert(ask === NONE || bid < ask, 'no book is crossed after a command');
    if (bid !== NONE && ask !== NONE) this.halfTicks = (bid + ask) * this.#grain;
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
