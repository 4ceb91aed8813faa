/**
 * Disks of a journal for tests: a slow one, and one that fails. The journal's thread loads this
 * file, so it imports nothing that a thread should not.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { JournalBatch } from '../../../persistence/journal/batch.ts';
import {
  type DiskModule,
  type JournalDisk,
  type JournalGroup,
  JournalWriter,
} from '../../../persistence/journal/writer.ts';

/** A failure of the disk or of its thread. Commits are counted from 1, since the start. */
export type DiskFault =
  /** The disk is full after the file has grown by `pages` pages. */
  | { readonly kind: 'full'; readonly pages: number }
  /**
   * `write` fails the commit before any of it is on the disk. `sync` fails it after all of it is,
   * as if the disk had reported an error. `throw` and `exit` end the thread before the commit.
   */
  | { readonly kind: 'write' | 'sync' | 'throw' | 'exit'; readonly commit: number };

interface Parameters {
  /** How long each commit takes in addition. */
  readonly delayMs: number;
  readonly fault?: DiskFault;
}

/** A disk on which each commit takes longer. */
export function slowDisk(delayMs: number): DiskModule {
  return diskOf({ delayMs });
}

export function faultyDisk(fault: DiskFault, delayMs: number): DiskModule {
  return diskOf({ delayMs, fault });
}

function diskOf(parameters: Parameters): DiskModule {
  return { url: import.meta.url, parameters };
}

/** Called in the journal's thread. */
export function openDisk(database: Database, { delayMs, fault }: Parameters): JournalDisk {
  return new TestDisk(database, delayMs, fault);
}

class TestDisk implements JournalDisk {
  readonly #database: Database;
  readonly #writer: JournalWriter;
  readonly #delayMs: number;
  readonly #fault: DiskFault | undefined;
  #commits = 0;
  #hasFailed = false;

  constructor(database: Database, delayMs: number, fault: DiskFault | undefined) {
    this.#database = database;
    this.#writer = new JournalWriter(database);
    this.#delayMs = delayMs;
    this.#fault = fault;
    if (fault?.kind !== 'full') return;
    const used = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${used + fault.pages}`);
  }

  write(batch: JournalBatch): void {
    this.#commits += 1;
    const fault = this.#fault;
    const due = fault?.kind !== 'full' && fault?.commit === this.#commits ? fault.kind : undefined;
    if (due === 'throw') throw new Error('injected: the thread ends');
    if (due === 'exit') process.exit();
    // The transaction of the writer is a part of this one.
    const commit = this.#database.transaction(() => {
      this.#writer.write(batch);
      this.#pause();
      if (due === 'write') this.#fail('injected: the write fails');
    });
    commit.immediate();
    if (due === 'sync') this.#fail('injected: the sync fails');
  }

  writeGroup(group: JournalGroup): void {
    this.#pause();
    this.#writer.writeGroup(group);
  }

  keepClockOffset(offsetMs: number): void {
    this.#writer.keepClockOffset(offsetMs);
  }

  settle(): void {
    if (!this.#hasFailed) this.#writer.settle();
  }

  #pause(): void {
    if (this.#delayMs > 0) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, this.#delayMs);
    }
  }

  #fail(message: string): never {
    this.#hasFailed = true;
    throw new SqliteDatabase.SqliteError(message, 'SQLITE_IOERR');
  }
}
