/**
 * Finds small integers by text ids that are hashes (order ids, token ids, addresses): an
 * open-addressing table whose texts live with its user. A Map hashes all of a text that it has not
 * seen before; of these ids a few characters are enough. Whoever makes an id can choose it a
 * little, by trying, so entries are spread by a seed that nobody outside knows: the slots differ,
 * the answers never do. Invariant: no gap between an entry's home slot and the entry (linear
 * probing, backward-shift deletion, so that there are no tombstones and no rehash pauses from
 * deletions). Bound: at most half full.
 */
import { NONE } from './level-index.ts';

const LEAST_SLOTS = 32;

export class IdTable {
  readonly #textOf: (entry: number) => string | undefined;
  readonly #seed: number;
  /** Hash and entry of each slot, side by side: most probes are one look at memory. */
  #slots: Int32Array;
  #mask: number;
  #count = 0;

  /** `textOf` gives the text of an entry; there is room for `capacity` to begin with. */
  constructor(textOf: (entry: number) => string | undefined, { capacity = 0, seed = 0 } = {}) {
    this.#textOf = textOf;
    this.#seed = seed;
    const slots = Math.max(LEAST_SLOTS, 4 << (31 - Math.clz32(capacity)));
    this.#slots = new Int32Array(slots * 2).fill(NONE);
    this.#mask = slots - 1;
  }

  /** Of the first and the last 28 bits: too many to choose, few enough to read quickly. */
  hash(id: string): number {
    const first = Math.imul(digits(id, 2) ^ this.#seed, 0x9e3779b1);
    const mixed = Math.imul(first ^ (first >>> 15) ^ digits(id, id.length - DIGITS), 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
  }

  /** The entry of a text, or NONE. */
  find(id: string): number {
    const hash = this.hash(id);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const entry = this.#slots[slot * 2 + 1]!;
      if (entry === NONE) return NONE;
      if (this.#slots[slot * 2] === hash && this.#textOf(entry) === id) return entry;
    }
  }

  /** Adds an entry, any integer but NONE; its text must not be in the table. */
  add(hash: number, entry: number): void {
    if (this.#count * 2 >= this.#mask) this.#grow();
    this.#count += 1;
    this.#insert(hash, entry);
  }

  /** The same text is found as another entry from now on. */
  replace(hash: number, before: number, after: number): void {
    this.#slots[this.#slotOf(hash, before) * 2 + 1] = after;
  }

  delete(hash: number, entry: number): void {
    let hole = this.#slotOf(hash, entry);
    for (let slot = (hole + 1) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const next = this.#slots[slot * 2 + 1]!;
      if (next === NONE) break;
      const nextHash = this.#slots[slot * 2]!;
      const home = nextHash & this.#mask;
      // An entry may move into the hole only if its home does not lie behind the hole.
      if (((slot - home) & this.#mask) >= ((slot - hole) & this.#mask)) {
        this.#slots[hole * 2] = nextHash;
        this.#slots[hole * 2 + 1] = next;
        hole = slot;
      }
    }
    this.#slots[hole * 2 + 1] = NONE;
    this.#count -= 1;
  }

  /** Where an entry of this hash is; of NONE, the free slot that comes next. */
  #slotOf(hash: number, entry: number): number {
    let slot = hash & this.#mask;
    while (this.#slots[slot * 2 + 1] !== entry) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #insert(hash: number, entry: number): void {
    const slot = this.#slotOf(hash, NONE);
    this.#slots[slot * 2] = hash;
    this.#slots[slot * 2 + 1] = entry;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2).fill(NONE);
    this.#mask = slots.length - 1;
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at + 1] !== NONE) this.#insert(slots[at]!, slots[at + 1]!);
    }
  }
}

const DIGITS = 7;

/** Seven lower-case hex digits, or decimal ones, as a number; without a branch to guess wrong. */
function digits(id: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + DIGITS; at += 1) {
    const code = id.charCodeAt(at);
    // The codes of letters have bit 6, and begin at 1 where the digits' begin at 0.
    value = (value << 4) | ((code & 15) + 9 * (code >>> 6));
  }
  return value;
}
