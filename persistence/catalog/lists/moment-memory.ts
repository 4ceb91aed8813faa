// What a reader made or found, kept while that of which it was made stays as it is: the same lists
// and searches are asked for again and again. Invariant: what is kept is what would be found now,
// for another version drops all of it. Bound: the bytes it is given; what was not asked for
// longest goes first, and what is large is not kept.

export interface MemoryBound<Value> {
  readonly mostBytes: number;
  /** More or less what a value takes. */
  readonly bytesOf: (value: Value) => number;
}

/** More or less what an entry takes besides its key and value. */
const ENTRY_BYTES = 300;

export class MomentMemory<Key extends string | number, Value> {
  readonly #bound: MemoryBound<Value>;
  /** The one that was asked for last at the end. */
  readonly #kept = new Map<Key, Value>();
  #bytes = 0;
  #version = Number.NaN;

  constructor(bound: MemoryBound<Value>) {
    this.#bound = bound;
  }

  /**
   * What belongs to the key: kept, or made; undefined where there is nothing. `version`: of all
   * that it is made of (CatalogMoment).
   */
  of<Made extends Value | undefined>(key: Key, version: number, make: () => Made): Value | Made {
    this.#keepOnly(version);
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const value = make();
    if (value === undefined) return value;
    const bytes = this.#bytesOf(key, value);
    if (bytes > this.#bound.mostBytes / 16) return value;
    this.#kept.set(key, value);
    this.#bytes += bytes;
    this.#makeRoom();
    return value;
  }

  #keepOnly(version: number): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#kept.clear();
    this.#bytes = 0;
  }

  #bytesOf(key: Key, value: Value): number {
    return ENTRY_BYTES + 2 * `${key}`.length + this.#bound.bytesOf(value);
  }

  #makeRoom(): void {
    for (const [key, value] of this.#kept) {
      if (this.#bytes <= this.#bound.mostBytes) return;
      this.#kept.delete(key);
      this.#bytes -= this.#bytesOf(key, value);
    }
  }
}
