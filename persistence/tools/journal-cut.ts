/**
 * Cuts a journal that no exchange uses: afterwards a chosen command is its last one. Invariant: an
 * archive never has the last command, so one that has it, or later ones, is put back into the
 * journal and removed. The commands themselves are not changed. Bound: one transaction on disk.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { openCatalog } from '../../catalog/catalog.ts';
import { EngineMarkets } from '../../catalog/engine-markets.ts';
import { Engine } from '../../engine/index.ts';
import { Archive, type ArchiveRange, archiveFolder, archiveName } from '../journal/archive.ts';
import { cutOrderIds } from '../journal/order-id-intake.ts';
import { JournalReader } from '../journal/reader.ts';
import { dropLogPlace, endBatchAt } from '../journal/schema.ts';
import { recover } from '../recovery/recovery.ts';
import { readDatabase, restoredState } from '../shared/index.ts';
import { listSnapshots } from '../snapshots/folder.ts';
import { type Restored, restoreNewest } from '../snapshots/restore.ts';
import { BackupError } from './backup-manifest.ts';
import type { ToolOptions } from './compaction-limit.ts';

/** The last command to keep: a seq, or the last one at or before a time. */
export type CutPoint = { readonly seq: number } | { readonly timeMs: number };

/** Cuts the journal of a folder. Returns its last seq. Throws BackupError. */
export function cutJournal(folder: string, point: CutPoint): number {
  const path = join(folder, 'journal.db');
  const journal = new JournalReader(path);
  let archives: readonly ArchiveRange[];
  let seq: number;
  try {
    archives = journal.archives();
    seq = 'seq' in point ? checkedSeq(point.seq, journal) : seqAt(path, archives, point.timeMs);
  } finally {
    journal.close();
  }
  const cut = archives.filter((range) => range.lastSeq >= seq);
  const database = new SqliteDatabase(path);
  try {
    for (const range of cut) if (range.firstSeq <= seq) putBack(database, path, range, seq);
    database.transaction(() => deleteAfter(database, seq, cut))();
    database.exec('VACUUM');
  } finally {
    database.close();
  }
  for (const range of cut) rmSync(join(archiveFolder(path), archiveName(range)));
  const left = archiveFolder(path);
  if (existsSync(left) && readdirSync(left).length === 0) rmSync(left, { recursive: true });
  for (const snapshot of listSnapshots(join(folder, 'snapshots'))) {
    if (snapshot.seq > seq) rmSync(snapshot.path);
  }
  return seq;
}

function checkedSeq(seq: number, { lastSeq }: JournalReader): number {
  if (seq <= lastSeq) return seq;
  throw new BackupError(`the backup ends at seq ${lastSeq}, and seq ${seq} was asked for`);
}

/** The last command at or before a time. */
function seqAt(path: string, archives: readonly ArchiveRange[], timeMs: number): number {
  const files = archives.map((range) => join(archiveFolder(path), archiveName(range)));
  let earliest = Number.POSITIVE_INFINITY;
  for (const file of [path, ...files.toReversed()]) {
    const found = readDatabase(file, (database) =>
      database
        .prepare<[number], { seq: number | null; firstMs: number | null }>(
          'SELECT max(seq) FILTER (WHERE time_ms <= ?) AS seq, min(time_ms) AS firstMs ' +
            'FROM commands',
        )
        .get(timeMs),
    );
    if (typeof found?.seq === 'number') return found.seq;
    earliest = found?.firstMs ?? earliest;
  }
  const asked = new Date(timeMs).toISOString();
  throw new BackupError(
    Number.isFinite(earliest)
      ? `the first command of the backup is of ${new Date(earliest).toISOString()}, and ` +
          `${asked} was asked for`
      : 'the backup has no commands',
  );
}

/** Copies the commands of an archive that are kept back into the journal. */
function putBack(database: Database, path: string, range: ArchiveRange, seq: number): void {
  const file = join(archiveFolder(path), archiveName(range));
  new Archive(file, range).close();
  database.prepare('ATTACH ? AS archive').run(file);
  database.transaction(() => {
    for (const table of ['commands', 'fills']) {
      const select = `SELECT * FROM archive.${table} WHERE seq <= ?`;
      database.prepare(`INSERT INTO main.${table} ${select}`).run(seq);
    }
  })();
  database.exec('DETACH archive');
}

function deleteAfter(database: Database, seq: number, cut: readonly ArchiveRange[]): void {
  for (const table of ['commands', 'fills', 'money_keys']) {
    database.prepare(`DELETE FROM ${table} WHERE seq > ?`).run(seq);
  }
  for (const { lastSeq } of cut) {
    database.prepare('DELETE FROM archives WHERE last_seq = ?').run(lastSeq);
  }
  database.prepare('DELETE FROM rules WHERE from_seq > ?').run(seq);
  cutOrderIds(database, seq);
  endBatchAt(database, seq);
  // It has less now than the log of a cluster had up to its place there.
  dropLogPlace(database);
}

// Makes a restored folder be as of an earlier command: cuts the journal there, replays what is
// left, and makes the catalog agree with it. Invariant: the folder is used only if its journal
// replays to a valid state. Texts of the catalog stay as of the backup: they have no history.

/** Throws BackupError, or StoreError if the journal does not replay. */
export async function restorePoint(
  folder: string,
  point: CutPoint,
  onProgress: ToolOptions['onProgress'],
): Promise<void> {
  const lastSeq = cutJournal(folder, point);
  const journalPath = join(folder, 'journal.db');
  const feed = new EngineMarkets({
    onFailure: (error) => {
      throw error;
    },
  });
  const restored = await snapshotOf(folder, journalPath, lastSeq);
  if (restored !== undefined) {
    feed.restore(restoredState(restored.engine, restored.facts, restored.head));
  }
  const engine = restored?.engine ?? new Engine();
  await recover({
    journalPath,
    engine,
    fromSeq: restored?.head.seq ?? 0,
    lastSeq,
    onDurable: (commands) => {
      feed.consume(commands);
      const done = commands.at(-1)?.seq ?? 0;
      onProgress?.({ what: 'commands replayed', done, total: lastSeq });
    },
  });
  engine.validate();
  await reconcile(join(folder, 'catalog.db'), feed);
}

async function snapshotOf(
  folder: string,
  journalPath: string,
  lastSeq: number,
): Promise<Restored | undefined> {
  const journal = new JournalReader(journalPath);
  try {
    return await restoreNewest({ folder: join(folder, 'snapshots'), journal, lastSeq });
  } finally {
    journal.close();
  }
}

/** Markets that ended after the point are open again, and each market has a record. */
async function reconcile(path: string, feed: EngineMarkets): Promise<void> {
  const catalog = openCatalog(path);
  try {
    await feed.open({
      reconcile: async ({ markets, ends }) => catalog.reconcile(markets, ends),
      markEnded: async (ends) => {
        catalog.markEnded(ends);
        return undefined;
      },
    });
    await feed.close();
  } finally {
    catalog.close();
  }
}
