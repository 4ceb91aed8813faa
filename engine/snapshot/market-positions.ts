/**
 * Finds the positions of one market after the other. The reader of resting orders, which come
 * market by market, looks for a million of them, and the table of all positions has them all over
 * the memory. Invariant: it finds what the table finds. Bound: a number for each position and for
 * each account.
 */
import { NONE } from '../book/index.ts';
import type { Positions } from '../state/positions.ts';

export class MarketPositions {
  /** All positions, those of each market together. */
  readonly #sorted: Int32Array;
  /** Where those of a market begin, and after the last market, where they end. */
  readonly #begins: Int32Array;
  /** By account: its position in the present market, or NONE. */
  readonly #ofAccount: Int32Array;
  readonly #accountOf: Int32Array;
  #market = NONE;

  /** `positions` gets no further ones. */
  constructor({ count, market, account }: Positions, accounts: number) {
    const marketOf = market.subarray(0, count);
    const markets = marketOf.reduce((most, one) => Math.max(most, one + 1), 0);
    const begins = new Int32Array(markets + 2);
    for (const one of marketOf) begins[one + 2]! += 1;
    for (let at = 1; at < begins.length; at += 1) begins[at]! += begins[at - 1]!;
    this.#sorted = new Int32Array(count);
    // Each begin moves to its end, which is the begin of the next market.
    for (let position = 0; position < count; position += 1) {
      const next = marketOf[position]! + 1;
      this.#sorted[begins[next]!] = position;
      begins[next]! += 1;
    }
    this.#begins = begins;
    this.#ofAccount = new Int32Array(accounts).fill(NONE);
    this.#accountOf = account;
  }

  /** As `Positions.find`, for an account and a market that exist. */
  find(account: number, market: number): number {
    if (market !== this.#market) this.#turnTo(market);
    return this.#ofAccount[account]!;
  }

  #turnTo(market: number): void {
    const [ofAccount, accountOf] = [this.#ofAccount, this.#accountOf];
    for (const position of this.#of(this.#market)) ofAccount[accountOf[position]!] = NONE;
    for (const position of this.#of(market)) ofAccount[accountOf[position]!] = position;
    this.#market = market;
  }

  /** Empty for NONE, and for a market after the last one that has positions. */
  #of(market: number): Int32Array {
    return this.#sorted.subarray(this.#begins[market] ?? 0, this.#begins[market + 1] ?? 0);
  }
}
