/**
 * Outcome tokens. A position is an account's YES and NO of one market, each split into available
 * and held for orders: four numbers, found by (account, market) in a hash table. Invariants: no
 * amount is negative; only these functions change one, by whole lots. A position is added with the
 * account's first order or sets in the market and never removed. Bound: accounts x markets.
 */

import { NONE } from '../book/index.ts';
import { invariant, type Lots, type Outcome } from '../model/index.ts';
import { digestChange } from './amount-digest.ts';
import { lengthened } from './ledger.ts';
import type { TouchedRows } from './touched-rows.ts';

/** Positions whose slots `addAll` fetches together. */
const ADDED_AT_ONCE = 128;

export class Positions {
  /** Account and market of each position. */
  account = new Int32Array(16);
  market = new Int32Array(16);
  count = 0;
  /** The digest (`amount-digest.ts`) of all tokens, available and held. */
  digest = 0;
  /** Lists the tokens that change, as `position * 2 + outcome`, unless it is undefined. */
  touched: TouchedRows | undefined;
  /** By position: the one that its account got before, or NONE. */
  #previous = new Int32Array(16);
  /** By account: the position that it got last, or NONE. */
  #last = new Int32Array(16).fill(NONE);
  /** By position: the one that was added before it in its market, or NONE. */
  #previousInMarket = new Int32Array(16);
  /** By market: the position that was added last, or NONE. */
  #lastInMarket = new Int32Array(16).fill(NONE);
  /** All tokens of each market (YES, NO), kept up to date and checked against its sets. */
  #supply = new Float64Array(32);
  #available = new Float64Array(32);
  #held = new Float64Array(32);
  #slots = new Int32Array(64).fill(NONE);
  /** What `#prefetch` read. It is stored so that the compiler does not remove the reads. */
  lastRead = 0;

  /** The position of an account in a market, or NONE. */
  find(account: number, market: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mix(account, market) & mask; ; slot = (slot + 1) & mask) {
      const position = this.#slots[slot]!;
      if (position === NONE) return NONE;
      if (this.account[position] === account && this.market[position] === market) return position;
    }
  }

  /** Makes room for so many positions, so that adding them copies nothing. */
  reserve(count: number): void {
    if (count > this.account.length) this.#grow(count);
    let slots = this.#slots.length;
    while (count * 2 > slots) slots *= 2;
    if (slots > this.#slots.length) this.#rehash(slots);
  }

  /**
   * Adds the positions of a part of a snapshot. Stops at one that exists already and returns its
   * row; NONE if there is none.
   */
  addAll(accounts: Int32Array, markets: Int32Array): number {
    const rows = accounts.length;
    for (let from = 0; from < rows; from += ADDED_AT_ONCE) {
      const end = Math.min(from + ADDED_AT_ONCE, rows);
      this.#prefetch(accounts, markets, from, end);
      for (let row = from; row < end; row += 1) {
        const [account, market] = [accounts[row]!, markets[row]!];
        if (this.find(account, market) !== NONE) return row;
        this.add(account, market);
      }
    }
    return NONE;
  }

  /**
   * Reads the home slots of these rows, so that the processor fetches them all at once instead of
   * one after the other. It only affects speed.
   */
  #prefetch(accounts: Int32Array, markets: Int32Array, from: number, end: number): void {
    const mask = this.#slots.length - 1;
    let read = 0;
    for (let row = from; row < end; row += 1) {
      read ^= this.#slots[mix(accounts[row]!, markets[row]!) & mask]!;
    }
    this.lastRead = read;
  }

  /** Sets the tokens of a position that was just added, as a snapshot has them. */
  restore(position: number, outcome: Outcome, available: Lots, held: Lots): void {
    this.#setAvailable(position * 2 + outcome, available);
    this.#setHeld(position * 2 + outcome, held);
    this.#supply[this.market[position]! * 2 + outcome]! += available + held;
  }

  /** Adds a position that does not exist. */
  add(account: number, market: number): number {
    const position = this.count;
    if (position === this.account.length) this.#grow(position * 2);
    this.count += 1;
    this.account[position] = account;
    this.market[position] = market;
    if (account >= this.#last.length) this.#last = widened(this.#last, account * 2);
    this.#previous[position] = this.#last[account]!;
    this.#last[account] = position;
    if (market >= this.#lastInMarket.length) {
      this.#lastInMarket = widened(this.#lastInMarket, market * 2);
    }
    this.#previousInMarket[position] = this.#lastInMarket[market]!;
    this.#lastInMarket[market] = position;
    if (market * 2 >= this.#supply.length) this.#supply = lengthened(this.#supply, market * 4);
    if (this.count * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    else this.#insert(position);
    return position;
  }

  /** The positions of an account, the newest first. */
  ofAccount(account: number): number[] {
    const positions: number[] = [];
    let position = this.#last[account] ?? NONE;
    for (; position !== NONE; position = this.#previous[position]!) positions.push(position);
    return positions;
  }

  /** The positions in a market, the newest first. */
  ofMarket(market: number): number[] {
    const positions: number[] = [];
    let position = this.lastInMarket(market);
    for (; position !== NONE; position = this.previousInMarket(position)) positions.push(position);
    return positions;
  }

  /** The newest position in a market, or NONE. */
  lastInMarket(market: number): number {
    return this.#lastInMarket[market] ?? NONE;
  }

  /** The one that was added before it in its market, or NONE. */
  previousInMarket(position: number): number {
    return this.#previousInMarket[position]!;
  }

  /** 0 for NONE. */
  available(position: number, outcome: Outcome): Lots {
    return (this.#available[position * 2 + outcome] ?? 0) as Lots; // only whole lots are stored
  }

  held(position: number, outcome: Outcome): Lots {
    return (this.#held[position * 2 + outcome] ?? 0) as Lots; // only whole lots are stored
  }

  /** All tokens of one outcome of a market. */
  supply(market: number, outcome: Outcome): Lots {
    return (this.#supply[market * 2 + outcome] ?? 0) as Lots; // only whole lots are added
  }

  /** Adds to available tokens. */
  receive(position: number, outcome: Outcome, lots: Lots): void {
    if (this.touched !== undefined) this.#touch(this.touched, position * 2 + outcome);
    this.#supply[this.market[position]! * 2 + outcome]! += lots;
    const row = position * 2 + outcome;
    this.#setAvailable(row, this.#available[row]! + lots);
  }

  /** Takes from available tokens. */
  deliver(position: number, outcome: Outcome, lots: Lots): void {
    if (this.touched !== undefined) this.#touch(this.touched, position * 2 + outcome);
    const left = this.#available[position * 2 + outcome]! - lots;
    invariant(left >= 0, 'available tokens are never negative');
    this.#supply[this.market[position]! * 2 + outcome]! -= lots;
    this.#setAvailable(position * 2 + outcome, left);
  }

  /** Takes from held tokens. */
  deliverHeld(position: number, outcome: Outcome, lots: Lots): void {
    if (this.touched !== undefined) this.#touch(this.touched, position * 2 + outcome);
    const left = this.#held[position * 2 + outcome]! - lots;
    invariant(left >= 0, 'held tokens are never negative');
    this.#supply[this.market[position]! * 2 + outcome]! -= lots;
    this.#setHeld(position * 2 + outcome, left);
  }

  hold(position: number, outcome: Outcome, lots: Lots): void {
    this.deliver(position, outcome, lots);
    this.#supply[this.market[position]! * 2 + outcome]! += lots;
    const row = position * 2 + outcome;
    this.#setHeld(row, this.#held[row]! + lots);
  }

  release(position: number, outcome: Outcome, lots: Lots): void {
    this.deliverHeld(position, outcome, lots);
    this.receive(position, outcome, lots);
  }

  #setAvailable(row: number, lots: number): void {
    this.digest = (this.digest + digestChange(2 * row, this.#available[row]!, lots)) | 0;
    this.#available[row] = lots;
  }

  #setHeld(row: number, lots: number): void {
    this.digest = (this.digest + digestChange(2 * row + 1, this.#held[row]!, lots)) | 0;
    this.#held[row] = lots;
  }

  #touch(touched: TouchedRows, row: number): void {
    touched.note(row, this.#available[row]!, this.#held[row]!);
  }

  #grow(length: number): void {
    this.account = widened(this.account, length);
    this.market = widened(this.market, length);
    this.#previous = widened(this.#previous, length);
    this.#previousInMarket = widened(this.#previousInMarket, length);
    this.#available = lengthened(this.#available, length * 2);
    this.#held = lengthened(this.#held, length * 2);
  }

  #rehash(size: number): void {
    this.#slots = new Int32Array(size).fill(NONE);
    for (let position = 0; position < this.count; position += 1) this.#insert(position);
  }

  #insert(position: number): void {
    const mask = this.#slots.length - 1;
    let slot = mix(this.account[position]!, this.market[position]!) & mask;
    while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
    this.#slots[slot] = position;
  }
}

/** The same numbers in a longer column; the new ones are NONE. */
function widened(column: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length).fill(NONE);
  wider.set(column);
  return wider;
}

/** Hashes two small integers to 32 bits. */
function mix(account: number, market: number): number {
  const mixed = Math.imul(account, 0x9e3779b1) ^ Math.imul(market + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
