/**
 * How far a compaction may go. Invariant: neither a start nor the projection needs archived
 * commands, even if the newest snapshot turns out to be damaged. Unusable snapshots and projections
 * do not count, so the limit errs towards archiving less.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { SNAPSHOT_FORMAT } from '../../engine/model/index.ts';
import type { JournalReader } from '../journal/reader.ts';
import type { ProjectionCursor } from '../projection/statements.ts';
import { codeOf, freeBytesAt, isMissingFile, openReadonly, StoreError } from '../shared/index.ts';
import { openSnapshot } from '../snapshots/file.ts';
import { listSnapshots, type SnapshotPlace } from '../snapshots/folder.ts';
import { BackupError } from './backup-manifest.ts';

/** The options of every tool that shows its progress. */
export interface ToolOptions {
  readonly dataDir: string;
  readonly onProgress?: (progress: ToolProgress) => void;
}

/** How far a tool has got, for a line on a terminal. */
export interface ToolProgress {
  /** What is counted: `commands replayed`. */
  readonly what: string;
  readonly done: number;
  /** 0 if it is not known. */
  readonly total: number;
}

/** Checks for free disk space before a large write. */
const MEGABYTE = 1_000_000;

/** Throws BackupError if a folder's disk has less free space. */
export function requireRoom(folder: string, neededBytes: number): void {
  const freeBytes = freeBytesAt(folder);
  if (freeBytes >= neededBytes) return;
  throw new BackupError(
    `${folder} has ${Math.floor(freeBytes / MEGABYTE)} MB free, and ` +
      `this needs ${Math.ceil(neededBytes / MEGABYTE)} MB: make room, or name another place`,
  );
}

/** Returns a BackupError if the disk is full, and `error` itself otherwise. */
export function namingFullDisk(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'SQLITE_FULL' && code !== 'EDQUOT') return error;
  return new BackupError(`${folder} is full: make room, and try again; nothing was left behind`);
}

/** Why a compaction does not go further. */
export type CompactionLimit = 'snapshots' | 'projection';

export interface CompactionEnd {
  /** The last command that may be archived; 0 for none. */
  readonly seq: number;
  readonly limitedBy: CompactionLimit;
}

/**
 * The seq of the newest usable snapshot that is not ahead of the projection's cursor, if there is a
 * projection, and has a newer usable snapshot.
 */
export function compactionEnd(dataDir: string, journal: JournalReader): CompactionEnd {
  const path = join(dataDir, 'analytics.db');
  // The core of a cluster and its standbys have no projection.
  const isAbsent = !existsSync(path) && journal.end().place !== undefined;
  const cursorSeq = isAbsent ? Number.POSITIVE_INFINITY : projectionCursor(path, journal);
  let hasNewer = false;
  let limitedBy: CompactionLimit = 'snapshots';
  for (const place of listSnapshots(join(dataDir, 'snapshots'))) {
    // Its commands are archived already.
    if (place.seq <= journal.archivedSeq) break;
    if (hasNewer && place.seq > cursorSeq) limitedBy = 'projection';
    else if (!isUsable(place, journal)) continue;
    else if (hasNewer) return { seq: place.seq, limitedBy };
    else hasNewer = true;
  }
  return { seq: 0, limitedBy };
}

/** Reads and checks the whole file. */
function isUsable({ seq, path }: SnapshotPlace, journal: JournalReader): boolean {
  try {
    const snapshot = openSnapshot(path);
    try {
      const { head } = snapshot;
      const isOfJournal = journal.checksumAt(seq) === head.commandChecksum;
      if (head.seq !== seq || head.imageVersion !== SNAPSHOT_FORMAT || !isOfJournal) return false;
      for (const { bytes } of snapshot.parts()) if (bytes.length === 0) continue;
      return true;
    } finally {
      snapshot.close();
    }
  } catch (error) {
    // It may have been removed meanwhile.
    if (error instanceof StoreError || isMissingFile(error)) return false;
    throw error;
  }
}

/** The projection's cursor; 0 if it is missing, damaged or of another journal. */
function projectionCursor(path: string, journal: JournalReader): number {
  if (!existsSync(path)) return 0;
  const database = openReadonly(path);
  try {
    const select = 'SELECT seq, checksum FROM progress';
    const cursor = database.prepare<[], ProjectionCursor>(select).get();
    if (cursor === undefined || cursor.seq <= journal.archivedSeq) return 0;
    return journal.checksumAt(cursor.seq) === cursor.checksum ? cursor.seq : 0;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return 0;
    throw error;
  } finally {
    database.close();
  }
}
