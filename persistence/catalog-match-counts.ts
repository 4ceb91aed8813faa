// How many documents fit a search, remembered while its indexes stay as they are: to count the
// matches of a common word takes five times as long as to find the first of them, and common words
// are asked for again and again. Invariant: what is remembered is what a count would say, for every
// change of an index is in its record of averages or of structure (FTS5, "Shadow tables": rows 1
// and 10 of the data). Bound: `COUNTS_KEPT` counts; the oldest goes first.

import type { Database, Statement } from 'better-sqlite3';

const COUNTS_KEPT = 1_000;

interface Count {
  readonly version: string;
  readonly count: number;
}

export class MatchCounts {
  readonly #version: Statement<[], string>;
  readonly #counts = new Map<string, Count>();

  /** `tables`: the indexes that searches read. */
  constructor(database: Database, tables: readonly string[]) {
    const records = tables.map((table) => `SELECT block FROM ${table}_data WHERE id IN (1, 10)`);
    this.#version = database
      .prepare<[], string>(`SELECT group_concat(hex(block)) FROM (${records.join(' UNION ALL ')})`)
      .pluck();
  }

  /** The count that belongs to the key: remembered, or made. */
  of(key: string, make: () => number): number {
    const version = this.#version.get() ?? '';
    const known = this.#counts.get(key);
    if (known?.version === version) return known.count;
    const count = make();
    this.#counts.delete(key);
    this.#counts.set(key, { version, count });
    const [oldest = ''] = this.#counts.keys();
    if (this.#counts.size > COUNTS_KEPT) this.#counts.delete(oldest);
    return count;
  }
}
