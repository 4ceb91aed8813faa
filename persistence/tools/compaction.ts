/**
 * Compaction: moves the oldest commands and fills of the journal into an archive. Invariant: they
 * are in a synced archive that was compared with the journal, and noted there, before the first row
 * leaves it; a crash at any point leaves the old state or the new one, and doing it again finishes.
 * `order_ids` stays whole, so that a retry is recognised at any distance. It runs beside a live
 * exchange over a connection of its own. Bound: one step of the journal in memory; the journal's
 * writer waits for STORE_PACE.compactionTurnMs at a time, more or less.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as rest } from 'node:timers/promises';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { takeLock } from '../folder/index.ts';
import {
  Archive,
  type ArchiveRange,
  archiveDamaged,
  archiveFolder,
  archiveName,
  checkRanges,
  JournalReader,
  rangeOf,
  rangeOfName,
} from '../journal/index.ts';
import { STORE_PACE, StoreError, syncPath } from '../shared/index.ts';
import { compareArchive, writeArchive } from './archive-maker.ts';
import { type CompactionLimit, compactionEnd } from './compaction-limit.ts';

/** What has been done when the test seam is told of it. */
export type CompactionStep = 'written' | 'compared' | 'renamed' | 'noted' | 'fills_deleted';

export interface CompactionOptions {
  readonly dataDir: string;
  /**
   * Gives what the journal's file no longer needs back to the disk. Only on a folder at rest: it
   * takes the folder's lock.
   */
  readonly shrink?: boolean;
  /** Commands copied, compared and taken out. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Test seam. */
  readonly onStep?: (step: CompactionStep) => void;
}

export interface CompactionReport {
  /** The file in the folder `archive`; undefined when there was nothing to move. */
  readonly archive: string | undefined;
  /** 0 and 0 when there was nothing to move. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly commands: number;
  readonly fills: number;
  /** Why it did not go further. */
  readonly limitedBy: CompactionLimit;
  /** Rows that a compaction before this one had left behind, and that are gone now. */
  readonly leftovers: number;
  /** Of the journal's file as it is now. */
  readonly journalBytes: number;
  /** How many of them are free: later commands use them, and shrinking would give them back. */
  readonly freeBytes: number;
}

/**
 * Throws StoreError `compacting` while another one is running, `folder_locked` for a shrink beside
 * a live exchange, `archive_missing` or `archive_damaged` where earlier work can't be gone on with.
 */
export async function compactJournal(options: CompactionOptions): Promise<CompactionReport> {
  const journalPath = join(options.dataDir, 'journal.db');
  if (!existsSync(journalPath)) {
    throw new StoreError('journal_damaged', `${journalPath} is not there: name a data folder`);
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
    const limit = compactionEnd({
      journal: this.#journal,
      snapshotFolder: join(this.#options.dataDir, 'snapshots'),
      projectionPath: join(this.#options.dataDir, 'analytics.db'),
    });
    const range = await this.#archiveUpTo(firstSeq, limit.seq);
    if (range === undefined) return { moved: NOTHING, limitedBy: limit.limitedBy };
    this.#note(range);
    this.#tell('noted');
    const commands = range.lastSeq - range.firstSeq + 1;
    await this.#takeOut(range.lastSeq);
    const { lastSeq, fillCount: fills } = range;
    const moved = { archive: archiveName(range), firstSeq, lastSeq, commands, fills };
    return { moved, limitedBy: limit.limitedBy };
  }

  /** What is neither archived nor here is not for a compaction to pass over. */
  #checkBegin(firstSeq: number): void {
    const select = this.#database.prepare<[], number | null>('SELECT min(seq) FROM commands');
    const seq = select.pluck().get() ?? firstSeq;
    if (seq === firstSeq) return;
    throw new StoreError(
      'journal_damaged',
      `${this.#journalPath} begins at command ${seq}, and the archives that it names end at ` +
        `${firstSeq - 1}: what it notes of its archives was lost. Restore the newest backup`,
    );
  }

  /** The archive that begins at `firstSeq`, in place; undefined when there is nothing for one. */
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
    this.#tell('written');
    await this.#walk(compareArchive(beside, source, range), firstSeq);
    this.#tell('compared');
    renameSync(beside, path);
    syncPath(this.#folder);
    syncPath(dirname(this.#folder));
    this.#tell('renamed');
    return range;
  }

  /** An archive that got its name before a crash, and is not noted. */
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
    throw archiveDamaged(
      path,
      `the journal has archived commands up to ${firstSeq - 1} and notes no such archive. It is ` +
        'of another or a newer journal: move it away if this journal is the right one',
    );
  }

  /** Takes out what the last compaction noted and did not come to. */
  async #finishEarlier(): Promise<number> {
    const range = this.#journal.archives().at(-1);
    if (range === undefined) return 0;
    const commands = this.#count('commands', range.lastSeq);
    const left = commands + this.#count('fills', range.lastSeq);
    if (left === 0) return 0;
    this.#total += commands;
    new Archive(join(this.#folder, archiveName(range)), range).close();
    await this.#takeOut(range.lastSeq);
    return left;
  }

  #note(range: ArchiveRange): void {
    const { lastSeq, firstSeq, lastChecksum, commandsChecksum, fillCount } = range;
    const insert = this.#database.prepare('INSERT INTO archives VALUES (?, ?, ?, ?, ?)');
    checkRanges([...this.#journal.archives(), range]);
    insert.run(lastSeq, firstSeq, lastChecksum, commandsChecksum, fillCount);
  }

  async #takeOut(lastSeq: number): Promise<void> {
    await this.#deleteRows(DELETE_FILLS, lastSeq, () => undefined);
    this.#tell('fills_deleted');
    await this.#deleteRows(DELETE_COMMANDS, lastSeq, (rows) => this.#advance(rows));
  }

  /** In short transactions, with pauses in which the journal's writer has its turns. */
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

  /** Beside a live exchange this would keep commits out for as long as it takes. */
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

  #tell(step: CompactionStep): void {
    this.#options.onStep?.(step);
  }
}

const HALF_WRITTEN = '.new';

const DELETE_COMMANDS =
  'DELETE FROM commands WHERE seq <= (SELECT max(seq) FROM ' +
  '(SELECT seq FROM commands WHERE seq <= @lastSeq ORDER BY seq LIMIT @rows))';
/** By row, for one command may have thousands of them. */
const DELETE_FILLS =
  'DELETE FROM fills WHERE (seq, ordinal) IN ' +
  '(SELECT seq, ordinal FROM fills WHERE seq <= @lastSeq ORDER BY seq, ordinal LIMIT @rows)';

/**
 * Its commits are not synced: they only take out what is archived, and a sync would keep the
 * journal's writer waiting. What the writer commits and syncs after them takes them along, and
 * what is lost with the power is taken out again.
 */
function openForDeletes(path: string): Database {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  database.pragma('synchronous = NORMAL');
  return database;
}

/** In a folder of its own, so that nothing but archives has the name of a database there. */
function lockCompaction(folder: string): Database {
  const path = join(folder, 'compact-lock');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = takeLock(path);
  if (lock !== undefined) return lock;
  throw new StoreError('compacting', `${folder} is in use by another compaction: wait for its end`);
}

function lockFolder(dataDir: string): Database {
  const lock = takeLock(dataDir);
  if (lock !== undefined) return lock;
  throw new StoreError(
    'folder_locked',
    `the data folder ${dataDir} is in use: to shrink the journal's file, stop the exchange ` +
      'first. Without shrinking, a compaction runs beside it, and the free room is used again',
  );
}
