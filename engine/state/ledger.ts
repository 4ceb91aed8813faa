/**
 * Who has what: accounts with cash, and positions (one account's YES and NO tokens of one market),
 * each amount split into available and held (design 5). Invariant: nothing is negative; only the
 * functions here change a balance, each by whole units. Bounds: accounts; positions only come into
 * being with an order or with sets, at most accounts x markets.
 */

import { NONE, TextTable } from '../book/index.ts';
import type { Lots, Micros, Outcome, Standing, Wallet } from '../model/index.ts';
import { invariant } from '../model/index.ts';

/** An account's fixed part. */
export interface Account {
  readonly address: string;
  readonly owner: string;
  /** Index of the owner among owners. */
  readonly ownerIndex: number;
  readonly wallet: Wallet;
}

/** An owner's live orders as a list by time accepted. */
export interface Owner {
  readonly address: string;
  firstOrder: number;
  lastOrder: number;
  /** How many of them wait for the end of their delay. */
  delayedCount: number;
  /** Whether it has a standing that is not good, so that placing needs no look-up by text. */
  isRestricted: boolean;
}

export class Ledger {
  readonly accounts: Account[] = [];
  readonly owners: Owner[] = [];
  /** Of owners that are not good, with or without accounts, in order of the last change. */
  readonly standings = new Map<string, Standing>();
  /** Account index to live orders. */
  readonly liveOrders: number[] = [];
  availableMicros = new Float64Array(16);
  heldMicros = new Float64Array(16);
  depositedMicros = 0;
  withdrawnMicros = 0;
  /** All cash of all accounts, counted as it moves: checked against what was deposited. */
  totalMicros = 0;
  /** By address; so are owners. */
  readonly #accountTable: TextTable;
  readonly #ownerTable: TextTable;

  /** `seed` spreads the addresses in their tables. */
  constructor(seed: number) {
    this.#accountTable = new TextTable(seed);
    this.#ownerTable = new TextTable(seed);
  }

  findAccount(address: string): number {
    return this.#accountTable.find(address);
  }

  findOwner(address: string): Owner | undefined {
    return this.owners[this.findOwnerIndex(address)];
  }

  /** NONE for an owner without accounts. */
  findOwnerIndex(address: string): number {
    return this.#ownerTable.find(address);
  }

  /** Binds an address that is not known yet to its owner. */
  openAccount(address: string, owner: string, wallet: Wallet): number {
    const account = this.#accountTable.add(address);
    let ownerIndex = this.#ownerTable.find(owner);
    if (ownerIndex === NONE) {
      ownerIndex = this.#ownerTable.add(owner);
      const isRestricted = this.standings.has(owner);
      this.owners.push({
        address: owner,
        firstOrder: NONE,
        lastOrder: NONE,
        delayedCount: 0,
        isRestricted,
      });
    }
    this.accounts.push({ address, owner, ownerIndex, wallet });
    this.liveOrders.push(0);
    if (account === this.availableMicros.length) {
      this.availableMicros = doubled(this.availableMicros);
      this.heldMicros = doubled(this.heldMicros);
    }
    return account;
  }

  standingOf(owner: string): Standing {
    return this.standings.get(owner) ?? 'good';
  }

  setStanding(owner: string, standing: Standing): void {
    // Taken out first, so that they stand in the order of their last change.
    this.standings.delete(owner);
    if (standing !== 'good') this.standings.set(owner, standing);
    const known = this.findOwner(owner);
    if (known !== undefined) known.isRestricted = standing !== 'good';
  }

  deposit(account: number, amount: Micros): void {
    this.depositedMicros += amount;
    this.receive(account, amount);
  }

  withdraw(account: number, amount: Micros): void {
    this.withdrawnMicros += amount;
    this.pay(account, amount);
  }

  /** Adds to available cash. */
  receive(account: number, amount: Micros): void {
    this.totalMicros += amount;
    this.availableMicros[account]! += amount;
  }

  /** Takes from available cash. */
  pay(account: number, amount: Micros): void {
    const left = this.availableMicros[account]! - amount;
    invariant(left >= 0, 'available cash is never negative');
    this.totalMicros -= amount;
    this.availableMicros[account] = left;
  }

  /** Takes from held cash. */
  payHeld(account: number, amount: Micros): void {
    const left = this.heldMicros[account]! - amount;
    invariant(left >= 0, 'held cash is never negative');
    this.totalMicros -= amount;
    this.heldMicros[account] = left;
  }

  hold(account: number, amount: Micros): void {
    this.pay(account, amount);
    this.totalMicros += amount;
    this.heldMicros[account]! += amount;
  }

  release(account: number, amount: Micros): void {
    this.payHeld(account, amount);
    this.receive(account, amount);
  }
}

/** Tokens: four numbers a position, found by (account, market) in a hash table. */
export class Positions {
  /** Account and market of each position. */
  account = new Int32Array(16);
  market = new Int32Array(16);
  count = 0;
  /** All tokens of each market (YES, NO), counted as they move: checked against its sets. */
  #supply = new Float64Array(32);
  #available = new Float64Array(32);
  #held = new Float64Array(32);
  #slots = new Int32Array(64).fill(NONE);

  /** The position of an account in a market, or NONE. */
  find(account: number, market: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mix(account, market) & mask; ; slot = (slot + 1) & mask) {
      const position = this.#slots[slot]!;
      if (position === NONE) return NONE;
      if (this.account[position] === account && this.market[position] === market) return position;
    }
  }

  /** Makes a position that is not there yet. */
  add(account: number, market: number): number {
    const position = this.count;
    if (position === this.account.length) this.#grow();
    this.count += 1;
    this.account[position] = account;
    this.market[position] = market;
    while (market * 2 >= this.#supply.length) this.#supply = doubled(this.#supply);
    if (this.count * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    else this.#insert(position);
    return position;
  }

  /** 0 for no position (NONE). */
  available(position: number, outcome: Outcome): Lots {
    return (this.#available[position * 2 + outcome] ?? 0) as Lots; // only whole lots are stored
  }

  held(position: number, outcome: Outcome): Lots {
    return (this.#held[position * 2 + outcome] ?? 0) as Lots; // only whole lots are stored
  }

  /** All tokens of one outcome of a market, of all accounts together. */
  supply(market: number, outcome: Outcome): Lots {
    return (this.#supply[market * 2 + outcome] ?? 0) as Lots; // only whole lots are added
  }

  receive(position: number, outcome: Outcome, lots: Lots): void {
    this.#supply[this.market[position]! * 2 + outcome]! += lots;
    this.#available[position * 2 + outcome]! += lots;
  }

  /** Takes from available tokens. */
  deliver(position: number, outcome: Outcome, lots: Lots): void {
    const left = this.#available[position * 2 + outcome]! - lots;
    invariant(left >= 0, 'available tokens are never negative');
    this.#supply[this.market[position]! * 2 + outcome]! -= lots;
    this.#available[position * 2 + outcome] = left;
  }

  /** Takes from held tokens. */
  deliverHeld(position: number, outcome: Outcome, lots: Lots): void {
    const left = this.#held[position * 2 + outcome]! - lots;
    invariant(left >= 0, 'held tokens are never negative');
    this.#supply[this.market[position]! * 2 + outcome]! -= lots;
    this.#held[position * 2 + outcome] = left;
  }

  hold(position: number, outcome: Outcome, lots: Lots): void {
    this.deliver(position, outcome, lots);
    this.#supply[this.market[position]! * 2 + outcome]! += lots;
    this.#held[position * 2 + outcome]! += lots;
  }

  release(position: number, outcome: Outcome, lots: Lots): void {
    this.deliverHeld(position, outcome, lots);
    this.receive(position, outcome, lots);
  }

  #grow(): void {
    const wider = new Int32Array(this.account.length * 2);
    wider.set(this.account);
    this.account = wider;
    const markets = new Int32Array(wider.length);
    markets.set(this.market);
    this.market = markets;
    this.#available = doubled(this.#available);
    this.#held = doubled(this.#held);
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

function doubled(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(column.length * 2);
  wider.set(column);
  return wider;
}

/** Spreads two small integers over 32 bits (multiplication by odd constants, then a fold). */
function mix(account: number, market: number): number {
  const mixed = Math.imul(account, 0x9e3779b1) ^ Math.imul(market + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
