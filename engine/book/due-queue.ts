/**
 * Orders that expire or whose delay ends, by due time, then by acceptance: a binary heap of order
 * handles. Each order knows its place in the heap, so that it can be removed without a search.
 * Invariant: for an order in the queue, `orders.dueIndex` is its place and `orders.dueMs` its due
 * time; for any order that is in no queue `orders.dueIndex` is NONE. Bound: the live orders.
 */
import { NONE } from './level-index.ts';
import type { OrderStore } from './order-store.ts';

export class DueQueue {
  readonly #orders: OrderStore;
  readonly #heap: number[] = [];

  constructor(orders: OrderStore) {
    this.#orders = orders;
  }

  /** The order due first, or NONE. */
  first(): number {
    // V8 is slow to read beyond the end of an array.
    return this.#heap.length === 0 ? NONE : this.#heap[0]!;
  }

  /** Its due time; Infinity if the queue is empty. */
  firstMs(): number {
    const first = this.first();
    return first === NONE ? Number.POSITIVE_INFINITY : this.#orders.dueMs(first);
  }

  /** This queue, or the other one if its first order is due before. */
  orEarlier(other: DueQueue): DueQueue {
    const [own, theirs] = [this.first(), other.first()];
    if (theirs === NONE) return this;
    return own === NONE || this.#isBefore(theirs, own) ? other : this;
  }

  has(handle: number): boolean {
    return this.#heap[this.#orders.dueIndex(handle)] === handle;
  }

  /** Adds an order that is not in the queue. */
  add(handle: number, dueMs: number): void {
    this.#orders.setDueMs(handle, dueMs);
    this.#heap.push(handle);
    this.#rise(this.#heap.length - 1, handle);
  }

  /** Does nothing for an order that is not in the queue. */
  delete(handle: number): void {
    const at = this.#orders.dueIndex(handle);
    if (at === NONE) return;
    this.#orders.setDueIndex(handle, NONE);
    const last = this.#heap.pop()!;
    if (last === handle) return;
    this.#rise(at, last);
    this.#sink(this.#orders.dueIndex(last), last);
  }

  #isBefore(a: number, b: number): boolean {
    const orders = this.#orders;
    const gap = orders.dueMs(a) - orders.dueMs(b);
    return gap < 0 || (gap === 0 && orders.acceptedSeq(a) < orders.acceptedSeq(b));
  }

  #put(at: number, handle: number): void {
    this.#heap[at] = handle;
    this.#orders.setDueIndex(handle, at);
  }

  #rise(from: number, handle: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      const above = this.#heap[parent]!;
      if (!this.#isBefore(handle, above)) break;
      this.#put(at, above);
      at = parent;
    }
    this.#put(at, handle);
  }

  #sink(from: number, handle: number): void {
    let at = from;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.#heap.length) break;
      const right = this.#heap[child + 1];
      if (right !== undefined && this.#isBefore(right, this.#heap[child]!)) child += 1;
      const below = this.#heap[child]!;
      if (!this.#isBefore(below, handle)) break;
      this.#put(at, below);
      at = child;
    }
    this.#put(at, handle);
  }
}
