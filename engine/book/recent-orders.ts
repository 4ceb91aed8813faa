/**
 * What is remembered of closed orders, oldest first, in a ring: enough to answer a retry and no
 * more, so that a closed order's record can be used again while it is still in the processor's
 * cache. Those that the ring has forgotten leave the table of ids together, some at a time: places
 * of the table that nothing else touches are far away, and many of them come as fast as one.
 * Invariant: the table finds each that is remembered as `entryOf` its place, and no other here.
 * Bound: `recentOrders`, at least one.
 */
import type { OrderType } from '../model/index.ts';
import { NONE } from './level-index.ts';
import { ID_WORDS, isSameId, writeOrderId } from './order-id.ts';
import type { OrderStore } from './order-store.ts';
import type { OrderTable } from './order-table.ts';
import { isPostOnly, RETRY_BITS, typeOf } from './order-traits.ts';

/** Forgotten ones that the table may still have. */
const LEFT_AT_ONCE = 8;

export class RecentOrders {
  readonly #size: number;
  /** All places: those of the remembered, and of what is still to leave the table. */
  readonly #places: number;
  /** The words of each id. */
  readonly #ids: Int32Array;
  readonly #traits: Uint8Array;
  readonly #acceptedSeq: Float64Array;
  readonly #expiresAtMs: Float64Array;
  readonly #leavingHashes = new Int32Array(LEFT_AT_ONCE);
  /** Place of the oldest. */
  #start = 0;
  /** Forgotten ones, in the places before that, that the table still has. */
  #leaving = 0;
  count = 0;
  /** The highest accepted seq among those dropped. */
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

  /** Moves a closed order here from the store; the oldest is forgotten if the ring is full. */
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

  /** The place of the n-th oldest. */
  at(position: number): number {
    return this.#wrapped(this.#start + position);
  }

  /** The text of its id: made anew each time. */
  id(place: number): string {
    return writeOrderId(this.#ids, place * ID_WORDS);
  }

  /** Copies the words of its id. */
  copyId(place: number, into: Int32Array): void {
    const from = place * ID_WORDS;
    for (let word = 0; word < ID_WORDS; word += 1) into[word] = this.#ids[from + word]!;
  }

  /** Whether that is remembered, and has the id. */
  hasId(place: number, id: Int32Array): boolean {
    const position = this.#wrapped(place - this.#start + this.#places);
    return position < this.count && isSameId(this.#ids, place * ID_WORDS, id, 0);
  }

  /** What a retry is compared with. */
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
    table.prepare(this.#leavingHashes);
    for (let index = 0; index < LEFT_AT_ONCE; index += 1) {
      const place = this.at(index - LEFT_AT_ONCE + this.#places);
      table.delete(this.#leavingHashes[index]!, entryOf(place));
    }
    this.#leaving = 0;
  }

  /** A sum of two places as one: a remainder would take a division each time. */
  #wrapped(sum: number): number {
    return sum >= this.#places ? sum - this.#places : sum;
  }

  #hashIn(table: OrderTable, place: number): number {
    return table.hash(this.#ids, place * ID_WORDS);
  }
}

/** How the table of ids names a place of the ring: below NONE; handles are above it. */
function entryOf(place: number): number {
  return NONE - 1 - place;
}

/** The place that an entry below NONE names. */
export function placeOf(entry: number): number {
  return NONE - 1 - entry;
}
