/**
 * The data folder: its files' names, its lock and its secrets. Invariant: one process at a time has
 * it, by an exclusive transaction held on a database of its own, which the system drops with the
 * process, however it dies. No live database is ever opened through `fs`: closing it there would
 * drop SQLite's locks.
 */
import { strict as assert } from 'node:assert';
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { replaceFile } from './replace-file.ts';
import { StoreError } from './store-error.ts';

const SHARED_MEMORY = '/dev/shm';

export interface DataFolderOptions {
  readonly dataDir: string;
  /** A private folder that is made now and removed at release; `dataDir` is then not touched. */
  readonly temporary: boolean;
}

export class DataFolder {
  readonly path: string;
  readonly temporary: boolean;
  readonly #lock: Database;

  /** Throws StoreError `folder_locked`. */
  constructor(options: DataFolderOptions) {
    this.temporary = options.temporary;
    this.path = options.temporary ? makeTemporaryFolder() : resolve(options.dataDir);
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.#lock = takeLock(this.path);
    writeFileSync(join(this.path, 'lock.pid'), `${process.pid}\n`);
  }

  get journal(): string {
    return join(this.path, 'journal.db');
  }

  /** The side file that notes the highest durable seq. */
  get durableMark(): string {
    return join(this.path, 'durable.seq');
  }

  get projection(): string {
    return join(this.path, 'analytics.db');
  }

  get catalog(): string {
    return join(this.path, 'catalog.db');
  }

  /** What a file holds that only this user may read; `make` says it at the first time. */
  secret(name: string, make: () => Buffer): Buffer {
    assert(/^[a-z][a-z0-9.-]{0,63}$/.test(name), 'a secret has a plain file name');
    const path = join(this.path, name);
    try {
      return readFileSync(path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const made = make();
    replaceFile(path, made);
    return made;
  }

  /** Every connection into the folder must be closed by now. */
  release(): void {
    this.#lock.close();
    if (this.temporary) rmSync(this.path, { recursive: true, force: true });
  }
}

function makeTemporaryFolder(): string {
  return mkdtempSync(join(isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir(), 'exchange-'));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function takeLock(path: string): Database {
  const lock = new SqliteDatabase(join(path, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY';
    throw isBusy ? lockedError(path) : error;
  }
}

function lockedError(path: string): StoreError {
  return new StoreError(
    'folder_locked',
    `the data folder ${path} is in use by ${holderOf(path)}: ` +
      'stop that one first, or start this one with another --data folder',
  );
}

/** Only words for a person: the lock itself doesn't hang on this file. */
function holderOf(path: string): string {
  try {
    return `process ${readFileSync(join(path, 'lock.pid'), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
