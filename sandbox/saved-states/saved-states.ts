/** The saved states of one data folder: makes, lists, stages and removes them. */
import { constants, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { DataFolder } from '../../persistence/folder/data-folder.ts';
import {
  makeStaging,
  removeStaging,
  SWAPPED_DATABASES,
  SWAPPED_FOLDERS,
} from '../../persistence/folder/folder-swap.ts';
import { archiveName } from '../../persistence/journal/archive.ts';
import { writeDurableMark } from '../../persistence/journal/durable-mark.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { putClockOffset } from '../../persistence/journal/schema.ts';
import {
  codeOf,
  freeBytesAt,
  isMissingFile,
  SavedStateRefusal,
  STORE_BOUNDS,
  syncPath,
} from '../../persistence/shared/index.ts';
import { looksWhole } from '../../persistence/snapshots/file.ts';
import { listSnapshots } from '../../persistence/snapshots/folder.ts';
import { FrozenDatabases, linkFiles, sizeOfFile, syncFiles } from './copy.ts';
import {
  readDescription,
  SAVED_STATE_FORMAT,
  type SavedState,
  writeDescription,
} from './description.ts';

const SHOWN_CHARACTERS = 40;
const ID = /^[1-9][0-9]{0,8}$/;
/** A saved state that is being made. */
const LEFTOVER = /\.new$/;

/** The caller must not run two of `save`, `stage` and `remove` at once. */
export class SavedStates {
  readonly #folder: DataFolder;
  readonly #place: string;
  readonly #version: string;
  /** The number of the last one that was made. */
  #lastId = 0;

  /** `version`: that of the program. Removes what a crash left half-made. */
  constructor(folder: DataFolder, version: string) {
    this.#folder = folder;
    this.#place = join(folder.path, 'checkpoints');
    this.#version = version;
    for (const name of this.#names()) {
      if (LEFTOVER.test(name)) rmSync(join(this.#place, name), { recursive: true, force: true });
    }
  }

  /** The oldest first. One whose description can't be read is not listed. */
  list(): SavedState[] {
    const states = this.#names().flatMap((name) => {
      const state = ID.test(name) ? readDescription(join(this.#place, name)) : undefined;
      return state === undefined ? [] : [{ ...state, id: name }];
    });
    return states.sort((a, b) => Number(a.id) - Number(b.id));
  }

  /** Copies everything that is durable now. Throws SavedStateRefusal `checkpoint_limit`. */
  async save(about: Pick<SavedState, 'name' | 'timeMs' | 'madeMs'>): Promise<SavedState> {
    const databases = new FrozenDatabases(this.#folder.path);
    const id = this.#nextId();
    const making = join(this.#place, `${id}.new`);
    try {
      const { bytes } = databases;
      this.#checkRoom(bytes);
      const isFirst = mkdirSync(this.#place, { recursive: true, mode: 0o700 }) !== undefined;
      if (isFirst && !this.#folder.temporary) syncPath(this.#folder.path);
      mkdirSync(making, { mode: 0o700 });
      await databases.copyTo(making);
      const seq = this.#linkRest(making);
      const format = SAVED_STATE_FORMAT;
      const state: SavedState = { format, id, ...about, seq, bytes, madeBy: this.#version };
      await this.#sync(making);
      writeDescription(making, state);
      renameSync(making, join(this.#place, id));
      if (!this.#folder.temporary) syncPath(this.#place);
      return state;
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      throw this.#namingFullDisk(error);
    } finally {
      databases.close();
    }
  }

  /**
   * Copies a saved state to where a swap of the folder's data takes it from. There, the exchange's
   * clock shows the time of the saved state while the wall clock shows `wallMs`. Throws
   * SavedStateRefusal `checkpoint_unknown`, `checkpoint_unusable` or `checkpoint_limit`.
   */
  async stage(id: string, wallMs: number): Promise<SavedState> {
    const state = this.#usable(id);
    const from = join(this.#place, id);
    this.#checkDisk(state.bytes);
    try {
      const staging = makeStaging(this.#folder.path);
      await Promise.all(
        SWAPPED_DATABASES.map((name) =>
          copyFile(join(from, name), join(staging, name), constants.COPYFILE_FICLONE),
        ),
      );
      setClock(join(staging, 'journal.db'), state.timeMs - wallMs);
      for (const name of SWAPPED_FOLDERS) {
        linkFiles(join(from, name), join(staging, name), readdirSync(join(from, name)));
      }
      writeDurableMark(join(staging, basename(this.#folder.durableMark)), state.seq);
      await this.#sync(staging);
    } catch (error) {
      // A part of a copy must not keep a disk full that the running exchange needs.
      removeStaging(this.#folder.path);
      throw this.#namingFullDisk(error);
    }
    return state;
  }

  /** Returns what was removed. Throws SavedStateRefusal `checkpoint_unknown`. */
  remove(id: string): SavedState {
    const state = this.#require(id);
    // Without its name first: a crash must not leave half of one.
    const leaving = join(this.#place, `${id}.new`);
    renameSync(join(this.#place, id), leaving);
    if (!this.#folder.temporary) syncPath(this.#place);
    rmSync(leaving, { recursive: true, force: true });
    return state;
  }

  #nextId(): string {
    // Also of those that are not listed.
    const ids = this.#names().filter((name) => ID.test(name));
    this.#lastId = Math.max(this.#lastId, ...ids.map(Number)) + 1;
    return String(this.#lastId);
  }

  #names(): string[] {
    try {
      return readdirSync(this.#place);
    } catch (error) {
      if (isMissingFile(error)) return [];
      throw error;
    }
  }

  #require(id: string): SavedState {
    const state = this.list().find((one) => one.id === id);
    if (state !== undefined) return state;
    throw new SavedStateRefusal('checkpoint_unknown', {
      field: 'checkpoint_id',
      actual: id.slice(0, SHOWN_CHARACTERS),
    });
  }

  #usable(id: string): SavedState {
    const state = this.#require(id);
    const { format, madeBy, bytes } = state;
    const unusable = (field: string, limit: string | number, actual: string | number) =>
      new SavedStateRefusal('checkpoint_unusable', { field, limit, actual });
    if (format !== SAVED_STATE_FORMAT) throw unusable('format', SAVED_STATE_FORMAT, format);
    if (madeBy !== this.#version) throw unusable('version', this.#version, madeBy);
    const sizes = SWAPPED_DATABASES.map((name) => sizeOfFile(join(this.#place, id, name)));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (size !== bytes) throw unusable('bytes', bytes, size);
    return state;
  }

  /** Links the files that the copied journal needs. Returns its last seq. */
  #linkRest(folder: string): number {
    const path = join(folder, 'journal.db');
    const journal = new JournalReader(path);
    try {
      const seq = journal.lastSeq;
      const { path: live, snapshots } = this.#folder;
      linkFiles(
        join(live, 'archive'),
        join(folder, 'archive'),
        journal.archives().map(archiveName),
      );
      const newest = listSnapshots(snapshots).find((one) => one.seq <= seq && looksWhole(one.path));
      const names = newest === undefined ? [] : [basename(newest.path)];
      linkFiles(snapshots, join(folder, 'snapshots'), names);
      return seq;
    } finally {
      journal.close();
      // A connection that only reads leaves them behind, empty.
      for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    }
  }

  async #sync(folder: string): Promise<void> {
    if (this.#folder.temporary) return;
    const names = [...SWAPPED_DATABASES, ...SWAPPED_FOLDERS].map((name) => join(folder, name));
    await syncFiles([...names, folder]);
  }

  #checkRoom(bytes: number): void {
    const states = this.list();
    const { savedStates, savedStateBytes } = STORE_BOUNDS;
    if (states.length >= savedStates) {
      throw limitOf('checkpoints', savedStates, states.length + 1);
    }
    const total = states.reduce((sum, state) => sum + state.bytes, bytes);
    if (total > savedStateBytes) throw limitOf('bytes', savedStateBytes, total);
    this.#checkDisk(bytes);
  }

  #checkDisk(bytes: number): void {
    const freeBytes = freeBytesAt(this.#folder.path);
    if (freeBytes < bytes) throw limitOf('disk_bytes', freeBytes, bytes);
  }

  #namingFullDisk(error: unknown): unknown {
    const isFull = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(codeOf(error));
    return isFull ? limitOf('disk_bytes', 0, 1) : error;
  }
}

function setClock(journal: string, offsetMs: number): void {
  const database = new SqliteDatabase(journal);
  try {
    putClockOffset(database, offsetMs);
  } finally {
    database.close();
  }
}

function limitOf(field: string, limit: number, actual: number): SavedStateRefusal {
  return new SavedStateRefusal('checkpoint_limit', { field, limit, actual });
}
