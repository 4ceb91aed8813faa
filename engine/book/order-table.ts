/**
 * Finds orders by the words of their ids: an open-addressing hash table of integers with linear
 * probing; the caller stores the ids. Clients can choose ids that would collide, so the hash takes
 * a secret seed, which changes the slots but never the answers. Invariant: no gap between an
 * entry's home slot and the entry. Deletions shift entries back, so that there are no tombstones
 * and no pauses to rehash them. Bound: at most five eighths full.
 */
import { NONE } from './level-index.ts';
import { ID_WORDS } from './order-id.ts';

// The slots of an open-addressing hash table of integers. Hash and entry lie side by side, so that
// most probes read memory once. Invariants: the number of slots is a power of two; no slot between
// an entry's home (the low bits of its hash) and the entry is free. Bound: the table that uses the
// slots doubles them before they are full.

export const MINIMUM_SLOTS = 32;

export function freeSlots(count: number): Int32Array {
  return new Int32Array(count * 2).fill(NONE);
}

/** Puts an entry into the first free slot at or after its home. */
export function putInSlot(slots: Int32Array, hash: number, entry: number): void {
  const mask = (slots.length >>> 1) - 1;
  let slot = hash & mask;
  while (slots[slot * 2 + 1] !== NONE) slot = (slot + 1) & mask;
  slots[slot * 2] = hash;
  slots[slot * 2 + 1] = entry;
}

/** The same entries in twice as many slots. */
export function doubledSlots(slots: Int32Array): Int32Array {
  const doubled = freeSlots(slots.length);
  for (let at = 0; at < slots.length; at += 2) {
    if (slots[at + 1] !== NONE) putInSlot(doubled, slots[at]!, slots[at + 1]!);
  }
  return doubled;
}

/** Entries whose slots `addAll` fetches together. */
const ADDED_AT_ONCE = 128;

/** Whether the id of an entry is `id`. */
type HasId = (entry: number, id: Int32Array) => boolean;

export class OrderTable {
  readonly #hasId: HasId;
  readonly #seed: number;
  #slots: Int32Array;
  #count = 0;
  /** What `prefetch` read. It is stored so that the compiler does not remove the reads. */
  lastRead = 0;

  /** `capacity` is the initial room in entries. */
  constructor(hasId: HasId, { capacity = 0, seed = 0 } = {}) {
    this.#hasId = hasId;
    this.#seed = seed;
    let slots = MINIMUM_SLOTS;
    while (isFull(capacity, slots)) slots *= 2;
    this.#slots = freeSlots(slots);
  }

  /** Hashes the first and the last 32 bits of the id that starts at `from`. */
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

  /**
   * Adds the entries `first`, `first + 1` and so on, whose ids are the first `count` in `words`.
   * Stops at an id that is in the table and returns its place in `words`; NONE if there is none.
   */
  addAll(words: Int32Array, count: number, first: number): number {
    const hashes = new Int32Array(ADDED_AT_ONCE);
    for (let from = 0; from < count; from += ADDED_AT_ONCE) {
      const end = Math.min(from + ADDED_AT_ONCE, count);
      for (let at = from; at < end; at += 1) hashes[at - from] = this.hash(words, at * ID_WORDS);
      this.prefetch(hashes);
      for (let at = from; at < end; at += 1) {
        const hash = hashes[at - from]!;
        const id = at * ID_WORDS;
        if (this.#hasHash(hash) && this.find(words.subarray(id, id + ID_WORDS)) !== NONE) return at;
        this.add(hash, first + at);
      }
    }
    return NONE;
  }

  /** Whether an entry has this hash. */
  #hasHash(hash: number): boolean {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    for (let slot = hash & mask; slots[slot * 2 + 1] !== NONE; slot = (slot + 1) & mask) {
      if (slots[slot * 2] === hash) return true;
    }
    return false;
  }

  /** Replaces an entry by another one with the same id. */
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
      // An entry may move into the hole unless its home lies behind the hole.
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
   * Reads the home slots of these hashes, so that the processor fetches them all at once instead of
   * one after the other. It only affects speed.
   */
  prefetch(hashes: Int32Array): void {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    let read = 0;
    for (let at = 0; at < hashes.length; at += 1) read ^= slots[(hashes[at]! & mask) * 2]!;
    this.lastRead = read;
  }

  /** The slot of an entry with this hash. */
  #slotOf(hash: number, entry: number): number {
    const slots = this.#slots;
    const mask = (slots.length >>> 1) - 1;
    let slot = hash & mask;
    while (slots[slot * 2 + 1] !== entry) slot = (slot + 1) & mask;
    return slot;
  }
}

/** Whether the slots must double before another entry is added. */
function isFull(entries: number, slots: number): boolean {
  return entries * 8 >= slots * 5;
}

/** Makes every bit of a word influence the lowest bits, which select the slot. */
function spread(word: number): number {
  const mixed = Math.imul(word ^ (word >>> 16), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
