/**
 * The levels, last trade, terms and version of one market's book, in YES ticks.
 *
 * Invariant: holds what the latest durable `level_changed`, `fill` and `market_changed` events
 * said. A level may be off the price grid of the current terms: a change of the tick moves no
 * order. Bound: 9,999 levels a side.
 */
import {
  complement,
  type Fill,
  type LevelChanged,
  type MarketChanged,
  type Outcome,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';
import type { RestoredMarket } from '../../persistence/index.ts';
import { LevelSide } from './level-side.ts';
import { type RegisteredTerms, withTerms } from './registry.ts';

export interface LastTrade {
  /** The taker's price, in YES ticks. */
  readonly yesTicks: Ticks;
  readonly takerOutcome: Outcome;
  readonly takerSide: Side;
  readonly timeMs: number;
}

export class MarketBook {
  readonly bids: LevelSide;
  readonly asks: LevelSide;
  /** How often price routes have shown it. */
  reads = 0;
  #market: RegisteredTerms;
  #lastTrade: LastTrade | undefined;
  #changedMs: number;
  #version = 0;
  /** The durable batch that made the current version. */
  #batch = -1;

  constructor(
    market: RegisteredTerms,
    bids: LevelSide = new LevelSide('bid'),
    asks: LevelSide = new LevelSide('ask'),
  ) {
    this.#market = market;
    this.bids = bids;
    this.asks = asks;
    this.#changedMs = market.createdMs;
  }

  /** A book as this one is now. Later changes leave the copy as it is. */
  copy(): MarketBook {
    const copy = new MarketBook(this.#market, this.bids.copy(), this.asks.copy());
    copy.#lastTrade = this.#lastTrade;
    copy.#changedMs = this.#changedMs;
    return copy;
  }

  get market(): RegisteredTerms {
    return this.#market;
  }

  /** The number of durable batches that changed this book. */
  get version(): number {
    return this.#version;
  }

  /** Time of the last change; of an unchanged book, the time the market was created. */
  get changedMs(): number {
    return this.#changedMs;
  }

  get lastTrade(): LastTrade | undefined {
    return this.#lastTrade;
  }

  /** Loads the levels and the last trade of a start, before any change. */
  restore({ bids, asks, bookMs, lastTrade }: RestoredMarket): void {
    for (const [price, size] of bids) this.bids.set(price, size);
    for (const [price, size] of asks) this.asks.set(price, size);
    this.#lastTrade = lastTrade;
    this.#changedMs = bookMs;
  }

  setLevel(event: LevelChanged, timeMs: number, batch: number): void {
    const side = event.side === 'bid' ? this.bids : this.asks;
    side.set(event.priceTicks, event.lots);
    this.#touch(timeMs, batch);
  }

  recordTrade(fill: Fill, timeMs: number, batch: number): void {
    const { takerOutcome, takerSide, takerPriceTicks } = fill;
    const yesTicks = takerOutcome === 0 ? takerPriceTicks : complement(takerPriceTicks);
    this.#lastTrade = { yesTicks, takerOutcome, takerSide, timeMs };
    this.#touch(timeMs, batch);
  }

  /** Makes a new version only if the book shows the changed terms. */
  changeTerms(event: MarketChanged, timeMs: number, batch: number): void {
    const before = this.#market;
    this.#market = withTerms(before, event);
    const { tickTicks, minimumLots } = this.#market;
    if (tickTicks === before.tickTicks && minimumLots === before.minimumLots) return;
    this.#touch(timeMs, batch);
  }

  #touch(timeMs: number, batch: number): void {
    this.#changedMs = timeMs;
    if (batch === this.#batch) return;
    this.#batch = batch;
    this.#version += 1;
  }
}
