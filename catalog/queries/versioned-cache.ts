/**
 * The cache of the catalog's readers: values by key, each with the version of the rows that it was
 * made from. Invariant: a value whose version is not the current one is never returned. Bound:
 * `maxBytes`; the least recently used value is evicted first, and a value of more than a sixteenth
 * of the bound is not cached.
 */

export interface CacheSize<Value> {
  readonly maxBytes: number;
  readonly bytesOf: (value: Value) => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly version: number;
  readonly bytes: number;
}

/** An estimate of an entry's size without its key and value. */
const ENTRY_BYTES = 300;
const LARGEST_PART = 16;
const ALMOST_FULL = 7 / 8;

export class VersionedCache<Key extends string | number, Value> {
  readonly #size: CacheSize<Value>;
  /** In order of use: the most recently used entry is the last. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #bytes = 0;

  constructor(size: CacheSize<Value>) {
    this.#size = size;
  }

  /** Whether new values may soon evict others. */
  get isAlmostFull(): boolean {
    return this.#bytes > this.#size.maxBytes * ALMOST_FULL;
  }

  /** Undefined if there is no current value. `versionOf`: the current version of a cached value. */
  get(key: Key, versionOf: (value: Value) => number | undefined): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (versionOf(entry.value) !== entry.version) {
      this.#bytes -= entry.bytes;
      return undefined;
    }
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, version: number, value: Value): void {
    const bytes = ENTRY_BYTES + 2 * `${key}`.length + this.#size.bytesOf(value);
    if (bytes > this.#size.maxBytes / LARGEST_PART) return;
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.delete(key);
    this.#entries.set(key, { value, version, bytes });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#size.maxBytes) return;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }

  /** The current value of the key; `make` makes it if there is none. */
  getOrMake(key: Key, version: number, make: () => Value): Value {
    const kept = this.get(key, () => version);
    if (kept !== undefined) return kept;
    const value = make();
    this.set(key, version, value);
    return value;
  }
}
