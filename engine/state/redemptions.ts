/**
 * The queue of automatic redemption: markets that were resolved with `redeemAll`, in order of
 * resolution, and the positions of each in order of account opening. Invariant: such a market is
 * queued exactly while some account has tokens of it. Bound: the positions.
 */

import { NONE } from '../book/index.ts';
import type { Positions } from './positions.ts';

/** More than the number of positions; its product with the number of accounts is below 2^53. */
const POSITIONS = 2 ** 31;

/** The positions of one market that had tokens when it was resolved. */
interface PositionQueue {
  readonly positions: Float64Array;
  /** Index of the first position that may still have tokens. */
  next: number;
}

export class Redemptions {
  readonly #positions: Positions;
  /** By index of the market, in order of resolution. */
  readonly #queues = new Map<number, PositionQueue>();

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Indexes of the queued markets, in order. */
  get markets(): Iterable<number> {
    return this.#queues.keys();
  }

  get areDue(): boolean {
    return this.#queues.size > 0;
  }

  /** Queues markets that were just resolved. */
  add(markets: readonly number[]): void {
    const { account } = this.#positions;
    for (const market of markets) {
      const full = this.#positions.ofMarket(market).filter((position) => !this.#isEmpty(position));
      // Sorting plain numbers takes a fraction of the time of sorting with a comparison function.
      const positions = Float64Array.from(full, (one) => account[one]! * POSITIONS + one)
        .sort()
        .map((key) => key % POSITIONS);
      if (positions.length > 0) this.#queues.set(market, { positions, next: 0 });
    }
  }

  /** The next position to redeem, or NONE. */
  first(): number {
    const [queue] = this.#queues.values();
    if (queue === undefined) return NONE;
    while (this.#isEmpty(queue.positions[queue.next]!)) queue.next += 1;
    return queue.positions[queue.next]!;
  }

  /** Removes a market of which no account has tokens any more. */
  end(market: number): void {
    this.#queues.delete(market);
  }

  #isEmpty(position: number): boolean {
    const positions = this.#positions;
    // Nothing is held for orders in a resolved market.
    return positions.available(position, 0) === 0 && positions.available(position, 1) === 0;
  }
}
