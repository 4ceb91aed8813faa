/**
 * The one book of a market, in YES ticks: price levels found by tick, each an intrusive queue of
 * order handles, first come first (design 4). A level is named by `price / grain`, where the grain
 * is the greatest common divisor of all ticks that the market ever had.
 * Invariant: bids lie strictly below asks, so one array of levels and one index serve both sides;
 * a level's lots are the sum of its orders'. Bound: 10,000 / grain levels, made when the first
 * order comes.
 */

import { ONE_TICKS, type Ticks } from '../model/index.ts';
import { LevelIndex, NONE } from './level-index.ts';
import type { OrderStore } from './order-store.ts';

const EMPTY = new Int32Array(0);

export class Book {
  readonly #orders: OrderStore;
  #grain: number;
  #index: LevelIndex | undefined;
  #head = EMPTY;
  #tail = EMPTY;
  #lots = new Float64Array(0);
  bidCount = 0;
  askCount = 0;
  /** The highest bid level and the lowest ask level, or NONE. */
  bestBid: number = NONE;
  bestAsk: number = NONE;

  constructor(orders: OrderStore, tick: Ticks) {
    this.#orders = orders;
    this.#grain = tick;
  }

  /** The greatest common divisor of all ticks it ever had. */
  get grain(): Ticks {
    return this.#grain as Ticks; // a divisor of ticks
  }

  levelOf(price: Ticks): number {
    return price / this.#grain;
  }

  priceOf(level: number): Ticks {
    return (level * this.#grain) as Ticks; // levels come from checked prices
  }

  head(level: number): number {
    return this.#head[level]!;
  }

  /** All that rests at a level, in lots; 0 for a level that has never been used. */
  lotsAt(level: number): number {
    return this.#lots[level] ?? 0;
  }

  /** The next level away from the spread on the same side, or NONE. */
  worse(level: number, isBid: boolean): number {
    // Beyond the best of one side lies only that side, until the best of the other is met.
    return isBid ? this.#levels().below(level) : this.#levels().above(level);
  }

  /** Puts an order at the tail of its level. */
  add(handle: number): void {
    const level = this.levelOf(this.#orders.bookTicks(handle));
    const isBid = this.#orders.isBid(handle);
    const index = this.#levels();
    const tail = this.#tail[level]!;
    this.#orders.setPrevious(handle, tail);
    this.#orders.setNext(handle, NONE);
    this.#tail[level] = handle;
    if (tail === NONE) {
      this.#head[level] = handle;
      index.add(level);
      if (isBid && level > this.bestBid) this.bestBid = level;
      if (!isBid && (this.bestAsk === NONE || level < this.bestAsk)) this.bestAsk = level;
    } else {
      this.#orders.setNext(tail, handle);
    }
    this.#lots[level]! += this.#orders.remainingLots(handle);
    if (isBid) this.bidCount += 1;
    else this.askCount += 1;
  }

  /** Takes an order out, with whatever remains of it. */
  delete(handle: number): void {
    const orders = this.#orders;
    const level = this.levelOf(orders.bookTicks(handle));
    const isBid = orders.isBid(handle);
    const before = orders.previous(handle);
    const after = orders.next(handle);
    if (before === NONE) this.#head[level] = after;
    else orders.setNext(before, after);
    if (after === NONE) this.#tail[level] = before;
    else orders.setPrevious(after, before);
    orders.setNext(handle, NONE);
    orders.setPrevious(handle, NONE);
    this.#lots[level]! -= orders.remainingLots(handle);
    if (isBid) this.bidCount -= 1;
    else this.askCount -= 1;
    if (before === NONE && after === NONE) this.#dropLevel(level, isBid);
  }

  /** Notes that `lots` of a resting order were filled. */
  reduce(level: number, lots: number): void {
    this.#lots[level]! -= lots;
  }

  /**
   * Makes room for the prices of another tick. Levels keep their queues as they are: only their
   * names change.
   */
  refine(tick: Ticks): void {
    const finer = commonDivisor(this.#grain, tick);
    const factor = this.#grain / finer;
    if (factor === 1) return;
    this.#grain = finer;
    const old = this.#index;
    if (old === undefined) return;
    const [head, tail, lots] = [this.#head, this.#tail, this.#lots];
    this.#index = undefined;
    const index = this.#levels();
    for (let level = old.above(NONE); level !== NONE; level = old.above(level)) {
      const renamed = level * factor;
      this.#head[renamed] = head[level]!;
      this.#tail[renamed] = tail[level]!;
      this.#lots[renamed] = lots[level]!;
      index.add(renamed);
    }
    if (this.bestBid !== NONE) this.bestBid *= factor;
    if (this.bestAsk !== NONE) this.bestAsk *= factor;
  }

  #dropLevel(level: number, isBid: boolean): void {
    const index = this.#levels();
    index.delete(level);
    if (isBid && level === this.bestBid) this.bestBid = index.below(level);
    if (!isBid && level === this.bestAsk) this.bestAsk = index.above(level);
  }

  #levels(): LevelIndex {
    if (this.#index === undefined) {
      const levels = ONE_TICKS / this.#grain + 1;
      this.#index = new LevelIndex(levels);
      this.#head = new Int32Array(levels).fill(NONE);
      this.#tail = new Int32Array(levels).fill(NONE);
      this.#lots = new Float64Array(levels);
    }
    return this.#index;
  }
}

/** By Euclid. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
