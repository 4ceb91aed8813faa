/**
 * The journal's thread owns the only connection that writes commands to journal.db. It commits each
 * batch in one transaction and reports it when it is on the disk. Invariant: after a failed commit
 * it writes nothing more, because a repeated fsync can succeed although the data is lost.
 */
import '../threads/node-version.ts';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { messageOf, STORE_PACE, StoreError } from '../shared/index.ts';
import { runWorker, type WorkerHandler } from '../threads/index.ts';
import type { JournalBatch } from './batch.ts';
import { checkDurableMark, writeDurableMark } from './durable-mark.ts';
import { type JournalStart, type JournalTerms, prepareJournal } from './schema.ts';
import { type JournalGroup, JournalWriter, openJournal } from './writer.ts';

export interface JournalThreadData extends JournalTerms {
  readonly path: string;
  readonly markPath: string;
  /** The journal need not survive: no syncs and no side file. */
  readonly temporary: boolean;
  /** Test seam: slows each commit down. */
  readonly delayMs: number;
  /** Test seam: what goes wrong. */
  readonly fault?: JournalFault;
}

/** A failure that a test injects. Commits are counted from 1, since the start. */
export type JournalFault =
  /** The disk is full after the file has grown by `pages` pages. */
  | { readonly kind: 'full'; readonly pages: number }
  /**
   * `write` fails the commit before any of it is on the disk. `sync` fails it after all of it is,
   * as if the disk had reported an error. `throw` and `exit` end the thread before the commit.
   */
  | { readonly kind: 'write' | 'sync' | 'throw' | 'exit'; readonly commit: number };

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
  readonly #writer: JournalWriter;
  readonly #post: (message: JournalMessage) => void;
  #durableSeq: number;
  #markedAtMs = Number.NEGATIVE_INFINITY;
  #commits = 0;

  constructor(data: JournalThreadData, post: (message: JournalMessage) => void) {
    this.#data = data;
    this.#post = post;
    this.#database = openJournal(data.path, data.temporary);
    this.opened = prepareJournal(this.#database, data, (lastSeq) =>
      checkDurableMark(data.markPath, () => lastSeq),
    );
    this.#durableSeq = this.opened.lastSeq;
    this.#writer = new JournalWriter(this.#database);
    if (data.fault?.kind === 'full') limitPages(this.#database, data.fault.pages);
  }

  receive(request: JournalRequest): void {
    if ('clockOffsetMs' in request) this.#keepClockOffset(request.clockOffsetMs);
    else if ('batches' in request) this.#writeGroup(request);
    else this.#write(request);
  }

  #writeGroup(group: JournalGroup): void {
    try {
      pause(this.#data.delayMs);
      this.#writer.writeGroup(group);
    } catch (error) {
      this.#post({ kind: 'failed', message: messageOf(error) });
      return;
    }
    const last = group.batches.at(-1);
    if (last !== undefined) this.#durableSeq = last.firstSeq + last.payloads.length - 1;
    this.#post({ kind: 'committed', seq: this.#durableSeq });
    if (performance.now() - this.#markedAtMs >= STORE_PACE.markMs) this.#mark();
  }

  #keepClockOffset(offsetMs: number): void {
    try {
      this.#writer.keepClockOffset(offsetMs);
    } catch (error) {
      this.#post({ kind: 'failed', message: messageOf(error) });
      return;
    }
    this.#post({ kind: 'clock_offset_kept' });
  }

  #write(batch: JournalBatch): void {
    this.#commits += 1;
    const { fault, delayMs } = this.#data;
    const due = fault?.kind !== 'full' && fault?.commit === this.#commits ? fault.kind : undefined;
    if (due === 'throw') throw new Error('injected: the thread ends');
    if (due === 'exit') process.exit();
    try {
      this.#writer.write(batch, () => {
        pause(delayMs);
        if (due === 'write') throw new Error('injected: the write fails');
      });
      if (due === 'sync') throw new Error('injected: the sync fails');
    } catch (error) {
      this.#post({ kind: 'failed', message: messageOf(error) });
      return;
    }
    this.#durableSeq = batch.firstSeq + batch.payloads.length - 1;
    this.#post({ kind: 'committed', seq: this.#durableSeq });
    if (performance.now() - this.#markedAtMs >= STORE_PACE.markMs) this.#mark();
  }

  close(): void {
    this.#mark();
    this.#writer.settle();
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

function limitPages(database: Database, pages: number): void {
  const used = Number(database.pragma('page_count', { simple: true }));
  database.pragma(`max_page_count = ${used + pages}`);
}

function pause(delayMs: number): void {
  if (delayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, delayMs);
}

runWorker('journal', openWork);
