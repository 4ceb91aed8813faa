/**
 * Accounts, their owners and their cash, which is split into available and held for orders.
 * Invariants: no amount is negative; only these functions change one, by whole micros. Bound:
 * `accounts`.
 */

import { NONE, TextTable } from '../book/index.ts';
import type { Micros, OpenAccount, Standing, WalletKind } from '../model/index.ts';
import { invariant } from '../model/index.ts';
import { digestChange } from './amount-digest.ts';
import type { TouchedRows } from './touched-rows.ts';

/** The part of an account that never changes. */
export interface Account extends Pick<OpenAccount, 'address' | 'owner' | 'wallet'> {
  /** Index in `Ledger.owners`. */
  readonly ownerIndex: number;
  /** The account that its owner opened before, or NONE. */
  readonly previousAccount: number;
}

/** An owner, with the ends of the linked list of its live orders by acceptance. */
export interface Owner {
  readonly address: string;
  firstOrder: number;
  lastOrder: number;
  accountCount: number;
  /** The account that it opened last. */
  lastAccount: number;
  /** The live orders of all its accounts. */
  liveCount: number;
  /** How many of its orders are delayed. */
  delayedCount: number;
  /** Whether its standing is not good, so that placing an order needs no look-up by text. */
  isRestricted: boolean;
}

export class Ledger {
  readonly accounts: Account[] = [];
  readonly owners: Owner[] = [];
  /** Owners whose standing is not good, with or without accounts, in order of the last change. */
  readonly standings = new Map<string, Standing>();
  /** The number of live orders of each account. */
  readonly liveOrders: number[] = [];
  availableMicros = new Float64Array(16);
  heldMicros = new Float64Array(16);
  /**
   * All deposits and withdrawals, or both less the same amount: see `deposit`. Their difference is
   * the cash of all accounts with the locked collateral.
   */
  depositedMicros = 0;
  withdrawnMicros = 0;
  /** All cash of all accounts, kept up to date and checked against the deposits. */
  totalMicros = 0;
  /** The digest (`amount-digest.ts`) of the cash of all accounts, available and held. */
  digest = 0;
  /** Lists the accounts whose cash changes, unless it is undefined. */
  touched: TouchedRows | undefined;
  /** Accounts and owners by address. */
  readonly #accountTable: TextTable;
  readonly #ownerTable: TextTable;

  /** `seed` is the secret seed of the hash tables. */
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

  /** The index of an owner; NONE for one without accounts. */
  findOwnerIndex(address: string): number {
    return this.#ownerTable.find(address);
  }

  /** Binds a new address to its owner and returns the account's index. */
  openAccount(address: string, owner: string, wallet: WalletKind): number {
    const account = this.#accountTable.add(address);
    let ownerIndex = this.#ownerTable.find(owner);
    if (ownerIndex === NONE) {
      ownerIndex = this.#ownerTable.add(owner);
      const isRestricted = this.standings.has(owner);
      const noOrders = { firstOrder: NONE, lastOrder: NONE, liveCount: 0, delayedCount: 0 };
      const noAccounts = { accountCount: 0, lastAccount: NONE };
      this.owners.push({ address: owner, ...noAccounts, ...noOrders, isRestricted });
    }
    const own = this.owners[ownerIndex]!;
    this.accounts.push({ address, owner, ownerIndex, previousAccount: own.lastAccount, wallet });
    own.accountCount += 1;
    own.lastAccount = account;
    this.liveOrders.push(0);
    if (account === this.availableMicros.length) {
      this.availableMicros = lengthened(this.availableMicros, account * 2);
      this.heldMicros = lengthened(this.heldMicros, account * 2);
    }
    this.touched?.note(account, Number.NaN, Number.NaN);
    return account;
  }

  standingOf(owner: string): Standing {
    return this.standings.get(owner) ?? 'good';
  }

  setStanding(owner: string, standing: Standing): void {
    // Deleted first, so that the map stays in order of the last change.
    this.standings.delete(owner);
    if (standing !== 'good') this.standings.set(owner, standing);
    const known = this.findOwner(owner);
    if (known !== undefined) known.isRestricted = standing !== 'good';
  }

  deposit(account: number, amount: Micros): void {
    // Withdrawals leave both sums when the deposits would exceed 2^53.
    if (this.depositedMicros > Number.MAX_SAFE_INTEGER - amount) {
      this.depositedMicros -= this.withdrawnMicros;
      this.withdrawnMicros = 0;
    }
    this.depositedMicros += amount;
    this.receive(account, amount);
  }

  withdraw(account: number, amount: Micros): void {
    this.withdrawnMicros += amount;
    this.pay(account, amount);
  }

  /** Adds to available cash. */
  receive(account: number, amount: Micros): void {
    if (this.touched !== undefined) this.#touch(this.touched, account);
    this.totalMicros += amount;
    this.#setAvailable(account, this.availableMicros[account]! + amount);
  }

  /** Takes from available cash. */
  pay(account: number, amount: Micros): void {
    if (this.touched !== undefined) this.#touch(this.touched, account);
    const left = this.availableMicros[account]! - amount;
    invariant(left >= 0, 'available cash is never negative');
    this.totalMicros -= amount;
    this.#setAvailable(account, left);
  }

  /** Takes from held cash. */
  payHeld(account: number, amount: Micros): void {
    if (this.touched !== undefined) this.#touch(this.touched, account);
    const left = this.heldMicros[account]! - amount;
    invariant(left >= 0, 'held cash is never negative');
    this.totalMicros -= amount;
    this.#setHeld(account, left);
  }

  /** Moves available cash to held cash. */
  hold(account: number, amount: Micros): void {
    this.pay(account, amount);
    this.totalMicros += amount;
    this.#setHeld(account, this.heldMicros[account]! + amount);
  }

  /** Moves held cash back to available cash. */
  release(account: number, amount: Micros): void {
    this.payHeld(account, amount);
    this.receive(account, amount);
  }

  #setAvailable(account: number, amount: number): void {
    const before = this.availableMicros[account]!;
    this.digest = (this.digest + digestChange(2 * account, before, amount)) | 0;
    this.availableMicros[account] = amount;
  }

  #setHeld(account: number, amount: number): void {
    const before = this.heldMicros[account]!;
    this.digest = (this.digest + digestChange(2 * account + 1, before, amount)) | 0;
    this.heldMicros[account] = amount;
  }

  #touch(touched: TouchedRows, account: number): void {
    touched.note(account, this.availableMicros[account]!, this.heldMicros[account]!);
  }
}

/** The same numbers in a longer column; the new ones are 0. */
export function lengthened(
  column: Float64Array<ArrayBuffer>,
  length: number,
): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(length);
  wider.set(column);
  return wider;
}
