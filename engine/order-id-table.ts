/**
 * Finds an order's handle by its id: an open-addressing hash table whose key texts live in the
 * order store. Whoever signs an order can choose its id a little, by trying salts, so entries are
 * spread by a seed that nobody outside knows: the slots differ, the answers never do. Invariant: no
 * gap between an entry's home slot and the entry (linear probing, backward-shift deletion, so
 * that there are no tombstones and no rehash pauses from deletions). Bound: at most half full.
 */
import { NONE } from './level-index.ts';

export class OrderIdTable {
  readonly #ids: readonly string[];
  readonly #seed: number;
  #handles: Int32Array;
  /** The hash of each entry, so that most probes need no look at a text. */
  #hashes: Int32Array;
  #mask: number;
  #count = 0;

  /** `ids[handle]` is the text of each entry; there is room for `capacity` to begin with. */
  constructor(ids: readonly string[], capacity: number, seed: number) {
    this.#ids = ids;
    this.#seed = seed;
    const slots = 4 << (31 - Math.clz32(Math.max(16, capacity)));
    this.#handles = new Int32Array(slots).fill(NONE);
    this.#hashes = new Int32Array(slots);
    this.#mask = slots - 1;
  }

  find(id: string): number {
    const hash = this.#hashOf(id);
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const handle = this.#handles[slot]!;
      if (handle === NONE) return NONE;
      if (this.#hashes[slot] === hash && this.#ids[handle] === id) return handle;
    }
  }

  /** The id must not be in the table. */
  add(handle: number): void {
    if (this.#count * 2 >= this.#mask) this.#grow();
    this.#count += 1;
    this.#insert(this.#hashOf(this.#ids[handle]!), handle);
  }

  /** Must be called before the order's text is cleared. */
  delete(handle: number): void {
    let hole = this.#hashOf(this.#ids[handle]!) & this.#mask;
    while (this.#handles[hole] !== handle) hole = (hole + 1) & this.#mask;
    for (let slot = (hole + 1) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (this.#handles[slot] === NONE) break;
      const home = this.#hashes[slot]! & this.#mask;
      // An entry may move into the hole only if its home does not lie behind the hole.
      if (((slot - home) & this.#mask) >= ((slot - hole) & this.#mask)) {
        this.#handles[hole] = this.#handles[slot]!;
        this.#hashes[hole] = this.#hashes[slot]!;
        hole = slot;
      }
    }
    this.#handles[hole] = NONE;
    this.#count -= 1;
  }

  /** Of the first and the last 28 bits: too many to choose, few enough to read quickly. */
  #hashOf(id: string): number {
    const first = Math.imul(digits(id, 2) ^ this.#seed, 0x9e3779b1);
    const mixed = Math.imul(first ^ (first >>> 15) ^ digits(id, 59), 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
  }

  #insert(hash: number, handle: number): void {
    let slot = hash & this.#mask;
    while (this.#handles[slot] !== NONE) slot = (slot + 1) & this.#mask;
    this.#handles[slot] = handle;
    this.#hashes[slot] = hash;
  }

  #grow(): void {
    const handles = this.#handles;
    const hashes = this.#hashes;
    this.#handles = new Int32Array(handles.length * 2).fill(NONE);
    this.#hashes = new Int32Array(handles.length * 2);
    this.#mask = this.#handles.length - 1;
    for (let slot = 0; slot < handles.length; slot += 1) {
      if (handles[slot] !== NONE) this.#insert(hashes[slot]!, handles[slot]!);
    }
  }
}

/** Seven lower-case hex digits as a number. */
function digits(id: string, from: number): number {
  let value = 0;
  for (let at = from; at < from + 7; at += 1) {
    const code = id.charCodeAt(at);
    value = (value << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return value;
}
