/**
 * Archives: files to which compaction moved a range of the journal's commands and fills. Invariant:
 * an archive never changes. The journal has a row for each archive, and the archive has a copy of
 * it; if they differ, the file is refused. The ranges begin at seq 1 and have no gap or overlap.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import {
  messageOf,
  newestVersion,
  openReadonly,
  programToStart,
  readDatabase,
  refuseNewer,
  StoreError,
  versionOf,
} from '../shared/index.ts';
import { JournalPart } from './part.ts';
import { JOURNAL_FORMAT } from './schema.ts';

export interface ArchiveRange {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly lastChecksum: number;
  /** CRC-32 over the checksums of all commands, each as 4 bytes, the lowest first. */
  readonly commandsChecksum: number;
  readonly fillCount: number;
}

/**
 * Creates the tables of an archive, all empty, in the format of the journal, which is attached as
 * `journal`.
 */
export function createArchive(database: Database): void {
  const select = database.prepare<[], string>(
    'SELECT sql FROM journal.sqlite_schema ' +
      "WHERE name IN ('commands', 'fills', 'rules', 'archives')",
  );
  for (const sql of select.pluck().all()) database.exec(sql);
  const version = database.pragma('journal.user_version', { simple: true });
  database.pragma(`user_version = ${version}`);
}

export const RANGE_COLUMNS =
  'first_seq AS firstSeq, last_seq AS lastSeq, last_checksum AS lastChecksum, ' +
  'commands_checksum AS commandsChecksum, fill_count AS fillCount';

export type SeqRange = Pick<ArchiveRange, 'firstSeq' | 'lastSeq'>;

const SEQ_DIGITS = 15;
const NAME = /^journal-([0-9]{15})-([0-9]{15})\.db$/;

export function archiveFolder(journalPath: string): string {
  return join(dirname(journalPath), 'archive');
}

/** Names sort in the order of the ranges. */
export function archiveName({ firstSeq, lastSeq }: SeqRange): string {
  const digits = (seq: number): string => String(seq).padStart(SEQ_DIGITS, '0');
  return `journal-${digits(firstSeq)}-${digits(lastSeq)}.db`;
}

export function rangeOfName(name: string): SeqRange | undefined {
  const [, firstSeq, lastSeq] = NAME.exec(name) ?? [];
  if (firstSeq === undefined) return undefined;
  return { firstSeq: Number(firstSeq), lastSeq: Number(lastSeq) };
}

/** Throws StoreError `journal_damaged` if there is a gap or an overlap, or a range is empty. */
export function checkRanges(ranges: readonly ArchiveRange[]): void {
  let lastSeq = 0;
  for (const range of ranges) {
    if (range.firstSeq !== lastSeq + 1 || range.lastSeq < range.firstSeq) {
      throw new StoreError(
        'journal_damaged',
        `the journal lists an archive of seq ${range.firstSeq} to ${range.lastSeq} after one ` +
          `that ends at ${lastSeq}: archives must follow each other without gap or overlap. ` +
          'Restore the newest backup',
      );
    }
    lastSeq = range.lastSeq;
  }
}

export class Archive {
  readonly range: ArchiveRange;
  readonly part: JournalPart;
  readonly #database: Database;

  /** Throws StoreError `archive_missing`, `archive_damaged` or `journal_newer`. */
  constructor(path: string, range: ArchiveRange) {
    this.range = range;
    if (!existsSync(path)) throw missing(path, range);
    if (JSON.stringify(rangeOf(path)) !== JSON.stringify(range)) {
      throw archiveDamaged(path, 'it has other content than the journal lists for this archive');
    }
    this.#database = openReadonly(path);
    this.part = new JournalPart(this.#database, (seq, what) =>
      archiveDamaged(path, `its command ${seq} ${what}`),
    );
  }

  close(): void {
    this.#database.close();
  }
}

/** The range in an archive's own row. Throws StoreError `archive_damaged` or `journal_newer`. */
export function rangeOf(path: string): ArchiveRange {
  return readDatabase(path, (database) => ownRange(database, path));
}

function ownRange(database: Database, path: string): ArchiveRange {
  refuseNewer({
    ...{ code: 'journal_newer', what: `${path} has format version`, found: versionOf(database) },
    ...{ known: newestVersion(JOURNAL_FORMAT), advice: () => programToStart(undefined) },
  });
  let own: ArchiveRange | undefined;
  try {
    own = database.prepare<[], ArchiveRange>(`SELECT ${RANGE_COLUMNS} FROM archives`).get();
  } catch (error) {
    throw archiveDamaged(path, messageOf(error));
  }
  if (own === undefined) throw archiveDamaged(path, 'it was not written to its end');
  return own;
}

function missing(path: string, { firstSeq, lastSeq }: ArchiveRange): StoreError {
  return new StoreError(
    'archive_missing',
    `${path} is missing. It has commands ${firstSeq} to ${lastSeq}, which a compaction moved ` +
      'there: put the file back from where you moved it, or from a backup',
  );
}

export function archiveDamaged(path: string, what: string): StoreError {
  return new StoreError(
    'archive_damaged',
    `${path} can't be used: ${what}. Put the file back from a backup`,
  );
}
