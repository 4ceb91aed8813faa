/**
 * The content records of a cluster's catalog in the journal: written with the commands of the same
 * entry of the log in one transaction, so a node that has an entry has its content too; if it has
 * only the entry's commands, the journal's place tells which content it lacks. Bound: those that
 * the catalog has not applied yet, some milliseconds' worth.
 */
import type { Database, Statement } from 'better-sqlite3';
import { type ContentStamp, contentBytes, openReadonly, readStamp } from '../shared/index.ts';
import { logPlaceOf } from './schema.ts';

const INSERT = 'INSERT OR REPLACE INTO content_records VALUES (?, ?, ?)';
const FORGET = 'DELETE FROM content_records WHERE number <= ? OR lineage <> ?';
const SINCE = `
SELECT record FROM content_records WHERE number > @number AND lineage = @lineage ORDER BY number`;
const LAST = 'SELECT max(number) FROM content_records WHERE lineage = ?';
const COUNT = 'SELECT count(*) FROM content_records WHERE number > @number AND lineage = @lineage';

export class ContentInserter {
  readonly #insert: Statement;
  readonly #forget: Statement;

  constructor(database: Database) {
    this.#insert = database.prepare(INSERT);
    this.#forget = database.prepare(FORGET);
  }

  insert(content: readonly string[], applied: number): void {
    for (const text of content) {
      const record = contentBytes(text);
      const { lineage, number } = readStamp(record);
      this.#forget.run(applied, lineage);
      this.#insert.run(number, lineage, record);
    }
  }
}

export interface ContentRecords {
  /** Records of a lineage after a number, in order, up to some bytes but one at least. */
  since(after: ContentStamp, bytes: number): Uint8Array[];
  /** The last record of a lineage that this node has heard of; 0 if there is none. */
  last(lineage: string): number;
  /** Whether all records after this one are here, up to `told` and all the journal heard of. */
  hasAllAfter(after: ContentStamp, told: ContentStamp | undefined): boolean;
  close(): void;
}

/** Reads the records of a journal over a connection of its own. */
export function openContentRecords(path: string): ContentRecords {
  const database = openReadonly(path);
  const select = database.prepare<[ContentStamp], Uint8Array>(SINCE).pluck();
  const selectLast = database.prepare<[string], number | null>(LAST).pluck();
  const count = database.prepare<[ContentStamp], number>(COUNT).pluck();
  const last = (lineage: string): number => {
    const told = logPlaceOf(database)?.content;
    return Math.max(selectLast.get(lineage) ?? 0, told?.lineage === lineage ? told.number : 0);
  };
  return {
    since: (after, mostBytes) => {
      const records: Uint8Array[] = [];
      let bytes = 0;
      for (const record of select.iterate(after)) {
        bytes += record.length;
        if (records.length > 0 && bytes > mostBytes) break;
        records.push(record);
      }
      return records;
    },
    last,
    hasAllAfter: (after, told = after) => {
      const until = Math.max(last(after.lineage), told.number);
      return told.lineage === after.lineage && count.get(after)! >= until - after.number;
    },
    close: () => database.close(),
  };
}
