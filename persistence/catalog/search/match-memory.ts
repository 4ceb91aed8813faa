// What searches found, remembered while their indexes stay as they are: to find and to count what
// fits common words takes milliseconds, and common words are asked for again and again. Invariant:
// what is remembered is what a look would find, for every change of an index is in its record of
// averages or of structure (FTS5, "Shadow tables": rows 1 and 10 of the data). Bound: `KEPT` of
// them; the one that was made first goes first.

import type { Database, Statement } from 'better-sqlite3';

const KEPT = 1_000;

interface Remembered<Value> {
  readonly version: string;
  readonly value: Value;
}

export class MatchMemory<Value> {
  readonly #dataVersion: Statement<[], number>;
  readonly #records: Statement<[], string>;
  readonly #kept = new Map<string, Remembered<Value>>();
  /** Of the indexes, and of the whole file when it was read. */
  #version = '';
  #versionOf = Number.NaN;

  /** `tables`: the indexes that searches read. The connection only reads. */
  constructor(database: Database, tables: readonly string[]) {
    const records = tables.map((table) => `SELECT block FROM ${table}_data WHERE id IN (1, 10)`);
    this.#dataVersion = database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#records = database
      .prepare<[], string>(`SELECT group_concat(hex(block)) FROM (${records.join(' UNION ALL ')})`)
      .pluck();
  }

  /** What belongs to the key: remembered, or made. */
  of(key: string, make: () => Value): Value {
    const version = this.#currentVersion();
    const known = this.#kept.get(key);
    if (known?.version === version) return known.value;
    const value = make();
    this.#kept.delete(key);
    this.#kept.set(key, { version, value });
    const [oldest = ''] = this.#kept.keys();
    if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    return value;
  }

  /** The records are long: they are read again where anything at all was written. */
  #currentVersion(): string {
    const dataVersion = this.#dataVersion.get() ?? 0;
    if (dataVersion === this.#versionOf) return this.#version;
    this.#version = this.#records.get() ?? '';
    this.#versionOf = dataVersion;
    return this.#version;
  }
}
