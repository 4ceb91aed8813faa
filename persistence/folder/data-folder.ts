/**
 * The data folder: its files' names, its lock and its secrets. Invariant: one process at a time has
 * it, from here until `release`.
 */
import { strict as assert } from 'node:assert';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { isMissingFile, replaceFile, StoreError } from '../shared/index.ts';
import { lastHolder, takeLock } from './folder-lock.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

export interface DataFolderOptions {
  readonly dataDir: string;
  /** A private folder that is made now and removed at release; `dataDir` is then not touched. */
  readonly temporary: boolean;
  /** A secret that others could read was made this user's alone: its path, and its mode before. */
  readonly onTightened?: (path: string, mode: number) => void;
}

/** What a secret's file allows to others than its user. */
const OTHERS = 0o077;
const PRIVATE = 0o600;

export class DataFolder {
  readonly path: string;
  readonly temporary: boolean;
  readonly #lock: Database;
  readonly #onTightened: DataFolderOptions['onTightened'];

  /** Throws StoreError `folder_locked`. */
  constructor(options: DataFolderOptions) {
    this.temporary = options.temporary;
    this.#onTightened = options.onTightened;
    this.path = options.temporary ? makeTemporaryFolder() : resolve(options.dataDir);
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    const lock = takeLock(this.path);
    if (lock === undefined) throw lockedError(this.path);
    this.#lock = lock;
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

  /** Snapshots of the whole state, one file each. */
  get snapshots(): string {
    return join(this.path, 'snapshots');
  }

  /** What was compacted away of the journal, one file each. */
  get archive(): string {
    return join(this.path, 'archive');
  }

  /**
   * What a file holds that only this user may read; `make` says it at the first time. A file that
   * others can read is closed to them first; StoreError `secret_exposed` where that can't be done.
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

  /** By one descriptor: what is judged is what is read, also behind a link. */
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
      // The only reason there is: the file belongs to somebody else.
      throw new StoreError(
        'secret_exposed',
        `${path} can be read by other users (mode ${mode.toString(8)}), and this one may not ` +
          `change that: make it the file of the user that runs the exchange, with mode 600`,
      );
    }
    this.#onTightened?.(path, mode);
  }

  /** Every connection into the folder must be closed by now. */
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
