/**
 * Finds an order's handle by its id: an open-addressing hash table whose key texts live in the
 * order store. Order ids are hashes already, so their leading digits serve as the hash. Invariant:
 * no gap between an entry's home slot and the entry (linear probing, backward-shift deletion, so
 * that there are no tombstones and no rehash pauses from deletions). Bound: at most half full.
 */
import { NONE } from './level-index.ts';

export class OrderIdTable {
  readonly #ids: readonly string[];
  #handles: Int32Array;
  /** The hash of each entry, so that most probes need no look at a text. */
  #hashes: Int32Array;
  #mask: number;
  #count = 0;

  /** `ids[handle]` is the text of each entry; `capacity` a number of entries to begin with. */
  constructor(ids: readonly string[], capacity: number) {
    this.#ids = ids;
    const slots = 2 << (31 - Math.clz32(Math.max(16, capacity)));
    this.#handles = new Int32Array(slots * 2).fill(NONE);
    this.#hashes = new Int32Array(slots * 2);
    this.#mask = slots * 2 - 1;
  }

  find(id: string): number {
    const hash = hashOf(id);
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
    this.#insert(hashOf(this.#ids[handle]!), handle);
  }

  /** Must be called before the order's text is cleared. */
  delete(handle: number): void {
    let hole = hashOf(this.#ids[handle]!) & this.#mask;
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

/** The first 28 bits of a lower-case `0x` hash. */
function hashOf(id: string): number {
  let hash = 0;
  for (let at = 2; at < 9; at += 1) {
    const code = id.charCodeAt(at);
    hash = (hash << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return hash;
}
