/**
 * The snapshots of a data folder, `snapshots/<seq>.snapshot`. Invariant: a snapshot has its name
 * only when it is whole and on the disk. Bound: STORE_BOUNDS.keptSnapshots usable ones are kept.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotPart } from '../../engine/index.ts';
import { codeOf, STORE_BOUNDS, syncPath } from '../shared/index.ts';
import { looksWhole, type SnapshotHead, writeSnapshotFile } from './file.ts';

export interface SnapshotPlace {
  /** The last command that it shows, according to its name. */
  readonly seq: number;
  readonly path: string;
}

const SEQ_DIGITS = 15;
const NAME = /^([0-9]{15})\.snapshot$/;
/** How the name of an incomplete file ends, which a crash may leave. */
export const LEFTOVERS = {
  made: '.new',
  /** Another node sent it. */
  sent: '.sent',
} as const;

/** The place of a snapshot, whether it exists or not. */
export function snapshotPath(folder: string, seq: number): string {
  return join(folder, `${String(seq).padStart(SEQ_DIGITS, '0')}.snapshot`);
}

/** The newest first; empty if there is no folder. */
export function listSnapshots(folder: string): SnapshotPlace[] {
  return namesIn(folder)
    .flatMap((name) => {
      const seq = NAME.exec(name)?.[1];
      return seq === undefined ? [] : [{ seq: Number(seq), path: join(folder, name) }];
    })
    .sort((a, b) => b.seq - a.seq);
}

export interface SnapshotFile {
  readonly seq: number;
  readonly bytes: number;
  /** When it was finished, milliseconds since the epoch. */
  readonly madeMs: number;
}

/** The snapshots with their sizes, the newest first. */
export function snapshotFiles(folder: string): SnapshotFile[] {
  return listSnapshots(folder).flatMap(({ seq, path }) => {
    // The follower's thread may remove it meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ seq, bytes: found.size, madeMs: found.mtimeMs }];
  });
}

/** Writes a snapshot atomically. Returns its length in bytes. */
export function storeSnapshot(
  folder: string,
  head: SnapshotHead,
  parts: Iterable<SnapshotPart>,
): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = snapshotPath(folder, head.seq);
  const beside = `${path}${LEFTOVERS.made}`;
  try {
    const length = writeSnapshotFile(beside, head, parts);
    renameSync(beside, path);
    syncPath(folder);
    return length;
  } catch (error) {
    // An incomplete file must not take room on a full disk.
    rmSync(beside, { force: true, recursive: true });
    throw error;
  }
}

/** Removes incomplete files of earlier runs. Call it before any such file is written. */
export function removeLeftovers(folder: string, ending: string = LEFTOVERS.made): void {
  for (const name of namesIn(folder)) {
    const isOne = name.endsWith(ending) && NAME.test(name.slice(0, -ending.length));
    // Recursive, because a folder of that name would make every later snapshot fail.
    if (isOne) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

/** Removes outdated snapshots. */
export function pruneSnapshots(folder: string, unusable: ReadonlySet<string>): void {
  for (const path of outdatedSnapshots(folder, unusable)) rmSync(path, { force: true });
}

/**
 * All snapshots older than the newest STORE_BOUNDS.keptSnapshots usable ones. Newer unusable ones
 * stay, because a person may want to look at them.
 */
export function outdatedSnapshots(
  folder: string,
  unusable: ReadonlySet<string> = new Set(),
): string[] {
  let usable = 0;
  return listSnapshots(folder).flatMap(({ path }) => {
    if (usable >= STORE_BOUNDS.keptSnapshots) return [path];
    if (!unusable.has(path) && looksWhole(path)) usable += 1;
    return [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // If a file is in its place, the write of a snapshot reports that.
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
