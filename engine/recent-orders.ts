/**
 * What is remembered of closed orders, oldest first, in a ring: enough to answer a retry and no
 * more, so that a closed order's record can be used again while it is still in the processor's
 * cache. Invariant: the table of ids finds each of them as `entryOf` its place. Bound:
 * `recentOrders`, at least one.
 */
import type { OrderType } from './commands.ts';
import type { IdTable } from './id-table.ts';
import { NONE } from './level-index.ts';
import type { OrderStore } from './order-store.ts';
import { isPostOnly, RETRY_BITS, typeOf } from './order-traits.ts';

export class RecentOrders {
  readonly #size: number;
  readonly #ids: string[] = [];
  readonly #hashes: Int32Array;
  readonly #traits: Uint8Array;
  readonly #acceptedSeq: Float64Array;
  readonly #expiresAtMs: Float64Array;
  #start = 0;
  count = 0;
  /** The highest accepted seq among those dropped. */
  forgottenSeq = 0;

  constructor(size: number) {
    this.#size = size;
    this.#hashes = new Int32Array(size);
    this.#traits = new Uint8Array(size);
    this.#acceptedSeq = new Float64Array(size);
    this.#expiresAtMs = new Float64Array(size);
  }

  /** Moves a closed order here from the store; the oldest goes for it if the ring is full. */
  take(orders: OrderStore, table: IdTable, handle: number): void {
    const hash = orders.idHash(handle);
    const place = this.#makeRoom(table);
    table.replace(hash, handle, entryOf(place));
    this.#ids[place] = orders.ids[handle]!;
    this.#hashes[place] = hash;
    this.#traits[place] = orders.traits(handle);
    this.#acceptedSeq[place] = orders.acceptedSeq[handle]!;
    this.#expiresAtMs[place] = orders.expiresAtMs[handle]!;
    orders.free(handle);
  }

  /** The place of the n-th oldest. */
  at(position: number): number {
    return (this.#start + position) % this.#size;
  }

  id(place: number): string {
    return this.#ids[place]!;
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

  /** A free place; the oldest order's if there is no other. */
  #makeRoom(table: IdTable): number {
    if (this.count < this.#size) {
      this.count += 1;
      return this.count - 1;
    }
    const oldest = this.#start;
    this.#start = (oldest + 1) % this.#size;
    this.forgottenSeq = Math.max(this.forgottenSeq, this.#acceptedSeq[oldest]!);
    table.delete(this.#hashes[oldest]!, entryOf(oldest));
    return oldest;
  }
}

/** How the table of ids names a place of the ring: below NONE; handles are above it. */
const entryOf = (place: number): number => NONE - 1 - place;

/** The place that an entry below NONE names. */
export const placeOf = (entry: number): number => NONE - 1 - entry;
