/**
 * The one book of a market, in YES ticks. BUY YES and SELL NO are bids, SELL YES and BUY NO are
 * asks at the complement of their price, so price-time priority runs over both outcomes together:
 *
 *     bid               | price | ask
 *                       | 5200  | SELL YES 30 at 5200, BUY NO 10 at 4800
 *     BUY YES 20 at 5000| 5000  |
 *
 * Each level is an intrusive queue of order handles, oldest first. Its number is `price / grain`,
 * where the grain is the greatest common divisor of all ticks that the market has ever had.
 * Invariants: bids lie strictly below asks, so one array of levels and one index serve both sides;
 * a level's lots are the sum of its orders' remaining lots. Bound: 10,000 / grain levels, allocated
 * with the first order.
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

  /** The greatest common divisor of all ticks that the market has ever had. */
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

  /** The total size at a level, in lots; 0 for a level that was never used. */
  lotsAt(level: number): number {
    return this.#lots[level] ?? 0;
  }

  /** The next level away from the spread on the same side, or NONE. */
  worse(level: number, isBid: boolean): number {
    // Behind the best level of a side lie only levels of that side.
    return isBid ? this.#allocated().below(level) : this.#allocated().above(level);
  }

  /** The levels of one side, best price first. */
  *levels(isBid: boolean): Generator<number> {
    let level = isBid ? this.bestBid : this.bestAsk;
    for (; level !== NONE; level = this.worse(level, isBid)) yield level;
  }

  /** The handles of one side, best price first, then oldest first. */
  *handles(isBid: boolean): Generator<number> {
    for (const level of this.levels(isBid)) {
      for (let at = this.#head[level]!; at !== NONE; at = this.#orders.next(at)) yield at;
    }
  }

  /** Adds an order at the tail of its level. */
  add(handle: number): void {
    const level = this.levelOf(this.#orders.bookTicks(handle));
    const isBid = this.#orders.isBid(handle);
    const index = this.#allocated();
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

  /** Removes an order and its remaining lots. */
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

  /** Takes filled lots off the total of a level. */
  reduce(level: number, lots: number): void {
    this.#lots[level]! -= lots;
  }

  /** Makes room for the prices of another tick. Levels keep their queues and get new numbers. */
  refine(tick: Ticks): void {
    const finer = commonDivisor(this.#grain, tick);
    const factor = this.#grain / finer;
    if (factor === 1) return;
    this.#grain = finer;
    const old = this.#index;
    if (old === undefined) return;
    const [head, tail, lots] = [this.#head, this.#tail, this.#lots];
    this.#index = undefined;
    const index = this.#allocated();
    for (let level = old.above(NONE); level !== NONE; level = old.above(level)) {
      const renumbered = level * factor;
      this.#head[renumbered] = head[level]!;
      this.#tail[renumbered] = tail[level]!;
      this.#lots[renumbered] = lots[level]!;
      index.add(renumbered);
    }
    if (this.bestBid !== NONE) this.bestBid *= factor;
    if (this.bestAsk !== NONE) this.bestAsk *= factor;
  }

  #dropLevel(level: number, isBid: boolean): void {
    const index = this.#allocated();
    index.delete(level);
    if (isBid && level === this.bestBid) this.bestBid = index.below(level);
    if (!isBid && level === this.bestAsk) this.bestAsk = index.above(level);
  }

  /** The index, allocated with the level arrays when the first order comes. */
  #allocated(): LevelIndex {
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

/** Euclid's algorithm. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
