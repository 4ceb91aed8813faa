/**
 * The queue of automatic redemption: markets that were resolved with `redeemAll`, in order of
 * resolution, and the accounts of each in order of opening. Invariant: such a market is queued
 * exactly while some account has tokens of it. Bound: the positions.
 *
 * Positions are not listed in order of accounts, and a market may have a million. So when a market
 * is at the front of the queue, its holders are noted in a set of bits by account, a part at a time
 * (`findHolders`). The set only saves time: whom a command pays does not depend on it.
 */

import { NONE } from '../book/index.ts';
import { invariant } from '../model/index.ts';
import type { Positions } from './positions.ts';

/** Positions that one part of the search looks at: some 0.5 ms. */
export const POSITIONS_AT_ONCE = 10_000;
const WORD_BITS = 32;

/** The accounts with tokens of the market at the front. */
class Holders {
  readonly market: number;
  /** The next position to look at, the newest first; NONE if all were looked at. */
  unlisted: number;
  /** Accounts before this one are paid. */
  account = 0;
  /** A bit for each account. */
  bits = new Int32Array(16);

  constructor(market: number, newest: number) {
    this.market = market;
    this.unlisted = newest;
  }

  add(account: number): void {
    const word = Math.floor(account / WORD_BITS);
    if (word >= this.bits.length) {
      const bits = new Int32Array(word * 2);
      bits.set(this.bits);
      this.bits = bits;
    }
    this.bits[word]! |= 1 << (account % WORD_BITS);
  }

  /** Goes to the next account that was added, from `account` on. Returns whether there is one. */
  seek(): boolean {
    for (;;) {
      const word = this.bits[Math.floor(this.account / WORD_BITS)];
      if (word === undefined) return false;
      const shifted = word >>> (this.account % WORD_BITS);
      if (shifted !== 0) {
        this.account += WORD_BITS - 1 - Math.clz32(shifted & -shifted);
        return true;
      }
      this.account += WORD_BITS - (this.account % WORD_BITS);
    }
  }
}

export class Redemptions {
  readonly #positions: Positions;
  /** Indexes of the queued markets, in order of resolution. */
  readonly #markets = new Set<number>();
  #front: Holders | undefined;

  constructor(positions: Positions) {
    this.#positions = positions;
  }

  /** Indexes of the queued markets, in order. */
  get markets(): Iterable<number> {
    return this.#markets;
  }

  get areDue(): boolean {
    return this.#markets.size > 0;
  }

  /** Queues markets that were just resolved. */
  add(markets: readonly number[]): void {
    for (const market of markets) {
      const lots = this.#positions.supply(market, 0) + this.#positions.supply(market, 1);
      if (lots > 0) this.#markets.add(market);
    }
  }

  /**
   * Looks at up to `most` positions of the market at the front. Returns whether all its holders are
   * known, so that `first` is quick.
   */
  findHolders(most: number): boolean {
    const [market] = this.#markets;
    if (market === undefined) return true;
    const positions = this.#positions;
    if (this.#front?.market !== market) {
      this.#front = new Holders(market, positions.lastInMarket(market));
    }
    const front = this.#front;
    for (let looked = 0; looked < most && front.unlisted !== NONE; looked += 1) {
      const position = front.unlisted;
      front.unlisted = positions.previousInMarket(position);
      if (!this.#isEmpty(position)) front.add(positions.account[position]!);
    }
    return front.unlisted === NONE;
  }

  /** The next position to redeem, or NONE. */
  first(): number {
    this.findHolders(Number.POSITIVE_INFINITY);
    const front = this.#front;
    if (front === undefined) return NONE;
    for (;;) {
      const isFound = front.seek();
      invariant(isFound, 'some account has tokens of a queued market');
      const position = this.#positions.find(front.account, front.market);
      // Meanwhile an account may have redeemed its tokens itself.
      if (!this.#isEmpty(position)) return position;
      front.account += 1;
    }
  }

  /** Removes a market of which no account has tokens any more. */
  end(market: number): void {
    this.#markets.delete(market);
    if (this.#front?.market === market) this.#front = undefined;
  }

  #isEmpty(position: number): boolean {
    const positions = this.#positions;
    // Nothing is held for orders in a resolved market.
    return positions.available(position, 0) === 0 && positions.available(position, 1) === 0;
  }
}
