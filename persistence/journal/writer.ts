/**
 * Writes batches into the journal, each in one transaction, so that a batch is durable as a whole
 * or not at all. Invariant: after a failed commit it writes nothing more.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { STORE_BOUNDS, STORE_PACE } from '../shared/index.ts';
import type { JournalBatch } from './batch.ts';
import { ContentInserter } from './content-records.ts';
import { FILL_VALUES, INSERT_FILL } from './fills.ts';
import { OrderIdIntake } from './order-id-intake.ts';
import {
  commandChecksum,
  type JournalPlace,
  noteRules,
  putClockOffset,
  putLogPlace,
} from './schema.ts';

/** What a node of a cluster writes in one transaction: batches that its log has committed. */
export interface JournalGroup {
  readonly batches: readonly JournalBatch[];
  /** The rules under which these batches ran. */
  readonly rules: number;
  /** What the journal has of the log after them. */
  readonly place: JournalPlace;
  /** Content records of the catalog, of the same entries. */
  readonly content: readonly string[];
  /** The number of the last record that the catalog of this node has applied. */
  readonly appliedContent: number;
}

/** Opens the writing connection. A commit returns when it is on the disk, unless `temporary`. */
export function openJournal(path: string, temporary: boolean): Database {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${temporary ? 'OFF' : 'FULL'}`);
  database.pragma(`wal_autocheckpoint = ${STORE_PACE.journalCheckpointPages}`);
  database.pragma(`cache_size = -${STORE_PACE.journalCacheKib}`);
  return database;
}

/**
 * What the journal's thread writes with. Each call returns when its data are durable, and throws a
 * SqliteError if that fails; any other error ends the thread.
 */
export interface JournalDisk {
  write(batch: JournalBatch): void;
  writeGroup(group: JournalGroup): void;
  keepClockOffset(offsetMs: number): void;
  /** Called when nothing more will be written. */
  settle(): void;
}

/** A module whose `openDisk(database, parameters)` makes another `JournalDisk` in the thread. */
export interface DiskModule {
  readonly url: string;
  readonly parameters: object;
}

export class JournalWriter implements JournalDisk {
  #failure: unknown;
  readonly #insertCommand: Statement;
  readonly #insertFill: Statement;
  readonly #insertMoneyKey: Statement;
  readonly #orderIds: OrderIdIntake;
  readonly #content: ContentInserter;
  readonly #write: (batch: JournalBatch) => void;
  readonly #settle: () => void;
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    this.#insertCommand = database.prepare('INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#orderIds = new OrderIdIntake(database, STORE_BOUNDS.waitingOrderIds);
    this.#content = new ContentInserter(database);
    this.#insertMoneyKey = database.prepare('INSERT INTO money_keys VALUES (?, ?, ?)');
    this.#insertFill = database.prepare(INSERT_FILL);
    this.#write = database.transaction((batch: JournalBatch) => this.#insertBatch(batch)).immediate;
    this.#settle = database.transaction(() => this.#orderIds.settle()).immediate;
  }

  /** Returns when the batch is durable. If it throws, the batch may or may not be. */
  write(batch: JournalBatch): void {
    this.#commit(() => this.#write(batch));
  }

  /** Returns when the group is durable. If it throws, the group may or may not be. */
  writeGroup({ batches, rules, place, content, appliedContent }: JournalGroup): void {
    const write = this.#database.transaction(() => {
      const [first] = batches;
      if (first !== undefined) noteRules(this.#database, first.firstSeq, rules);
      for (const batch of batches) this.#insertBatch(batch);
      putLogPlace(this.#database, place);
      this.#content.insert(content, appliedContent);
    });
    this.#commit(() => write.immediate());
  }

  /** Returns when the offset of the clock is durable. If it throws, it may or may not be. */
  keepClockOffset(offsetMs: number): void {
    this.#commit(() => putClockOffset(this.#database, offsetMs));
  }

  #commit(write: () => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      write();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /**
   * Puts the waiting order ids into their index, when nothing more will be written. On a full disk
   * they stay where they are, and the next start continues with them.
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
      const endsBatch = index === payloads.length - 1;
      const digest = endsBatch ? batch.digest : null;
      const checksum = commandChecksum({ seq, timeMs, kind, payload, endsBatch, digest });
      const ends = endsBatch ? 1 : 0;
      this.#insertCommand.run(seq, timeMs, kind, payload, checksum, ends, digest);
    }
    this.#orderIds.take(batch.orderIds);
    for (let at = 0; at < batch.fills.length; at += FILL_VALUES) {
      this.#insertFill.run(batch.fills.slice(at, at + FILL_VALUES));
    }
    for (const row of batch.moneyKeys) this.#insertMoneyKey.run(row);
  }
}
