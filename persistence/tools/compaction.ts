/**
 * Compaction: moves the oldest commands and fills of the journal into an archive
 * (docs/decisions/0016-archives-and-backups.md). Invariant: before the first row is deleted,
 * all are in a synced archive that was compared with the journal and recorded in it. After a crash
 * at any point the journal is complete, and the next compaction finishes the work. `order_ids` is
 * never reduced, so that a retry is recognised however late it comes. Compaction runs beside a live
 * exchange over its own connection. Bound: one step of the journal in memory; the journal's writer
 * waits for about STORE_PACE.compactionTurnMs at a time.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { takeLock } from '../folder/data-folder.ts';
import {
  Archive,
  type ArchiveRange,
  archiveFolder,
  archiveName,
  checkRanges,
  rangeOf,
  rangeOfName,
} from '../journal/archive.ts';
import { JournalReader } from '../journal/reader.ts';
import { STORE_PACE, StoreError, syncPath } from '../shared/index.ts';
import { compareArchive, writeArchive } from './archive-maker.ts';
import { type CompactionLimit, compactionEnd } from './compaction-limit.ts';

/** The steps that a test can observe. */
export type CompactionStep = 'written' | 'compared' | 'renamed' | 'noted' | 'fills_deleted';

export interface CompactionOptions {
  readonly dataDir: string;
  /**
   * Returns the journal's free space to the file system. It locks the folder, so no exchange may
   * be running.
   */
  readonly shrink?: boolean;
  /** Counts commands copied, compared and deleted. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Test seam: called after each step. */
  readonly onStep?: (step: CompactionStep) => void;
}

export interface CompactionReport {
  /** The new file in the folder `archive`; undefined if there was nothing to move. */
  readonly archive: string | undefined;
  /** Both 0 if there was nothing to move. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly commands: number;
  readonly fills: number;
  /** Why it did not go further. */
  readonly limitedBy: CompactionLimit;
  /** Rows that an interrupted compaction left and this one deleted. */
  readonly leftovers: number;
  /** The size of the journal's file now. */
  readonly journalBytes: number;
  /** The free part of it: later commands reuse it, or `shrink` returns it to the file system. */
  readonly freeBytes: number;
}

/**
 * Throws StoreError `compacting` while another one is running, `folder_locked` for a shrink beside
 * a live exchange, `archive_missing` or `archive_damaged` if an interrupted one can't be finished.
 */
export async function compactJournal(options: CompactionOptions): Promise<CompactionReport> {
  const journalPath = join(options.dataDir, 'journal.db');
  if (!existsSync(journalPath)) {
    throw new StoreError('journal_damaged', `${journalPath} is missing: name a data folder`);
  }
  const lock = lockCompaction(archiveFolder(journalPath));
  try {
    const folderLock = options.shrink === true ? lockFolder(options.dataDir) : undefined;
    try {
      return await new Compaction(options, journalPath).run();
    } finally {
      folderLock?.close();
    }
  } finally {
    lock.close();
  }
}

type Moved = Pick<CompactionReport, 'archive' | 'firstSeq' | 'lastSeq' | 'commands' | 'fills'>;

const NOTHING: Moved = { archive: undefined, firstSeq: 0, lastSeq: 0, commands: 0, fills: 0 };

class Compaction {
  readonly #options: CompactionOptions;
  readonly #journalPath: string;
  readonly #folder: string;
  readonly #journal: JournalReader;
  readonly #database: Database;
  #done = 0;
  #total = 0;

  constructor(options: CompactionOptions, journalPath: string) {
    this.#options = options;
    this.#journalPath = journalPath;
    this.#folder = archiveFolder(journalPath);
    this.#journal = new JournalReader(journalPath);
    this.#database = openForDeletes(journalPath);
  }

  async run(): Promise<CompactionReport> {
    try {
      this.#removeHalfWritten();
      const leftovers = await this.#finishEarlier();
      const { moved, limitedBy } = await this.#move();
      if (this.#options.shrink === true) this.#shrink();
      return { ...moved, limitedBy, leftovers, ...this.#size() };
    } finally {
      this.#journal.close();
      this.#database.close();
    }
  }

  async #move() {
    const firstSeq = this.#journal.archivedSeq + 1;
    this.#checkBegin(firstSeq);
    const limit = compactionEnd(this.#options.dataDir, this.#journal);
    const range = await this.#archiveUpTo(firstSeq, limit.seq);
    if (range === undefined) return { moved: NOTHING, limitedBy: limit.limitedBy };
    this.#record(range);
    this.#report('noted');
    const commands = range.lastSeq - range.firstSeq + 1;
    await this.#delete(range.lastSeq);
    const { lastSeq, fillCount: fills } = range;
    const moved = { archive: archiveName(range), firstSeq, lastSeq, commands, fills };
    return { moved, limitedBy: limit.limitedBy };
  }

  /** Refuses a journal that lacks commands between its archives and its first row. */
  #checkBegin(firstSeq: number): void {
    const select = this.#database.prepare<[], number | null>('SELECT min(seq) FROM commands');
    const seq = select.pluck().get() ?? firstSeq;
    if (seq === firstSeq) return;
    throw new StoreError(
      'journal_damaged',
      `${this.#journalPath} begins at command ${seq}, but its last archive ends at command ` +
        `${firstSeq - 1}: its table of archives lost rows. Restore the newest backup`,
    );
  }

  /** Makes or finds the archive that begins at `firstSeq`; undefined if nothing can be archived. */
  async #archiveUpTo(firstSeq: number, lastSeq: number): Promise<ArchiveRange | undefined> {
    const source = { journal: this.#journal, journalPath: this.#journalPath };
    const known = this.#finished(firstSeq);
    if (known !== undefined) {
      const range = rangeOf(known);
      this.#total += 2 * (range.lastSeq - range.firstSeq + 1);
      await this.#walk(compareArchive(known, source, range), range.firstSeq);
      syncPath(this.#folder);
      return range;
    }
    if (lastSeq < firstSeq) return undefined;
    this.#total += 3 * (lastSeq - firstSeq + 1);
    const path = join(this.#folder, archiveName({ firstSeq, lastSeq }));
    const beside = `${path}${HALF_WRITTEN}`;
    const range = await this.#walk(writeArchive(beside, source, { firstSeq, lastSeq }), firstSeq);
    this.#report('written');
    await this.#walk(compareArchive(beside, source, range), firstSeq);
    this.#report('compared');
    renameSync(beside, path);
    syncPath(this.#folder);
    syncPath(dirname(this.#folder));
    this.#report('renamed');
    return range;
  }

  /** Finds an archive that was finished before a crash but not recorded. */
  #finished(firstSeq: number): string | undefined {
    const ranges = readdirSync(this.#folder).flatMap((name) => rangeOfName(name) ?? []);
    const beyond = ranges.filter(({ lastSeq }) => lastSeq >= firstSeq);
    const [range] = beyond;
    if (range === undefined) return undefined;
    const path = join(this.#folder, archiveName(range));
    if (
      beyond.length === 1 &&
      range.firstSeq === firstSeq &&
      range.lastSeq < this.#journal.lastSeq
    ) {
      return path;
    }
    throw new StoreError(
      'archive_damaged',
      `the journal does not list ${path}; its archives end at command ${firstSeq - 1}. Another ` +
        'journal, or a newer copy of this one, wrote that file: move it away if this journal is ' +
        'the right one',
    );
  }

  /** Deletes the rows that an interrupted compaction recorded and did not delete. */
  async #finishEarlier(): Promise<number> {
    const range = this.#journal.archives().at(-1);
    if (range === undefined) return 0;
    const commands = this.#count('commands', range.lastSeq);
    const left = commands + this.#count('fills', range.lastSeq);
    if (left === 0) return 0;
    this.#total += commands;
    new Archive(join(this.#folder, archiveName(range)), range).close();
    await this.#delete(range.lastSeq);
    return left;
  }

  #record(range: ArchiveRange): void {
    const { lastSeq, firstSeq, lastChecksum, commandsChecksum, fillCount } = range;
    const insert = this.#database.prepare('INSERT INTO archives VALUES (?, ?, ?, ?, ?)');
    checkRanges([...this.#journal.archives(), range]);
    insert.run(lastSeq, firstSeq, lastChecksum, commandsChecksum, fillCount);
  }

  async #delete(lastSeq: number): Promise<void> {
    await this.#deleteRows(DELETE_FILLS, lastSeq, () => undefined);
    this.#report('fills_deleted');
    await this.#deleteRows(DELETE_COMMANDS, lastSeq, (rows) => this.#advance(rows));
  }

  /** Deletes in short transactions, with pauses for the journal's writer. */
  async #deleteRows(
    sql: string,
    lastSeq: number,
    onDeleted: (rows: number) => void,
  ): Promise<void> {
    const { compactionTurnMs, compactionRestMs, compactionRows } = STORE_PACE;
    const [fewest, most] = compactionRows;
    const remove = this.#database.prepare<{ lastSeq: number; rows: number }>(sql);
    for (let rows: number = fewest; ; ) {
      const startedMs = performance.now();
      const { changes } = remove.run({ lastSeq, rows });
      onDeleted(changes);
      if (changes === 0) return;
      const tookMs = performance.now() - startedMs;
      rows = tookMs > compactionTurnMs ? rows / 2 : rows * 2;
      rows = Math.min(Math.max(Math.floor(rows), fewest), most);
      await rest(compactionRestMs);
    }
  }

  async #walk<Result>(steps: Generator<number, Result>, firstSeq: number): Promise<Result> {
    let fromSeq = firstSeq - 1;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      this.#advance(step.value - fromSeq);
      fromSeq = step.value;
      await nextTurn();
    }
  }

  /** Shrinks the file. This blocks commits, so it never runs beside a live exchange. */
  #shrink(): void {
    this.#database.pragma('synchronous = FULL');
    this.#database.exec('VACUUM');
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
  }

  #size(): Pick<CompactionReport, 'journalBytes' | 'freeBytes'> {
    const ask = (pragma: string): number => Number(this.#database.pragma(pragma, { simple: true }));
    const pageBytes = ask('page_size');
    return {
      journalBytes: ask('page_count') * pageBytes,
      freeBytes: ask('freelist_count') * pageBytes,
    };
  }

  #count(table: 'commands' | 'fills', lastSeq: number): number {
    const select = this.#database.prepare<[number], number>(
      `SELECT count(*) FROM ${table} WHERE seq <= ?`,
    );
    return select.pluck().get(lastSeq) ?? 0;
  }

  #removeHalfWritten(): void {
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith(HALF_WRITTEN)) rmSync(join(this.#folder, name), { force: true });
    }
  }

  #advance(commands: number): void {
    this.#done += commands;
    if (commands > 0) this.#options.onProgress?.(this.#done, this.#total);
  }

  #report(step: CompactionStep): void {
    this.#options.onStep?.(step);
  }
}

const HALF_WRITTEN = '.new';

const DELETE_COMMANDS =
  'DELETE FROM commands WHERE seq <= (SELECT max(seq) FROM ' +
  '(SELECT seq FROM commands WHERE seq <= @lastSeq ORDER BY seq LIMIT @rows))';
/** Limited by rows, because one command may have thousands of fills. */
const DELETE_FILLS =
  'DELETE FROM fills WHERE (seq, ordinal) IN ' +
  '(SELECT seq, ordinal FROM fills WHERE seq <= @lastSeq ORDER BY seq, ordinal LIMIT @rows)';

/**
 * Its commits are not synced, because a sync would make the journal's writer wait. The writer's
 * next sync covers them, and rows that reappear after a power loss are deleted again.
 */
function openForDeletes(path: string): Database {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  database.pragma('synchronous = NORMAL');
  return database;
}

/** The lock is in its own folder, so that the archive folder has no databases but archives. */
function lockCompaction(folder: string): Database {
  const path = join(folder, 'compact-lock');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = takeLock(path);
  if (lock !== undefined) return lock;
  throw new StoreError(
    'compacting',
    `${folder} is in use by another compaction: wait until it ends`,
  );
}

function lockFolder(dataDir: string): Database {
  const lock = takeLock(dataDir);
  if (lock !== undefined) return lock;
  throw new StoreError(
    'folder_locked',
    `the data folder ${dataDir} is in use: to shrink the journal's file, stop the exchange ` +
      'first. Without --shrink, a compaction runs beside it, and the exchange reuses the ' +
      'free space',
  );
}
