/**
 * The orders that are live or being placed, as records in one array under integer handles. What
 * matching touches of an order is 64 bytes side by side, so that an order costs one or two misses
 * of the processor's cache and not one a field; what is seldom read stands in columns. Invariant: a
 * handle is in use exactly from `allocate` to `free`; links of lists that an order is not in are
 * NONE. Bound: live orders (accounts x live orders per account); the arrays double when full.
 */
import type { OrderType, Outcome, Side } from './commands.ts';
import { NONE } from './level-index.ts';
import {
  DELAYED_BIT,
  FEES_BIT,
  isPostOnly,
  isSell,
  LIVE_BIT,
  outcomeOf,
  typeOf,
} from './order-traits.ts';
import { complement, type Lots, type Micros, type Ticks } from './units.ts';

/** Of a record: 8 doubles, which are 16 words of 32 bits. */
const DOUBLES = 8;
const WORDS = 16;
// The doubles of a record.
const REMAINING_LOTS = 0;
const LOTS = 1;
const FILLED_MICROS = 2;
// Its words, behind three doubles.
const ACCOUNT = 6;
const MARKET = 7;
const POSITION = 8;
const PRICE_TICKS = 9;
const TRAITS = 10;
const NEXT = 11;
const PREVIOUS = 12;
const OWNER_NEXT = 13;
const OWNER_PREVIOUS = 14;
const ID_HASH = 15;

export class OrderStore {
  #words = new Int32Array(0);
  /** The same memory. */
  #doubles = new Float64Array(0);
  acceptedSeq = new Float64Array(0);
  acceptedMs = new Float64Array(0);
  expiresAtMs = new Float64Array(0);
  /** When something is due, of orders in the queue of that. */
  dueMs = new Float64Array(0);
  /** Place in that queue. */
  dueIndex = new Int32Array(0);
  readonly ids: string[] = [];
  #capacity = 0;
  #used = 0;
  readonly #freed: number[] = [];

  constructor(capacity: number) {
    this.#resize(Math.max(16, capacity));
  }

  /**
   * The handle freed last comes first: its record is still in the cache. `hash` is that of the id
   * in the table of ids.
   */
  allocate(id: string, hash: number, traits: number): number {
    const handle = this.#freed.pop() ?? this.#used++;
    if (handle === this.#capacity) this.#resize(this.#capacity * 2);
    this.ids[handle] = id;
    const at = handle * WORDS;
    this.#words[at + ID_HASH] = hash;
    this.#words[at + TRAITS] = traits;
    this.#words[at + NEXT] = NONE;
    this.#words[at + PREVIOUS] = NONE;
    this.#words[at + OWNER_NEXT] = NONE;
    this.#words[at + OWNER_PREVIOUS] = NONE;
    this.dueIndex[handle] = NONE;
    return handle;
  }

  free(handle: number): void {
    this.ids[handle] = '';
    this.#freed.push(handle);
  }

  /** Whose it is: the account, the market, and the slot of the account's position in the market. */
  setOwner(handle: number, account: number, market: number, position: number): void {
    const at = handle * WORDS;
    this.#words[at + ACCOUNT] = account;
    this.#words[at + MARKET] = market;
    this.#words[at + POSITION] = position;
  }

  account(handle: number): number {
    return this.#words[handle * WORDS + ACCOUNT]!;
  }

  market(handle: number): number {
    return this.#words[handle * WORDS + MARKET]!;
  }

  position(handle: number): number {
    return this.#words[handle * WORDS + POSITION]!;
  }

  /** Hash of the id, for the table of ids. */
  idHash(handle: number): number {
    return this.#words[handle * WORDS + ID_HASH]!;
  }

  /** Limit price in the order's own outcome. */
  priceTicks(handle: number): Ticks {
    return this.#words[handle * WORDS + PRICE_TICKS]! as Ticks; // only checked prices are stored
  }

  setPriceTicks(handle: number, price: Ticks): void {
    this.#words[handle * WORDS + PRICE_TICKS] = price;
  }

  lots(handle: number): Lots {
    return this.#doubles[handle * DOUBLES + LOTS]! as Lots; // only whole lots are stored
  }

  remainingLots(handle: number): Lots {
    return this.#doubles[handle * DOUBLES + REMAINING_LOTS]! as Lots; // only whole lots are stored
  }

  filledMicros(handle: number): Micros {
    return this.#doubles[handle * DOUBLES + FILLED_MICROS]! as Micros; // a sum of whole micros
  }

  setFilled(handle: number, lots: Lots, remaining: Lots, cash: Micros): void {
    const at = handle * DOUBLES;
    this.#doubles[at + LOTS] = lots;
    this.#doubles[at + REMAINING_LOTS] = remaining;
    this.#doubles[at + FILLED_MICROS] = cash;
  }

  /** Notes a fill; returns what remains. */
  fill(handle: number, lots: Lots, cash: Micros): Lots {
    const at = handle * DOUBLES;
    const remaining = this.#doubles[at + REMAINING_LOTS]! - lots;
    this.#doubles[at + REMAINING_LOTS] = remaining;
    this.#doubles[at + FILLED_MICROS]! += cash;
    return remaining as Lots; // a difference of whole lots
  }

  /** Neighbours in the queue of the price level. */
  next(handle: number): number {
    return this.#words[handle * WORDS + NEXT]!;
  }

  setNext(handle: number, next: number): void {
    this.#words[handle * WORDS + NEXT] = next;
  }

  previous(handle: number): number {
    return this.#words[handle * WORDS + PREVIOUS]!;
  }

  setPrevious(handle: number, previous: number): void {
    this.#words[handle * WORDS + PREVIOUS] = previous;
  }

  /** Neighbours among the owner's live orders, by time accepted. */
  ownerNext(handle: number): number {
    return this.#words[handle * WORDS + OWNER_NEXT]!;
  }

  setOwnerNext(handle: number, next: number): void {
    this.#words[handle * WORDS + OWNER_NEXT] = next;
  }

  ownerPrevious(handle: number): number {
    return this.#words[handle * WORDS + OWNER_PREVIOUS]!;
  }

  setOwnerPrevious(handle: number, previous: number): void {
    this.#words[handle * WORDS + OWNER_PREVIOUS] = previous;
  }

  traits(handle: number): number {
    return this.#words[handle * WORDS + TRAITS]!;
  }

  outcome(handle: number): Outcome {
    return outcomeOf(this.traits(handle));
  }

  isSell(handle: number): boolean {
    return isSell(this.traits(handle));
  }

  side(handle: number): Side {
    return this.isSell(handle) ? 'SELL' : 'BUY';
  }

  type(handle: number): OrderType {
    return typeOf(this.traits(handle));
  }

  isPostOnly(handle: number): boolean {
    return isPostOnly(this.traits(handle));
  }

  isLive(handle: number): boolean {
    return (this.traits(handle) & LIVE_BIT) !== 0;
  }

  setLive(handle: number, live: boolean): void {
    this.#setTrait(handle, LIVE_BIT, live);
  }

  /** Live, but not on the book: it waits for the end of its delay. */
  isDelayed(handle: number): boolean {
    return (this.traits(handle) & DELAYED_BIT) !== 0;
  }

  setDelayed(handle: number, delayed: boolean): void {
    this.#setTrait(handle, DELAYED_BIT, delayed);
  }

  #setTrait(handle: number, bit: number, on: boolean): void {
    const at = handle * WORDS + TRAITS;
    if (on) this.#words[at]! |= bit;
    else this.#words[at]! &= ~bit;
  }

  /** Whether it is charged fees: those of most orders need no look-up then. */
  hasFees(handle: number): boolean {
    return (this.traits(handle) & FEES_BIT) !== 0;
  }

  setHasFees(handle: number): void {
    this.#words[handle * WORDS + TRAITS]! |= FEES_BIT;
  }

  /** BUY YES and SELL NO are bids, the other two asks (design 4). */
  isBid(handle: number): boolean {
    return isBid(this.outcome(handle), this.isSell(handle));
  }

  /** The order's price in the market's one book, in YES ticks. */
  bookTicks(handle: number): Ticks {
    const own = this.priceTicks(handle);
    return this.outcome(handle) === 0 ? own : complement(own);
  }

  #resize(capacity: number): void {
    const doubles = new Float64Array(capacity * DOUBLES);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#words = new Int32Array(doubles.buffer);
    this.acceptedSeq = widened(this.acceptedSeq, capacity);
    this.acceptedMs = widened(this.acceptedMs, capacity);
    this.expiresAtMs = widened(this.expiresAtMs, capacity);
    this.dueMs = widened(this.dueMs, capacity);
    const dueIndex = new Int32Array(capacity);
    dueIndex.set(this.dueIndex);
    this.dueIndex = dueIndex;
    this.#capacity = capacity;
  }
}

/** BUY YES and SELL NO are bids of the market's one book, in YES ticks. */
export const isBid = (outcome: Outcome, sells: boolean): boolean => (outcome === 1) === sells;

function widened(column: Float64Array, capacity: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(capacity);
  wider.set(column);
  return wider;
}
