/**
 * The cache of the catalog's readers: values by key, each with the version of the rows that it was
 * made from. Invariant: a value whose version is not the current one is never returned. Bound:
 * `maxBytes`; the least recently used value is evicted first, and a value of more than a sixteenth
 * of the bound is not cached.
 */

import type { Database, Statement } from 'better-sqlite3';
import type { JsonFragment } from '../json/json-writer.ts';

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

// The cached JSON of events and markets. Both are out of date when their event changes.

export interface EventJson {
  /** The event whose version tells whether the fragment is current. */
  readonly eventId: number;
  readonly fragment: JsonFragment;
}

export function eventJsonCache(maxBytes: number): VersionedCache<number, EventJson> {
  return new VersionedCache({
    maxBytes,
    bytesOf: ({ fragment: { bytes, keys, slots } }) =>
      bytes.length + keys.length + slots.byteLength,
  });
}

// Versions of stored data, by which the caches of a reader know what is out of date.
//
// Invariant: between two queries that see the same data version nothing was written. With the same
// content version, only figures (volume, liquidity, counts of comments) and records that are in no
// list of events or markets were written. With the same version of an event, its JSON is the same.
// The connection only reads, and `begin` is the first call in each read transaction.

export class CatalogVersions {
  readonly #selectData: Statement<[], number>;
  readonly #selectContent: Statement<[], number>;
  readonly #selectEvent: Statement<[eventId: number], number>;
  #data = Number.NaN;
  #content = Number.NaN;
  /** Versions of events that were asked for since the data version changed. */
  readonly #events = new Map<number, number | undefined>();

  constructor(database: Database) {
    this.#selectData = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#selectContent = database
      .prepare<[], number>('SELECT words FROM catalog_changes WHERE id = 1')
      .pluck();
    this.#selectEvent = database
      .prepare<[number], number>('SELECT version FROM event_figures WHERE event_id = ?')
      .pluck();
  }

  /** Call it first in each read transaction. */
  begin(): void {
    const data = this.#selectData.get() ?? Number.NaN;
    if (data === this.#data) return;
    this.#data = data;
    this.#content = this.#selectContent.get() ?? Number.NaN;
    this.#events.clear();
  }

  /** Changes with every commit of another connection. */
  get data(): number {
    return this.#data;
  }

  /** Changes with every commit that changes more than figures in what lists show. */
  get content(): number {
    return this.#content;
  }

  /** Changes with the JSON of the event, its markets, tags and series. */
  ofEvent(eventId: number): number | undefined {
    if (this.#events.has(eventId)) return this.#events.get(eventId);
    const version = this.#selectEvent.get(eventId);
    this.#events.set(eventId, version);
    return version;
  }
}
