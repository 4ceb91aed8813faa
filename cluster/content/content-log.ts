/**
 * Applies content records to catalog.db, in the writer thread.
 *
 * Invariant: the effect of a question and the number of its last record are one transaction, synced
 * to the disk, so each question takes effect exactly once. One that is refused or fails by its own
 * fault changes nothing and is counted: it does the same on each node. A fault of this node's disk
 * leaves the question unapplied, to be tried again. The last records are kept for nodes that were
 * away. Bounds: `RECORD_BOUNDS`.
 */
import { strict as assert } from 'node:assert';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { Catalog } from '../../catalog/catalog.ts';
import type { AppliedWrite } from '../../catalog/host.ts';
import {
  CATALOG_ERRORS,
  type CatalogWriteKinds,
  durably,
  type MarketEnds,
} from '../../catalog/model/index.ts';
import { type ContentStamp, readStamp, StatementCache } from '../../persistence/shared/index.ts';
import {
  type AnswerTable,
  answerFrom,
  type ErrorCodec,
  failureOf,
} from '../../persistence/threads/index.ts';
import {
  type Asker,
  type ContentRecord,
  continues,
  decodeRecord,
  RECORD_BOUNDS,
} from './content-record.ts';
import { decodeQuestion } from './question-codec.ts';
import type { ContentKind } from './write-places.ts';

/** A question that was applied, and the process that asked it. */
export interface AppliedQuestion extends AppliedWrite {
  readonly asker: Asker;
  readonly kind: ContentKind;
}

/** The questions to the writer thread that only nodes of a cluster ask. */
export interface ContentLogKinds {
  readonly contentState: { ask: undefined; answer: ContentStamp | undefined };
  readonly foundContent: { ask: string; answer: undefined };
  readonly applyContent: { ask: readonly Uint8Array[]; answer: readonly AppliedQuestion[] };
  readonly contentSince: { ask: number; answer: readonly Uint8Array[] | undefined };
  /** Those of these ends that the catalog does not have. */
  readonly missingEnds: { ask: MarketEnds; answer: MarketEnds };
}

export interface ContentLogOptions {
  readonly database: Database;
  /** Does a write. Throws the error that refuses it. */
  readonly perform: (kind: ContentKind, question: unknown) => unknown;
  readonly errors: ErrorCodec;
}

const STATE = 'SELECT lineage, number FROM content_state';
const PUT_STATE = `
INSERT INTO content_state VALUES (1, @lineage, @number)
ON CONFLICT DO UPDATE SET lineage = excluded.lineage, number = excluded.number`;

const LAST_BYTES = 'SELECT through_bytes FROM content_records ORDER BY number DESC LIMIT 1';
const KEEP = 'INSERT INTO content_records VALUES (?, ?, ?)';
const FORGET = 'DELETE FROM content_records WHERE number <= @number OR through_bytes <= @bytes';
const SINCE = 'SELECT record FROM content_records WHERE number > ? ORDER BY number';

/**
 * Whether SQLite failed because of this node: its disk, memory or file. Its other errors are faults
 * of the question, which each node finds.
 */
function isFaultOfNode(error: unknown): boolean {
  if (!(error instanceof SqliteDatabase.SqliteError)) return false;
  return !/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE|ERROR)/.test(error.code);
}

class ContentLog {
  readonly #options: ContentLogOptions;
  readonly #sql: StatementCache;

  constructor(options: ContentLogOptions) {
    this.#options = options;
    this.#sql = new StatementCache(options.database);
  }

  /** The last record that was applied; undefined for a catalog that belongs to no history. */
  get state(): ContentStamp | undefined {
    return this.#sql.get<ContentStamp>(STATE);
  }

  /** Begins a history with the catalog as it is now. */
  found(lineage: string): void {
    durably(this.#options.database, () => {
      this.#sql.run('DELETE FROM content_records');
      this.#sql.run(PUT_STATE, { lineage, number: 0 });
    });
  }

  /**
   * Applies the records of whole questions, and skips those that it has applied before. A question
   * without its last part, whose core ended before that was in the log, has no effect.
   */
  apply(records: readonly Uint8Array[]): AppliedQuestion[] {
    return durably(this.#options.database, () => {
      const { state } = this;
      assert(state !== undefined, 'a catalog with records has a history');
      const { lineage } = state;
      const applied: AppliedQuestion[] = [];
      let parts: ContentRecord[] = [];
      let last = state.number;
      for (const encoded of records) {
        const record = decodeRecord(encoded);
        if (record.number <= state.number) continue;
        last += 1;
        assert(record.number === last, `record ${record.number} is record ${last}`);
        assert(record.lineage === lineage, 'records are of the history of the catalog');
        const before = parts.at(-1);
        if (before !== undefined && !continues(before, record)) parts = [];
        parts.push(record);
        this.#keep(last, encoded);
        if (parts.length === record.parts) applied.push(this.#perform(parts));
      }
      this.#sql.run(PUT_STATE, { lineage, number: last });
      return applied;
    });
  }

  /**
   * Records after a number, up to `missedBytes`; none if it is the last. undefined if they are not
   * kept any more.
   */
  since(number: number): readonly Uint8Array[] | undefined {
    const records: Uint8Array[] = [];
    let bytes = 0;
    const select = this.#options.database.prepare<[number], Uint8Array>(SINCE).pluck();
    for (const record of select.iterate(number)) {
      bytes += record.length;
      if (records.length > 0 && bytes > RECORD_BOUNDS.missedBytes) break;
      records.push(record);
    }
    const [first] = records;
    const isKept = first === undefined ? number >= this.#number : isNext(first, number);
    return isKept ? records : undefined;
  }

  get #number(): number {
    return this.state?.number ?? 0;
  }

  #keep(number: number, record: Uint8Array): void {
    const throughBytes = (this.#sql.value<number>(LAST_BYTES) ?? 0) + record.length;
    this.#sql.run(KEEP, number, record, throughBytes);
    this.#sql.run(FORGET, {
      number: number - RECORD_BOUNDS.keptRecords,
      bytes: throughBytes - RECORD_BOUNDS.keptBytes,
    });
  }

  #perform(parts: readonly ContentRecord[]): AppliedQuestion {
    const { database, perform, errors } = this.#options;
    const { asker } = parts[0]!;
    const { kind, question } = decodeQuestion(Buffer.concat(parts.map(({ bytes }) => bytes)));
    // A savepoint, so that a question that fails changes nothing but the number.
    const run = database.transaction(() => perform(kind, question));
    try {
      return { asker, kind, question, result: { kind: 'answer', value: run() } };
    } catch (error) {
      if (isFaultOfNode(error)) throw error;
      const failure = failureOf(error, errors);
      return { asker, kind, question, result: { kind: 'failure', failure } };
    }
  }
}

function isNext(record: Uint8Array, number: number): boolean {
  return readStamp(record).number === number + 1;
}

/** The answers to all questions of a node's writer thread. */
export function contentTable(
  catalog: Catalog,
  writes: AnswerTable<CatalogWriteKinds>,
): AnswerTable<CatalogWriteKinds & ContentLogKinds> {
  const log = new ContentLog({
    database: catalog.database,
    perform: (kind, question) => answerFrom(writes, kind, question),
    errors: CATALOG_ERRORS,
  });
  return {
    ...writes,
    contentState: () => log.state,
    foundContent: (lineage) => void log.found(lineage),
    applyContent: (records) => log.apply(records),
    contentSince: (number) => log.since(number),
    missingEnds: (ends) => catalog.missingEnds(ends),
  };
}
