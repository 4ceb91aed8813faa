/**
 * The snapshots of a data folder, `snapshots/<seq>.snapshot`. Invariant: a snapshot that is there
 * under its name was written whole and is on the disk. Bound: after each new one,
 * STORE_BOUNDS.keptSnapshots good ones are kept.
 */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotPart } from '../../engine/index.ts';
import { codeOf, STORE_BOUNDS, syncPath } from '../shared/index.ts';
import { looksWhole, type SnapshotHead, writeSnapshotFile } from './file.ts';

export interface SnapshotPlace {
  /** The last command that it shows, by its name. */
  readonly seq: number;
  readonly path: string;
}

const SEQ_DIGITS = 15;
const NAME = /^([0-9]{15})\.snapshot$/;
/** What a crash left half-written. */
const LEFTOVER = /^[0-9]{15}\.snapshot\.new$/;

/** The newest first; none where there is no folder yet. */
export function listSnapshots(folder: string): SnapshotPlace[] {
  return namesIn(folder)
    .flatMap((name) => {
      const seq = NAME.exec(name)?.[1];
      return seq === undefined ? [] : [{ seq: Number(seq), path: join(folder, name) }];
    })
    .sort((a, b) => b.seq - a.seq);
}

/** Puts a snapshot in place whole or not at all. Returns its length in bytes. */
export function writeSnapshot(
  folder: string,
  head: SnapshotHead,
  parts: Iterable<SnapshotPart>,
): number {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${String(head.seq).padStart(SEQ_DIGITS, '0')}.snapshot`);
  const beside = `${path}.new`;
  try {
    const length = writeSnapshotFile(beside, head, parts);
    renameSync(beside, path);
    syncPath(folder);
    return length;
  } catch (error) {
    // A full disk must not stay full of what is of no use.
    rmSync(beside, { force: true, recursive: true });
    throw error;
  }
}

/** By whoever starts, before any snapshot is made. */
export function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    // Also a folder of that name: it would be in the way of each attempt.
    if (LEFTOVER.test(name)) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

/**
 * Keeps the newest good ones and what is newer than the oldest of these, which a person may want to
 * look at. `unusable` are paths that were found to be of no use.
 */
export function pruneSnapshots(folder: string, unusable: ReadonlySet<string>): void {
  let good = 0;
  for (const { path } of listSnapshots(folder)) {
    if (good >= STORE_BOUNDS.keptSnapshots) rmSync(path, { force: true });
    else if (!unusable.has(path) && looksWhole(path)) good += 1;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // Where something else is in its place, writing will say so.
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
