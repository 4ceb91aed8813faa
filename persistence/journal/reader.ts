/**
 * Reads the journal with its archives in order of seq, in bounded steps over a read-only
 * connection. Each step is a separate transaction, so that a long replay never blocks a checkpoint
 * of the write-ahead log or a compaction. Invariant: every checksum is checked, and a missing seq
 * is an error. A missing archive fails only the reads that need it. Bound: one archive is open at
 * a time.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { openReadonly, STORE_BOUNDS, StoreError } from '../shared/index.ts';
import {
  Archive,
  type ArchiveRange,
  archiveFolder,
  archiveName,
  checkRanges,
  RANGE_COLUMNS,
} from './archive.ts';
import type { FillValues } from './fills.ts';
import { JournalPart, type StoredCommand } from './part.ts';
import { checkReadable, type JournalPlace, logPlaceOf } from './schema.ts';

export type { StoredCommand } from './part.ts';

/** A change of the engine's rules. */
export interface RulesBorder {
  /** The first command under these rules. */
  readonly fromSeq: number;
  readonly version: number;
}

export class JournalReader {
  readonly #database: Database;
  readonly #live: JournalPart;
  readonly #folder: string;
  readonly #selectLastSeq: Statement<[], number | null>;
  readonly #selectRules: Statement<[number], number>;
  readonly #selectBorder: Statement<[number], number>;
  readonly #selectArchivedSeq: Statement<[], number | null>;
  readonly #selectArchives: Statement<[], ArchiveRange>;
  #ranges: readonly ArchiveRange[] = [];
  #archive: Archive | undefined;

  /** Throws StoreError `journal_older` or `journal_newer`. */
  constructor(path: string) {
    this.#folder = archiveFolder(path);
    this.#database = openReadable(path);
    this.#live = new JournalPart(this.#database, damaged);
    this.#selectLastSeq = this.#database
      .prepare<[], number | null>('SELECT max(seq) FROM commands')
      .pluck();
    this.#selectRules = this.#database
      .prepare<[number], number>(
        'SELECT version FROM rules WHERE from_seq <= ? ORDER BY from_seq DESC LIMIT 1',
      )
      .pluck();
    this.#selectBorder = this.#database
      .prepare<[number], number>(
        'SELECT from_seq FROM rules WHERE from_seq > ? ORDER BY from_seq LIMIT 1',
      )
      .pluck();
    this.#selectArchivedSeq = this.#database
      .prepare<[], number | null>('SELECT max(last_seq) FROM archives')
      .pluck();
    this.#selectArchives = this.#database.prepare(
      `SELECT ${RANGE_COLUMNS} FROM archives ORDER BY last_seq`,
    );
  }

  /** The seq from which on all commands can be read: 1 unless an archive is missing. */
  get firstSeq(): number {
    const ranges = this.archives();
    const isHere = (range: ArchiveRange): boolean =>
      existsSync(join(this.#folder, archiveName(range)));
    const lastGone = ranges.findLast((range) => !isHere(range));
    return lastGone === undefined ? 1 : lastGone.lastSeq + 1;
  }

  /** The last durable command; 0 in an empty journal. */
  get lastSeq(): number {
    return this.#selectLastSeq.get() ?? 0;
  }

  /** The last durable command, and what the journal has of a cluster's log, at one moment. */
  end(): { readonly lastSeq: number; readonly place: JournalPlace | undefined } {
    return this.#inOneView(() => ({ lastSeq: this.lastSeq, place: logPlaceOf(this.#database) }));
  }

  /** The last archived command; 0 if there is no archive. */
  get archivedSeq(): number {
    return this.archives().at(-1)?.lastSeq ?? 0;
  }

  /** In order of seq. Throws StoreError `journal_damaged` for a gap or an overlap. */
  archives(): readonly ArchiveRange[] {
    if ((this.#selectArchivedSeq.get() ?? 0) === (this.#ranges.at(-1)?.lastSeq ?? 0)) {
      return this.#ranges;
    }
    const ranges = this.#selectArchives.all();
    checkRanges(ranges);
    this.#ranges = ranges;
    return ranges;
  }

  /** The rules under which a command ran, or will run. */
  rulesAt(seq: number): number {
    const version = this.#selectRules.get(seq);
    if (version === undefined)
      throw damaged(seq, 'ran under rules that the journal does not record');
    return version;
  }

  /** In order of seq; the first begins at seq 1. */
  rulesBorders(): RulesBorder[] {
    const select = this.#database.prepare<[], RulesBorder>(
      'SELECT from_seq AS fromSeq, version FROM rules ORDER BY from_seq',
    );
    return select.all();
  }

  /**
   * The last seq of a replay step after `fromSeq`, which is bounded in commands and fills. All its
   * commands ran under the same rules, `rulesAt(fromSeq + 1)`.
   */
  stepEnd(fromSeq: number, lastSeq: number): number {
    const { replayCommands, batchFills } = STORE_BOUNDS;
    return this.#inOneView(() => {
      const { part, endSeq } = this.#placeOf(fromSeq + 1);
      const byRules = (this.#selectBorder.get(fromSeq + 1) ?? Number.POSITIVE_INFINITY) - 1;
      const toSeq = Math.min(fromSeq + replayCommands, lastSeq, byRules, endSeq);
      return part.fillAfter(fromSeq, toSeq, batchFills) ?? toSeq;
    });
  }

  /**
   * All commands after `fromSeq` up to `toSeq`. Throws StoreError `journal_damaged`,
   * `archive_missing` or `archive_damaged`.
   */
  commands(fromSeq: number, toSeq: number): StoredCommand[] {
    return this.#read(fromSeq, toSeq, (part, from, to) => part.commands(from, to));
  }

  /** The fills of the commands after `fromSeq` up to `toSeq`, in order. Throws as `commands`. */
  fills(fromSeq: number, toSeq: number): FillValues[] {
    return this.#read(fromSeq, toSeq, (part, from, to) => part.fills(from, to));
  }

  /** undefined if there is no such command. Throws as `commands`. */
  checksumAt(seq: number): number | undefined {
    return this.#inOneView(() => {
      const known = this.archives().find(({ lastSeq }) => lastSeq === seq);
      return known?.lastChecksum ?? this.#placeOf(seq).part.checksumAt(seq);
    });
  }

  /**
   * The digest of the engine after a command; null if it is not the last of a batch, or in an
   * archive, or unknown.
   */
  digestAt(seq: number): number | null {
    return this.#live.digestAt(seq);
  }

  close(): void {
    this.#archive?.close();
    this.#database.close();
  }

  /** Reads a range in pieces, one for each database that it lies in. */
  #read<Row>(
    fromSeq: number,
    toSeq: number,
    read: (part: JournalPart, fromSeq: number, toSeq: number) => Row[],
  ): Row[] {
    const pieces: Row[][] = [];
    for (let from = fromSeq; from < toSeq; ) {
      from = this.#inOneView(() => {
        const { part, endSeq } = this.#placeOf(from + 1);
        const to = Math.min(endSeq, toSeq);
        pieces.push(read(part, from, to));
        return to;
      });
    }
    return pieces.length === 1 ? pieces[0]! : pieces.flat();
  }

  /** The database that has a command, and its last seq. */
  #placeOf(seq: number): { readonly part: JournalPart; readonly endSeq: number } {
    const range = this.archives().find(({ lastSeq }) => seq <= lastSeq);
    if (range === undefined) return { part: this.#live, endSeq: Number.POSITIVE_INFINITY };
    return { part: this.#open(range).part, endSeq: range.lastSeq };
  }

  #open(range: ArchiveRange): Archive {
    const open = this.#archive;
    if (open?.range.lastSeq === range.lastSeq) return open;
    open?.close();
    this.#archive = undefined;
    this.#archive = new Archive(join(this.#folder, archiveName(range)), range);
    return this.#archive;
  }

  /** In one transaction, so that a compaction can't move commands meanwhile. */
  #inOneView<Result>(look: () => Result): Result {
    return this.#database.transaction(look)();
  }
}

function openReadable(path: string): Database {
  const database = openReadonly(path);
  try {
    checkReadable(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function damaged(seq: number, what: string): StoreError {
  return new StoreError(
    'journal_damaged',
    `the journal's command ${seq} ${what}: the file was changed or damaged after it was written. ` +
      'Restore the newest backup',
  );
}
