/**
 * The levels, last trade and version of one market's book, in YES ticks.
 *
 * Invariant: holds exactly what the durable `level_changed` and `fill` events said last; the best
 * prices and sorted ticks are derived from the levels and thrown away when a level appears or goes.
 * Bound: 9,999 levels a side, one entry each.
 */
import assert from 'node:assert/strict';
import {
  type Fill,
  type LevelChanged,
  type Lots,
  ONE_TICKS,
  type Outcome,
  type Side,
  type Ticks,
  ticks,
} from '../../engine/index.ts';
import type { MarketEntry } from './registry.ts';

export interface LastTrade {
  /** What the taker paid or got, in YES ticks. */
  readonly yesTicks: Ticks;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly timeMs: number;
}

/** Sizes by tick. An update costs one map operation; their order is made when it is asked for. */
export class LevelSide {
  readonly #sizes = new Map<Ticks, Lots>();
  readonly #better: (a: number, b: number) => number;
  readonly #none: Ticks;
  readonly #byWorst: (a: number, b: number) => number;
  /** undefined when the best level went and nobody has asked since. */
  #bestTicks: Ticks | undefined;
  #worstFirst: readonly Ticks[] | undefined;

  constructor(side: LevelChanged['side']) {
    const isBid = side === 'bid';
    this.#better = isBid ? Math.max : Math.min;
    this.#byWorst = isBid ? (a, b) => a - b : (a, b) => b - a;
    // The price that is there when nobody bids is 0, and when nobody asks 1 (wire 1.5).
    this.#none = isBid ? ticks(0) : ONE_TICKS;
    this.#bestTicks = this.#none;
  }

  get count(): number {
    return this.#sizes.size;
  }

  set(price: Ticks, size: Lots): void {
    if (size === 0) {
      if (this.#sizes.delete(price)) this.#forgetLevel(price);
      return;
    }
    const before = this.#sizes.size;
    this.#sizes.set(price, size);
    if (this.#sizes.size === before) return;
    this.#worstFirst = undefined;
    if (this.#bestTicks !== undefined)
      this.#bestTicks = ticks(this.#better(this.#bestTicks, price));
  }

  #forgetLevel(price: Ticks): void {
    this.#worstFirst = undefined;
    if (price === this.#bestTicks) this.#bestTicks = undefined;
  }

  /** 0 for a bid and 10,000 for an ask when the side is empty. */
  get bestTicks(): Ticks {
    if (this.#bestTicks !== undefined) return this.#bestTicks;
    let best: number = this.#none;
    for (const price of this.#sizes.keys()) best = this.#better(best, price);
    this.#bestTicks = ticks(best);
    return this.#bestTicks;
  }

  /** Ticks of the levels: bids ascend and asks descend. */
  get worstFirst(): readonly Ticks[] {
    this.#worstFirst ??= [...this.#sizes.keys()].sort(this.#byWorst);
    return this.#worstFirst;
  }

  sizeAt(price: Ticks): Lots {
    const size = this.#sizes.get(price);
    assert(size !== undefined, 'each tick of `worstFirst` has a level');
    return size;
  }
}

export class MarketBook {
  readonly market: MarketEntry;
  readonly bids = new LevelSide('bid');
  readonly asks = new LevelSide('ask');
  #lastTrade: LastTrade | undefined;
  #changedMs: number;
  #version = 0;
  /** The durable batch that made this version. */
  #batch = -1;

  constructor(market: MarketEntry) {
    this.market = market;
    this.#changedMs = market.createdMs;
  }

  /** Counts the durable batches that changed this book. */
  get version(): number {
    return this.#version;
  }

  /** When the last change happened, in milliseconds; at first, when the market was created. */
  get changedMs(): number {
    return this.#changedMs;
  }

  get lastTrade(): LastTrade | undefined {
    return this.#lastTrade;
  }

  setLevel(event: LevelChanged, timeMs: number, batch: number): void {
    const side = event.side === 'bid' ? this.bids : this.asks;
    side.set(event.priceTicks, event.lots);
    this.#touch(timeMs, batch);
  }

  recordTrade(fill: Fill, timeMs: number, batch: number): void {
    const { takerOutcome, takerSide, takerPriceTicks } = fill;
    const yesTicks = takerOutcome === 0 ? takerPriceTicks : ticks(ONE_TICKS - takerPriceTicks);
    this.#lastTrade = { yesTicks, takerOutcome, takerSide, timeMs };
    this.#touch(timeMs, batch);
  }

  #touch(timeMs: number, batch: number): void {
    this.#changedMs = timeMs;
    if (batch === this.#batch) return;
    this.#batch = batch;
    this.#version += 1;
  }
}
