/**
 * Writes batches into the journal, each in one transaction, so that a batch is durable whole or
 * not at all. Owned by the journal's thread: it holds the only writing connection.
 * Invariant: after a failed commit nothing more is written, because a repeated fsync can succeed
 * with the data lost (design 6).
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { STORE_BOUNDS, STORE_PACE } from '../shared/index.ts';
import type { JournalBatch } from './batch.ts';
import { fillRows, orderIdRows } from './batch.ts';
import { OrderIdIntake } from './order-id-intake.ts';
import { commandChecksum } from './schema.ts';

/** The one writing connection: a commit returns when it is on the disk, unless nothing need be. */
export function openJournal(path: string, temporary: boolean): Database {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${temporary ? 'OFF' : 'FULL'}`);
  database.pragma(`wal_autocheckpoint = ${STORE_PACE.journalCheckpointPages}`);
  database.pragma(`cache_size = -${STORE_PACE.journalCacheKib}`);
  return database;
}

export class JournalWriter {
  #failure: unknown;
  readonly #insertCommand: Statement;
  readonly #insertFill: Statement;
  readonly #orderIds: OrderIdIntake;
  readonly #write: (batch: JournalBatch, beforeCommit: () => void) => void;
  readonly #settle: () => void;

  constructor(database: Database) {
    this.#insertCommand = database.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?)');
    this.#orderIds = new OrderIdIntake(database, STORE_BOUNDS.waitingOrderIds);
    const parameters = Array(22).fill('?').join(', ');
    this.#insertFill = database.prepare(`INSERT INTO fills VALUES (${parameters})`);
    this.#write = database.transaction((batch: JournalBatch, beforeCommit: () => void) => {
      this.#insertBatch(batch);
      beforeCommit();
    }).immediate;
    this.#settle = database.transaction(() => this.#orderIds.settle()).immediate;
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

  /**
   * At the end, when nothing more is written: no order id is left waiting for its index. On a full
   * disk they wait on, and the next start takes them up.
   */
  settle(): void {
    if (this.#failure !== undefined) return;
    try {
      this.#settle();
    } catch (error) {
      const { SqliteError } = SqliteDatabase;
      const isFull = error instanceof SqliteError && error.code === 'SQLITE_FULL';
      if (!isFull) throw error;
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
    this.#orderIds.take([...orderIdRows(batch)]);
    for (const row of fillRows(batch)) this.#insertFill.run(row);
  }
}
