/**
 * How far a compaction may go. Invariant: a start needs nothing of what is archived, even if the
 * newest snapshot turns out bad; nor does the projection, which goes on at its cursor. What can't
 * be used now does not count, so the limit errs towards archiving less.
 */
import { existsSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { SNAPSHOT_FORMAT } from '../../engine/model/index.ts';
import type { JournalReader } from '../journal/index.ts';
import { isMissingFile, openReadonly, StoreError } from '../shared/index.ts';
import { listSnapshots, openSnapshot, type SnapshotPlace } from '../snapshots/index.ts';

/** What keeps a compaction from going further. */
export type CompactionLimit = 'snapshots' | 'projection';

export interface CompactionEnd {
  /** The last command that may be archived; 0 for none. */
  readonly seq: number;
  readonly limitedBy: CompactionLimit;
}

export interface LimitOptions {
  readonly journal: JournalReader;
  readonly snapshotFolder: string;
  readonly projectionPath: string;
}

/**
 * The seq of the newest snapshot that can be used but for the one after it, and that the projection
 * can begin from. It is below the journal's last command, for a snapshot shows what is durable.
 */
export function compactionEnd(options: LimitOptions): CompactionEnd {
  const { journal, snapshotFolder, projectionPath } = options;
  const cursorSeq = projectionCursor(projectionPath, journal);
  let hasNewer = false;
  let limitedBy: CompactionLimit = 'snapshots';
  for (const place of listSnapshots(snapshotFolder)) {
    // Of what is archived already, nothing more can be.
    if (place.seq <= journal.archivedSeq) break;
    if (hasNewer && place.seq > cursorSeq) limitedBy = 'projection';
    else if (!isUsable(place, journal)) continue;
    else if (hasNewer) return { seq: place.seq, limitedBy };
    else hasNewer = true;
  }
  return { seq: 0, limitedBy };
}

/** Reads all of it. */
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
    // One that is pruned meanwhile is not there to be used either.
    if (error instanceof StoreError || isMissingFile(error)) return false;
    throw error;
  }
}

/** Where the projection goes on; 0 for one that is not there, of another journal, or broken. */
function projectionCursor(path: string, journal: JournalReader): number {
  if (!existsSync(path)) return 0;
  const database = openReadonly(path);
  try {
    const select = database.prepare<[], { readonly seq: number; readonly checksum: number }>(
      'SELECT seq, checksum FROM progress',
    );
    const cursor = select.get();
    if (cursor === undefined || cursor.seq <= journal.archivedSeq) return 0;
    return journal.checksumAt(cursor.seq) === cursor.checksum ? cursor.seq : 0;
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return 0;
    throw error;
  } finally {
    database.close();
  }
}
