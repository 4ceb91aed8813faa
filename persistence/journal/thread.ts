/**
 * The journal's thread owns the only connection that writes commands to journal.db. It commits each
 * batch in one transaction and reports it when it is on the disk. Invariant: after a failed commit
 * it writes nothing more, because a repeated fsync can succeed although the data is lost.
 */
import '../threads/node-version.ts';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { messageOf, STORE_PACE, StoreError } from '../shared/index.ts';
import { runWorker, type WorkerHandler } from '../threads/index.ts';
import type { JournalBatch } from './batch.ts';
import { checkDurableMark, writeDurableMark } from './durable-mark.ts';
import { type JournalStart, type JournalTerms, prepareJournal } from './schema.ts';
import {
  type DiskModule,
  type JournalDisk,
  type JournalGroup,
  JournalWriter,
  openJournal,
} from './writer.ts';

export interface JournalThreadData extends JournalTerms {
  readonly path: string;
  readonly markPath: string;
  /** The journal need not survive: no syncs and no side file. */
  readonly temporary: boolean;
  /** What it writes with, in place of a `JournalWriter`. */
  readonly disk?: DiskModule;
}

/**
 * What the journal's thread is sent: a batch, a group of them that a log has committed already, or
 * the new offset of the exchange's clock.
 */
export type JournalRequest = JournalBatch | JournalGroup | { readonly clockOffsetMs: number };

export type JournalMessage =
  | { readonly kind: 'committed'; readonly seq: number }
  | { readonly kind: 'clock_offset_kept' }
  | { readonly kind: 'failed'; readonly message: string };

class JournalWork implements WorkerHandler<JournalStart, JournalRequest> {
  readonly opened: JournalStart;
  readonly #data: JournalThreadData;
  readonly #database: Database;
  readonly #disk: JournalDisk;
  readonly #post: (message: JournalMessage) => void;
  #durableSeq: number;
  #markedAtMs = Number.NEGATIVE_INFINITY;

  constructor(data: JournalThreadData, post: (message: JournalMessage) => void) {
    this.#data = data;
    this.#post = post;
    this.#database = openJournal(data.path, data.temporary);
    this.opened = prepareJournal(this.#database, data, (lastSeq) =>
      checkDurableMark(data.markPath, () => lastSeq),
    );
    this.#durableSeq = this.opened.lastSeq;
    this.#disk = openDisk(this.#database, data.disk);
  }

  receive(request: JournalRequest): void {
    if ('clockOffsetMs' in request) this.#keepClockOffset(request.clockOffsetMs);
    else if ('batches' in request) this.#writeGroup(request);
    else this.#write(request);
  }

  #writeGroup(group: JournalGroup): void {
    if (!this.#succeeds(() => this.#disk.writeGroup(group))) return;
    const last = group.batches.at(-1);
    if (last !== undefined) this.#durableSeq = last.firstSeq + last.payloads.length - 1;
    this.#tellCommitted();
  }

  #keepClockOffset(offsetMs: number): void {
    if (this.#succeeds(() => this.#disk.keepClockOffset(offsetMs))) {
      this.#post({ kind: 'clock_offset_kept' });
    }
  }

  #write(batch: JournalBatch): void {
    if (!this.#succeeds(() => this.#disk.write(batch))) return;
    this.#durableSeq = batch.firstSeq + batch.payloads.length - 1;
    this.#tellCommitted();
  }

  /** Reports a failure of the disk. Any other error is a bug, and ends the thread. */
  #succeeds(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
      this.#post({ kind: 'failed', message: messageOf(error) });
      return false;
    }
  }

  #tellCommitted(): void {
    this.#post({ kind: 'committed', seq: this.#durableSeq });
    if (performance.now() - this.#markedAtMs >= STORE_PACE.markMs) this.#mark();
  }

  close(): void {
    this.#mark();
    this.#disk.settle();
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }

  /** If it fails, the thread ends although the commit succeeded, because the disk has a fault. */
  #mark(): void {
    if (this.#data.temporary) return;
    writeDurableMark(this.#data.markPath, this.#durableSeq);
    this.#markedAtMs = performance.now();
  }
}

function openWork(data: JournalThreadData, post: (message: JournalMessage) => void): JournalWork {
  try {
    return new JournalWork(data, post);
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    throw unusable(`${data.path} can't be used (${error.message})`, error.code);
  }
}

/** A failed disk does not mean that the journal is damaged. */
function unusable(what: string, code: string): StoreError {
  if (code === 'SQLITE_FULL') {
    const remedy = 'make room on its disk and start again. Nothing that was acknowledged is lost';
    return new StoreError('disk_failed', `${what}: ${remedy}`);
  }
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|PERM)/.test(code)) {
    const remedy = 'its disk failed, or this user may not write there. Repair that and start again';
    return new StoreError('disk_failed', `${what}: ${remedy}`);
  }
  return new StoreError(
    'journal_damaged',
    `${what}: the file was changed or damaged after it was written. Put back journal.db and ` +
      'journal.db-wal as they were, or restore the newest backup',
  );
}

/** Loaded by `require`, because the thread opens in one turn. */
function openDisk(database: Database, module: DiskModule | undefined): JournalDisk {
  if (module === undefined) return new JournalWriter(database);
  const { url, parameters } = module;
  return createRequire(url)(fileURLToPath(url)).openDisk(database, parameters);
}

runWorker('journal', openWork);
