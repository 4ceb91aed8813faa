/**
 * A ring of the most recently closed orders with just enough of each to answer a retry, so that the
 * order's record can be reused while it is still in the processor's cache. Forgotten orders leave
 * the table of ids in groups: their slots are no longer cached, and several cache misses at once
 * take no longer than one. Invariant: the table finds each remembered order, as the entry
 * `entryOf(place)`, and no forgotten one. Bound: `recentOrders`, at least one.
 */
import type { OrderType } from '../model/index.ts';
import { NONE } from './level-index.ts';
import { copyId, ID_WORDS, isSameId, writeOrderId } from './order-id.ts';
import { isPostOnly, type OrderStore, RETRY_BITS, typeOf } from './order-store.ts';
import type { OrderTable } from './order-table.ts';

/** Forgotten orders that leave the table of ids together. */
const LEFT_AT_ONCE = 8;

export class RecentOrders {
  readonly #size: number;
  /** Number of places: for the remembered orders and those that are still to leave the table. */
  readonly #places: number;
  /** The words of the ids. */
  readonly #ids: Int32Array;
  readonly #traits: Uint8Array;
  readonly #acceptedSeq: Float64Array;
  readonly #expiresAtMs: Float64Array;
  readonly #leavingHashes = new Int32Array(LEFT_AT_ONCE);
  /** Place of the oldest remembered order. */
  #start = 0;
  /** Forgotten orders that the table still has; they lie just before `#start`. */
  #leaving = 0;
  count = 0;
  /** The highest `acceptedSeq` of a forgotten order. */
  forgottenSeq = 0;

  constructor(size: number) {
    const places = size + LEFT_AT_ONCE;
    this.#size = size;
    this.#places = places;
    this.#ids = new Int32Array(places * ID_WORDS);
    this.#traits = new Uint8Array(places);
    this.#acceptedSeq = new Float64Array(places);
    this.#expiresAtMs = new Float64Array(places);
  }

  /** Moves a closed order from the store to the ring. A full ring forgets its oldest order. */
  take(orders: OrderStore, table: OrderTable, handle: number): void {
    if (this.count === this.#size) this.#forgetOldest(table);
    const place = this.at(this.count);
    this.count += 1;
    orders.copyId(handle, this.#ids, place * ID_WORDS);
    table.replace(this.#hashIn(table, place), handle, entryOf(place));
    this.#traits[place] = orders.traits(handle);
    this.#acceptedSeq[place] = orders.acceptedSeq(handle);
    this.#expiresAtMs[place] = orders.expiresAtMs(handle);
    orders.free(handle);
  }

  /** The place of the order at a position, counted from the oldest. */
  at(position: number): number {
    return this.#wrapped(this.#start + position);
  }

  /** The text of its id, built on each call. */
  id(place: number): string {
    return writeOrderId(this.#ids, place * ID_WORDS);
  }

  /** Copies the words of its id to the start of `into`. */
  copyId(place: number, into: Int32Array): void {
    copyId(this.#ids, place * ID_WORDS, into, 0);
  }

  /** Whether a place holds a remembered order with this id. */
  hasId(place: number, id: Int32Array): boolean {
    const position = this.#wrapped(place - this.#start + this.#places);
    return position < this.count && isSameId(this.#ids, place * ID_WORDS, id, 0);
  }

  /** The traits that a retry is compared with. */
  traits(place: number): number {
    return this.#traits[place]! & RETRY_BITS;
  }

  type(place: number): OrderType {
    return typeOf(this.#traits[place]!);
  }

  isPostOnly(place: number): boolean {
    return isPostOnly(this.#traits[place]!);
  }

  acceptedSeq(place: number): number {
    return this.#acceptedSeq[place]!;
  }

  expiresAtMs(place: number): number {
    return this.#expiresAtMs[place]!;
  }

  #forgetOldest(table: OrderTable): void {
    const oldest = this.#start;
    this.forgottenSeq = Math.max(this.forgottenSeq, this.#acceptedSeq[oldest]!);
    this.#start = this.#wrapped(oldest + 1);
    this.count -= 1;
    this.#leavingHashes[this.#leaving] = this.#hashIn(table, oldest);
    this.#leaving += 1;
    if (this.#leaving < LEFT_AT_ONCE) return;
    table.prefetch(this.#leavingHashes);
    for (let index = 0; index < LEFT_AT_ONCE; index += 1) {
      const place = this.at(index - LEFT_AT_ONCE + this.#places);
      table.delete(this.#leavingHashes[index]!, entryOf(place));
    }
    this.#leaving = 0;
  }

  /** Wraps a sum of two places around, without the division that a remainder takes. */
  #wrapped(sum: number): number {
    return sum >= this.#places ? sum - this.#places : sum;
  }

  #hashIn(table: OrderTable, place: number): number {
    return table.hash(this.#ids, place * ID_WORDS);
  }
}

/** The entry of a place in the table of ids: below NONE, while handles are above it. */
function entryOf(place: number): number {
  return NONE - 1 - place;
}

/** The place of an entry below NONE. */
export function placeOf(entry: number): number {
  return NONE - 1 - entry;
}
