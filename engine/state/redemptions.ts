/**
 * Who waits to be paid for the tokens of resolved markets, where the operator wanted that done for
 * everybody: market after market as they were resolved, in each by when the account was opened.
 * Invariant: a market waits exactly while somebody has tokens of it. Bound: the positions.
 */

import { NONE } from '../book/index.ts';
import type { Positions } from './ledger.ts';

/** Above every position there can be; times the accounts, below 2^53. */
const POSITIONS = 2 ** 31;

/** The positions of one market that had tokens when it was resolved. */
interface Line {
  readonly positions: Float64Array;
  /** The first that may still have some. */
  next: number;
}

export class Redemptions {
  readonly #positions: Positions;
  /** By index of the market. */
  readonly #lines = new Map<number, Line>();

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Markets that wait, in order. */
  get markets(): Iterable<number> {
    return this.#lines.keys();
  }

  get areDue(): boolean {
    return this.#lines.size > 0;
  }

  /** Lets markets wait that were just resolved; one walk over all positions for all of them. */
  add(markets: readonly number[]): void {
    const keys = new Map<number, number[]>(markets.map((market) => [market, []]));
    const { account, count, market } = this.#positions;
    for (let position = 0; position < count; position += 1) {
      if (this.#isEmpty(position)) continue;
      keys.get(market[position]!)?.push(account[position]! * POSITIONS + position);
    }
    for (const [index, list] of keys) {
      // Sorted as plain numbers, which takes a fraction of the time of comparing by a function.
      const positions = Float64Array.from(list)
        .sort()
        .map((key) => key % POSITIONS);
      if (positions.length > 0) this.#lines.set(index, { positions, next: 0 });
    }
  }

  /** The position whose turn it is, or NONE. */
  first(): number {
    const [line] = this.#lines.values();
    if (line === undefined) return NONE;
    while (this.#isEmpty(line.positions[line.next]!)) line.next += 1;
    return line.positions[line.next]!;
  }

  /** Notes that nobody has tokens of a market any more. */
  end(market: number): void {
    this.#lines.delete(market);
  }

  #isEmpty(position: number): boolean {
    const positions = this.#positions;
    // What is resolved holds nothing for orders.
    return positions.available(position, 0) === 0 && positions.available(position, 1) === 0;
  }
}
