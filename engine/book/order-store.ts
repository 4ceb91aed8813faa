/**
 * The orders that are live or being placed, as records of one array under integer handles. A record
 * is 128 contiguous bytes, so that touching an order costs one or two cache misses rather than one
 * a field (docs/decisions/0005-structures-of-books.md). Invariants: a handle is in use from
 * `allocate` to `free`; links of lists that an order is not in are NONE. Bound: the live orders;
 * the array doubles when it is full.
 */
import {
  complement,
  invariant,
  isWhole,
  type Lots,
  type Micros,
  MOST_EARLY_END_MS,
  ORDER_TYPES,
  type OrderInput,
  type OrderType,
  type Outcome,
  type Side,
  type Ticks,
} from '../model/index.ts';
import { NONE } from './level-index.ts';
import { copyId, ID_WORDS, isSameId, writeOrderId } from './order-id.ts';

/** Outcome, side, type, flags and early end of an order, packed into the bits of one integer. */
const OUTCOME_BIT = 1;
const SELL_BIT = 2;
const TYPE_SHIFT = 2;
const POST_ONLY_BIT = 16;
/** Whether it rests or is delayed. */
const LIVE_BIT = 32;
/** Whether it is delayed. */
const DELAYED_BIT = 64;
/** Whether it is charged fees. */
export const FEES_BIT = 128;
/** The bits above the flags: how many milliseconds before its expiration it ends. */
const EARLY_END_SHIFT = 8;

const KEPT_BITS =
  OUTCOME_BIT | SELL_BIT | POST_ONLY_BIT | FEES_BIT | (MOST_EARLY_END_MS << EARLY_END_SHIFT);
/** All bits of a delayed order except LIVE_BIT and DELAYED_BIT. */
export const DELAYABLE_BITS = KEPT_BITS | (3 << TYPE_SHIFT);
/** All bits of a resting order except LIVE_BIT; its type is GTC or GTD. */
export const RESTING_BITS = KEPT_BITS | (1 << TYPE_SHIFT);
/** What a retry of a closed order is compared with: its type and whether it was post-only. */
export const RETRY_BITS = (3 << TYPE_SHIFT) | POST_ONLY_BIT;

type Traits = Pick<OrderInput, 'side' | 'type' | 'postOnly' | 'earlyEndMs'>;

export function traitsOf(outcome: Outcome, { side, type, postOnly, earlyEndMs }: Traits): number {
  invariant(isWhole(earlyEndMs, 0, MOST_EARLY_END_MS), 'an early end fits its bits');
  const flags = (side === 'SELL' ? SELL_BIT : 0) | (postOnly ? POST_ONLY_BIT : 0);
  return outcome | flags | typeBits(type) | (earlyEndMs << EARLY_END_SHIFT);
}

/** The place in ORDER_TYPES, shifted; comparisons are faster than a look-up by text. */
function typeBits(type: OrderType): number {
  if (type === 'GTC') return 0;
  return (type === 'GTD' ? 1 : type === 'FOK' ? 2 : 3) << TYPE_SHIFT;
}

function outcomeOf(traits: number): Outcome {
  return (traits & OUTCOME_BIT) as Outcome; // a single bit
}

function isSell(traits: number): boolean {
  return (traits & SELL_BIT) !== 0;
}

export function typeOf(traits: number): OrderType {
  return ORDER_TYPES[(traits >>> TYPE_SHIFT) & 3]!;
}

export function isPostOnly(traits: number): boolean {
  return (traits & POST_ONLY_BIT) !== 0;
}

/** The size of a record: 16 doubles, which are 32 words of 32 bits. */
const DOUBLES = 16;
const WORDS = 32;
// Places of the doubles in a record.
const REMAINING_LOTS = 0;
const LOTS = 1;
const FILLED_MICROS = 2;
const ACCEPTED_SEQ = 3;
const ACCEPTED_MS = 4;
const EXPIRES_AT_MS = 5;
const DUE_MS = 6;
// Places of the words, which follow the seven doubles.
const ACCOUNT = 14;
const MARKET = 15;
const POSITION = 16;
const PRICE_TICKS = 17;
const TRAITS = 18;
const NEXT = 19;
const PREVIOUS = 20;
const OWNER_NEXT = 21;
const OWNER_PREVIOUS = 22;
const DUE_INDEX = 23;
/** The first of the words of its id. */
const ID = 24;

export class OrderStore {
  #words = new Int32Array(0);
  /** The same memory as `#words`. */
  #doubles = new Float64Array(0);
  #capacity = 0;
  #used = 0;
  /**
   * The handle that was freed last, or NONE. NEXT of its record is the one freed before it. An
   * array would be copied when it grows: 6 ms for 300,000.
   */
  #freed: number = NONE;

  constructor(capacity: number) {
    this.#resize(Math.max(16, capacity));
  }

  /** Reuses the handle that was freed last: its record is still in the processor's cache. */
  allocate(id: Int32Array, traits: number): number {
    const freed = this.#freed;
    const handle = freed === NONE ? this.#used++ : freed;
    if (handle === this.#capacity) this.#resize(this.#capacity * 2);
    const words = this.#words;
    if (freed !== NONE) this.#freed = words[freed * WORDS + NEXT]!;
    const at = handle * WORDS;
    copyId(id, 0, words, at + ID);
    words[at + TRAITS] = traits;
    words[at + NEXT] = NONE;
    words[at + PREVIOUS] = NONE;
    words[at + OWNER_NEXT] = NONE;
    words[at + OWNER_PREVIOUS] = NONE;
    words[at + DUE_INDEX] = NONE;
    return handle;
  }

  free(handle: number): void {
    this.#words[handle * WORDS + NEXT] = this.#freed;
    this.#freed = handle;
  }

  /** Copies of records in a store of their own: the handle of each is its place in `handles`. */
  copies(handles: readonly number[]): OrderStore {
    const copies = new OrderStore(handles.length);
    for (let copy = 0; copy < handles.length; copy += 1) {
      const at = handles[copy]! * WORDS;
      // Unlike this loop, `copyId` is compiled already: every command calls it.
      for (let word = 0; word < WORDS; word += ID_WORDS) {
        copyId(this.#words, at + word, copies.#words, copy * WORDS + word);
      }
    }
    copies.#used = handles.length;
    return copies;
  }

  /** The text of its id, built on each call. */
  id(handle: number): string {
    return writeOrderId(this.#words, handle * WORDS + ID);
  }

  hasId(handle: number, id: Int32Array): boolean {
    return isSameId(this.#words, handle * WORDS + ID, id, 0);
  }

  /** Copies the words of its id to `into`, starting at `at`. */
  copyId(handle: number, into: Int32Array, at: number): void {
    copyId(this.#words, handle * WORDS + ID, into, at);
  }

  /** `position` is the account's position in the market. */
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

  /** The seq of the command that accepted it. */
  acceptedSeq(handle: number): number {
    return this.#doubles[handle * DOUBLES + ACCEPTED_SEQ]!;
  }

  acceptedMs(handle: number): number {
    return this.#doubles[handle * DOUBLES + ACCEPTED_MS]!;
  }

  /** The expiration of a GTD order; 0 for the others. */
  expiresAtMs(handle: number): number {
    return this.#doubles[handle * DOUBLES + EXPIRES_AT_MS]!;
  }

  earlyEndMs(handle: number): number {
    return this.traits(handle) >>> EARLY_END_SHIFT;
  }

  /** When a GTD order ends: at its expiration or before it. Infinity for the others. */
  endsAtMs(handle: number): number {
    if (this.type(handle) !== 'GTD') return Number.POSITIVE_INFINITY;
    return this.expiresAtMs(handle) - this.earlyEndMs(handle);
  }

  setTimes(handle: number, acceptedSeq: number, acceptedMs: number, expiresAtMs: number): void {
    const doubles = this.#doubles;
    const at = handle * DOUBLES;
    doubles[at + ACCEPTED_SEQ] = acceptedSeq;
    doubles[at + ACCEPTED_MS] = acceptedMs;
    doubles[at + EXPIRES_AT_MS] = expiresAtMs;
  }

  dueMs(handle: number): number {
    return this.#doubles[handle * DOUBLES + DUE_MS]!;
  }

  setDueMs(handle: number, dueMs: number): void {
    this.#doubles[handle * DOUBLES + DUE_MS] = dueMs;
  }

  /** Its place in the DueQueue, or NONE. */
  dueIndex(handle: number): number {
    return this.#words[handle * WORDS + DUE_INDEX]!;
  }

  setDueIndex(handle: number, index: number): void {
    this.#words[handle * WORDS + DUE_INDEX] = index;
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

  /** Records a fill and returns the remaining lots. */
  fill(handle: number, lots: Lots, cash: Micros): Lots {
    const at = handle * DOUBLES;
    const remaining = this.#doubles[at + REMAINING_LOTS]! - lots;
    this.#doubles[at + REMAINING_LOTS] = remaining;
    this.#doubles[at + FILLED_MICROS]! += cash;
    return remaining as Lots; // a difference of whole lots
  }

  /** The next order in the queue of its price level. */
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

  /** The next among the owner's live orders, by acceptance. */
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

  /** Live, but not on the book until its delay ends. */
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

  /** Whether it is charged fees, so that an order without fees needs no look-up. */
  hasFees(handle: number): boolean {
    return (this.traits(handle) & FEES_BIT) !== 0;
  }

  setHasFees(handle: number): void {
    this.#words[handle * WORDS + TRAITS]! |= FEES_BIT;
  }

  isBid(handle: number): boolean {
    const traits = this.traits(handle);
    return isBid(outcomeOf(traits), isSell(traits));
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
    this.#capacity = capacity;
  }
}

/** BUY YES and SELL NO are bids of the market's one book, SELL YES and BUY NO are asks. */
export function isBid(outcome: Outcome, sells: boolean): boolean {
  return (outcome === 1) === sells;
}
