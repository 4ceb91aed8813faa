/**
 * Archives: files that hold a closed range of the journal's commands and fills, moved there by
 * compaction (compaction.ts). Invariant: an archive never changes once it has its name; the journal
 * has a row about each, and a file that says something else of itself is refused. The rows follow
 * each other from seq 1 without gap or overlap.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { messageOf, openReadonly, StoreError } from '../shared/index.ts';
import { JournalPart } from './part.ts';

/** A row of the journal's `archives`, and the one row of an archive's own `archive`. */
export interface ArchiveRange {
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Of the last command. */
  readonly lastChecksum: number;
  /** CRC-32 over the checksums of all commands, each as 4 bytes, the lowest first. */
  readonly commandsChecksum: number;
  readonly fillCount: number;
}

/** Beside the tables of records: the row is written last, so a file without it is not whole. */
export const ARCHIVE_TABLE = `
CREATE TABLE archive (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_checksum INTEGER NOT NULL,
  commands_checksum INTEGER NOT NULL,
  fill_count INTEGER NOT NULL
) STRICT;
`;

export const RANGE_COLUMNS =
  'first_seq AS firstSeq, last_seq AS lastSeq, last_checksum AS lastChecksum, ' +
  'commands_checksum AS commandsChecksum, fill_count AS fillCount';

export type SeqRange = Pick<ArchiveRange, 'firstSeq' | 'lastSeq'>;

const SEQ_DIGITS = 15;
const NAME = /^journal-([0-9]{15})-([0-9]{15})\.db$/;

/** Beside the journal. */
export function archiveFolder(journalPath: string): string {
  return join(dirname(journalPath), 'archive');
}

/** Names sort as the ranges do. */
export function archiveName({ firstSeq, lastSeq }: SeqRange): string {
  const digits = (seq: number): string => String(seq).padStart(SEQ_DIGITS, '0');
  return `journal-${digits(firstSeq)}-${digits(lastSeq)}.db`;
}

/** undefined for what is not the name of an archive. */
export function rangeOfName(name: string): SeqRange | undefined {
  const [, firstSeq, lastSeq] = NAME.exec(name) ?? [];
  if (firstSeq === undefined) return undefined;
  return { firstSeq: Number(firstSeq), lastSeq: Number(lastSeq) };
}

/** Throws StoreError `journal_damaged` for rows that do not follow each other. */
export function checkRanges(ranges: readonly ArchiveRange[]): void {
  let lastSeq = 0;
  for (const range of ranges) {
    if (range.firstSeq !== lastSeq + 1 || range.lastSeq < range.firstSeq) {
      throw new StoreError(
        'journal_damaged',
        `the journal notes an archive of seq ${range.firstSeq} to ${range.lastSeq} after one ` +
          `that ends at ${lastSeq}: archives follow each other without gap or overlap. ` +
          'Restore the newest backup',
      );
    }
    lastSeq = range.lastSeq;
  }
}

/** An archive that is open for reading, as part of the whole. */
export class Archive {
  readonly range: ArchiveRange;
  readonly part: JournalPart;
  readonly #database: Database;

  /** Throws StoreError `archive_missing` or `archive_damaged`. */
  constructor(path: string, range: ArchiveRange) {
    this.range = range;
    if (!existsSync(path)) throw missing(path, range);
    this.#database = openArchive(path);
    this.part = new JournalPart(this.#database, (seq, what) =>
      archiveDamaged(path, `its command ${seq} ${what}`),
    );
    const own = ownRange(this.#database, path);
    const isNoted = JSON.stringify(own) === JSON.stringify(range);
    if (isNoted) return;
    this.close();
    throw archiveDamaged(path, 'it is not the archive that the journal notes by this name');
  }

  close(): void {
    this.#database.close();
  }
}

function openArchive(path: string): Database {
  const database = openReadonly(path);
  try {
    database.prepare('SELECT 1 FROM archive').get();
    return database;
  } catch (error) {
    database.close();
    throw archiveDamaged(path, messageOf(error));
  }
}

/** What an archive says of itself. Throws StoreError `archive_damaged`. */
export function rangeOf(path: string): ArchiveRange {
  const database = openArchive(path);
  try {
    return ownRange(database, path);
  } finally {
    database.close();
  }
}

function ownRange(database: Database, path: string): ArchiveRange {
  const select = database.prepare<[], ArchiveRange>(`SELECT ${RANGE_COLUMNS} FROM archive`);
  const own = select.get();
  if (own === undefined) throw archiveDamaged(path, 'it was never finished');
  return own;
}

function missing(path: string, { firstSeq, lastSeq }: ArchiveRange): StoreError {
  return new StoreError(
    'archive_missing',
    `commands ${firstSeq} to ${lastSeq} are needed, and ${path}, to which they were moved by a ` +
      'compaction, is not there: put it back, from where it was moved to or from a backup',
  );
}

export function archiveDamaged(path: string, what: string): StoreError {
  return new StoreError(
    'archive_damaged',
    `${path} can't be used: ${what}. Put the file back as it was made, from a backup`,
  );
}
