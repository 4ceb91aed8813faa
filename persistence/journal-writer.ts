/**
 * Writes batches into the journal, each in one transaction, so that a batch is durable whole or
 * not at all. Owned by the journal's thread: it holds the only writing connection. An order id that
 * is already there breaks the transaction, because the engine must never accept one twice.
 * Invariant: after a failed commit nothing more is written, because a repeated fsync can succeed
 * with the data lost (design 6).
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { JournalBatch } from './journal-batch.ts';
import { fillRows, orderIdRows } from './journal-batch.ts';
import { commandChecksum } from './journal-schema.ts';
import { STORE_PACE } from './store-bounds.ts';

/** The one writing connection: a commit returns when it is on the disk, unless nothing need be. */
export function openJournal(path: string, temporary: boolean): Database {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${temporary ? 'OFF' : 'FULL'}`);
  database.pragma(`wal_autocheckpoint = ${STORE_PACE.checkpointPages}`);
  database.pragma(`cache_size = -${STORE_PACE.journalCacheKib}`);
  return database;
}

export class JournalWriter {
  #failure: unknown;
  readonly #insertCommand: Statement;
  readonly #insertOrderId: Statement;
  readonly #insertFill: Statement;
  readonly #write: (batch: JournalBatch, beforeCommit: () => void) => void;

  constructor(database: Database) {
    this.#insertCommand = database.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?)');
    this.#insertOrderId = database.prepare('INSERT INTO order_ids VALUES (?, ?, ?, ?, ?)');
    const parameters = Array(22).fill('?').join(', ');
    this.#insertFill = database.prepare(`INSERT INTO fills VALUES (${parameters})`);
    this.#write = database.transaction((batch: JournalBatch, beforeCommit: () => void) => {
      this.#insertBatch(batch);
      beforeCommit();
    }).immediate;
  }

  /** Returns when the batch is durable; throws when it is not, and the batch must be given up. */
  write(batch: JournalBatch, beforeCommit: () => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#write(batch, beforeCommit);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  #insertBatch(batch: JournalBatch): void {
    const { firstSeq, timesMs, kinds, payloads } = batch;
    for (let index = 0; index < payloads.length; index += 1) {
      const seq = firstSeq + index;
      const timeMs = timesMs[index]!;
      const kind = kinds[index]!;
      const payload = payloads[index]!;
      const checksum = commandChecksum(seq, timeMs, kind, payload);
      this.#insertCommand.run(seq, timeMs, kind, payload, checksum);
    }
    for (const row of orderIdRows(batch)) this.#insertOrderId.run(row);
    for (const row of fillRows(batch)) this.#insertFill.run(row);
  }
}
