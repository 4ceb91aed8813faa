/**
 * Finds orders by the words of their ids: an open-addressing table of integers whose ids live with
 * its user. Whoever makes an id can choose it a little, by trying, so entries are spread by a seed
 * that nobody outside knows: the slots differ, the answers never do. Invariant: no gap between an
 * entry's home slot and the entry (linear probing, backward-shift deletion, so that there are no
 * tombstones and no rehash pauses from deletions). Bound: at most five eighths full.
 */
import { doubledSlots, freeSlots, LEAST_SLOTS, putInSlot } from './hash-slots.ts';
import { NONE } from './level-index.ts';
import { ID_WORDS } from './order-id.ts';

/** Whether an entry has the id in `id`. */
type HasId = (entry: number, id: Int32Array) => boolean;

export class OrderTable {
  readonly #hasId: HasId;
  readonly #seed: number;
  #slots: Int32Array;
  #count = 0;
  /** What `prepare` read: what nobody keeps, a compiler leaves out. */
  lastRead = 0;

  /** There is room for `capacity` to begin with. */
  constructor(hasId: HasId, { capacity = 0, seed = 0 } = {}) {
    this.#hasId = hasId;
    this.#seed = seed;
    let slots = LEAST_SLOTS;
    while (isFull(capacity, slots)) slots *= 2;
    this.#slots = freeSlots(slots);
  }

  /** Of the first and the last 32 bits of the id that begins at a place. */
  hash(words: Int32Array, from: number): number {
    const first = Math.imul(spread(words[from]! ^ this.#seed), 0x85ebca6b);
    return spread(first ^ words[from + ID_WORDS - 1]!);
  }

  /** The entry of an id, or NONE. */
  find(id: Int32Array): number {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    const hash = this.hash(id, 0);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot * 2 + 1]!;
      if (entry === NONE) return NONE;
      if (slots[slot * 2] === hash && this.#hasId(entry, id)) return entry;
    }
  }

  /** Adds an entry, any integer but NONE; its id must not be in the table. */
  add(hash: number, entry: number): void {
    if (isFull(this.#count, this.#slots.length >>> 1)) this.#slots = doubledSlots(this.#slots);
    this.#count += 1;
    putInSlot(this.#slots, hash, entry);
  }

  /** The same id is found as another entry from now on. */
  replace(hash: number, before: number, after: number): void {
    this.#slots[this.#slotOf(hash, before) * 2 + 1] = after;
  }

  delete(hash: number, entry: number): void {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    let hole = this.#slotOf(hash, entry);
    for (let slot = (hole + 1) & mask; ; slot = (slot + 1) & mask) {
      const next = slots[slot * 2 + 1]!;
      if (next === NONE) break;
      const nextHash = slots[slot * 2]!;
      const home = nextHash & mask;
      // An entry may move into the hole only if its home does not lie behind the hole.
      if (((slot - home) & mask) >= ((slot - hole) & mask)) {
        slots[hole * 2] = nextHash;
        slots[hole * 2 + 1] = next;
        hole = slot;
      }
    }
    slots[hole * 2 + 1] = NONE;
    this.#count -= 1;
  }

  /**
   * Reads where these hashes would be looked for, so that the processor fetches all of those places
   * at once: each look-up by itself would wait for its own. It changes nothing but speed.
   */
  prepare(hashes: Int32Array): void {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    let read = 0;
    for (let at = 0; at < hashes.length; at += 1) read ^= slots[(hashes[at]! & mask) * 2]!;
    this.lastRead = read;
  }

  /** Where an entry of this hash is. */
  #slotOf(hash: number, entry: number): number {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    let slot = hash & mask;
    while (slots[slot * 2 + 1] !== entry) slot = (slot + 1) & mask;
    return slot;
  }
}

/** Whether there must be more slots before another entry comes. */
function isFull(entries: number, slots: number): boolean {
  return entries * 8 >= slots * 5;
}

/** Lets each bit of a word tell in the lowest ones, which name the slot. */
function spread(word: number): number {
  const mixed = Math.imul(word ^ (word >>> 16), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
