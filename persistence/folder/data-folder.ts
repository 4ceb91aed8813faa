/**
 * An open data folder: the paths of its files, and its secret files. Invariant: it is locked from
 * the constructor until `release`.
 */
import { strict as assert } from 'node:assert';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import SqliteDatabase from 'better-sqlite3';
import { isMissingFile, replaceFile, StoreError } from '../shared/index.ts';
import { finishSwap } from './folder-swap.ts';

// The lock of a folder: an exclusive transaction on `lock.db`. Invariant: the system releases it
// when the process dies. (A live database is never opened through `fs`: closing that descriptor
// would release SQLite's locks.)

/** Takes the lock until the returned database is closed; undefined if it is already held. */
export function takeLock(folder: string): Database | undefined {
  const lock = new SqliteDatabase(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(holderFile(folder), `${process.pid}\n`, { mode: 0o600 });
    return lock;
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY';
    if (!isBusy) throw error;
    return undefined;
  }
}

/** Who took the lock last, for an error message: the lock does not depend on it. */
function lastHolder(folder: string): string | undefined {
  try {
    return `process ${readFileSync(holderFile(folder), 'utf8').trim()}`;
  } catch {
    return undefined;
  }
}

function holderFile(folder: string): string {
  return join(folder, 'lock.pid');
}

/**
 * Folders for `--memory`, in shared memory if the system has it. A killed process can't remove its
 * folder, so each process that makes a new one first removes the folders of dead processes.
 */
const SHARED_MEMORY = '/dev/shm';
const PREFIX = 'outcome-exchange-';

function makeTemporaryFolder(): string {
  const place = isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    if (name.startsWith(PREFIX)) removeIfAbandoned(join(place, name));
  }
  return mkdtempSync(join(place, PREFIX));
}

/** A folder that was locked once and is not now belongs to a dead process. */
function removeIfAbandoned(folder: string): void {
  try {
    if (lastHolder(folder) === undefined) return;
    const lock = takeLock(folder);
    if (lock === undefined) return;
    lock.close();
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It was removed meanwhile, or belongs to another user.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export interface DataFolderOptions {
  readonly dataDir: string;
  /** Uses a new private folder that `release` removes; `dataDir` is not touched. */
  readonly temporary: boolean;
  /** Called when a secret that other users could read was made private. `mode`: its old mode. */
  readonly onTightened?: (path: string, mode: number) => void;
}

/** The mode bits of other users and the group. */
const OTHERS = 0o077;
const PRIVATE = 0o600;

export class DataFolder {
  readonly path: string;
  readonly temporary: boolean;
  readonly journal: string;
  /** The side file that notes the highest durable seq. */
  readonly durableMark: string;
  readonly projection: string;
  readonly catalog: string;
  readonly snapshots: string;
  readonly #lock: Database;
  readonly #onTightened: DataFolderOptions['onTightened'];

  /** Throws StoreError `folder_locked`. */
  constructor(options: DataFolderOptions) {
    this.temporary = options.temporary;
    this.#onTightened = options.onTightened;
    this.path = options.temporary ? makeTemporaryFolder() : resolve(options.dataDir);
    this.journal = join(this.path, 'journal.db');
    this.durableMark = join(this.path, 'durable.seq');
    this.projection = join(this.path, 'analytics.db');
    this.catalog = join(this.path, 'catalog.db');
    this.snapshots = join(this.path, 'snapshots');
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const lock = takeLock(this.path);
    if (lock === undefined) throw lockedError(this.path);
    this.#lock = lock;
    finishSwap(this.path);
  }

  /**
   * The content of a file that only this user may read. The first call creates it with the result
   * of `make`. A file that others can read is made private; throws StoreError `secret_exposed` if
   * that fails.
   */
  secret(name: string, make: () => Buffer): Buffer {
    assert(/^[a-z][a-z0-9.-]{0,63}$/.test(name), 'a secret has a plain file name');
    const path = join(this.path, name);
    try {
      return this.#readSecret(path);
    } catch (error) {
      if (!isMissingFile(error)) throw error;
    }
    const made = make();
    replaceFile(path, made);
    return made;
  }

  /** Checks and reads through one descriptor, so that the file can't be exchanged in between. */
  #readSecret(path: string): Buffer {
    const file = openSync(path, 'r');
    try {
      const mode = fstatSync(file).mode & 0o7777;
      if ((mode & OTHERS) !== 0) this.#tighten(path, file, mode);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  }

  #tighten(path: string, file: number, mode: number): void {
    try {
      fchmodSync(file, PRIVATE);
    } catch {
      // It fails only if the file belongs to another user.
      throw new StoreError(
        'secret_exposed',
        `${path} can be read by other users (mode ${mode.toString(8)}), and this user may ` +
          `not change that: give it to the user that runs the exchange, with mode 600`,
      );
    }
    this.#onTightened?.(path, mode);
  }

  /** Unlocks the folder. All its databases must be closed first. */
  release(): void {
    this.#lock.close();
    if (this.temporary) rmSync(this.path, { recursive: true, force: true });
  }
}

function lockedError(path: string): StoreError {
  return new StoreError(
    'folder_locked',
    `the data folder ${path} is in use by ${lastHolder(path) ?? 'another process'}: ` +
      'stop that one first, or start this one with another --data folder',
  );
}
