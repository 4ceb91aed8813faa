/**
 * Writes an archive of a range of the journal, and compares one with the journal before compaction
 * deletes anything. Invariant: a finished archive is on the disk and is never written again. Bound:
 * one step of the journal at a time, in a short read transaction; the caller may pause in between.
 */
import { strict as assert } from 'node:assert';
import { chmodSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import {
  Archive,
  type ArchiveRange,
  archiveDamaged,
  createArchive,
  type SeqRange,
} from '../journal/archive.ts';
import type { JournalReader } from '../journal/reader.ts';
import { openReadonly, STORE_PACE, syncPath } from '../shared/index.ts';

export interface ArchiveSource {
  readonly journal: JournalReader;
  readonly journalPath: string;
}

/** Readable by its owner alone, like the journal, and not writable. */
const READ_ONLY = 0o400;

/** Writes an archive to a new file and syncs it; yields the last seq of each step. */
export function* writeArchive(
  path: string,
  source: ArchiveSource,
  range: SeqRange,
): Generator<number, ArchiveRange> {
  const made = yield* writeTables(path, source, range);
  syncPath(path);
  chmodSync(path, READ_ONLY);
  return made;
}

function* writeTables(
  path: string,
  source: ArchiveSource,
  range: SeqRange,
): Generator<number, ArchiveRange> {
  const database = new SqliteDatabase(path, { timeout: STORE_PACE.busyMs });
  try {
    // The file needs no log and no sync until it is complete: after a crash it does not have an
    // archive's name yet, and the next compaction removes it.
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.prepare('ATTACH ? AS journal').run(source.journalPath);
    createArchive(database);
    const made = yield* copySteps(database, source.journal, range);
    copyRules(database, range);
    const values = [made.lastSeq, made.firstSeq, made.lastChecksum, made.commandsChecksum];
    database.prepare('INSERT INTO archives VALUES (?, ?, ?, ?, ?)').run(...values, made.fillCount);
    return made;
  } finally {
    database.close();
  }
}

/**
 * Reads an archive and compares it with the journal, which still has all its rows; yields the last
 * seq of each step. Throws StoreError `archive_damaged`.
 */
export function* compareArchive(
  path: string,
  source: ArchiveSource,
  range: ArchiveRange,
): Generator<number, void> {
  const archive = new Archive(path, range);
  const database = openReadonly(path);
  try {
    database.pragma('temp_store = MEMORY');
    database.prepare('ATTACH ? AS journal').run(source.journalPath);
    const sums = new ArchiveSums();
    for (let fromSeq = range.firstSeq - 1; fromSeq < range.lastSeq; ) {
      const toSeq = source.journal.stepEnd(fromSeq, range.lastSeq);
      const commands = archive.part.commands(fromSeq, toSeq);
      for (const { checksum } of commands) sums.add(checksum);
      sums.fillCount += archive.part.fills(fromSeq, toSeq).length;
      for (const table of ['commands', 'fills'] as const) {
        if (isEqual(database, table, fromSeq, toSeq)) continue;
        throw archiveDamaged(
          path,
          `its ${table} of seq ${fromSeq + 1} to ${toSeq} differ from the journal`,
        );
      }
      fromSeq = toSeq;
      yield fromSeq;
    }
    if (!sums.areThoseOf(range)) {
      const what = 'its commands and fills do not match the checksums that it records';
      throw archiveDamaged(path, what);
    }
  } finally {
    archive.close();
    database.close();
  }
}

/** Sums up the commands and fills of an archive: checksums and the number of fills. */
export class ArchiveSums {
  lastChecksum = 0;
  commandsChecksum = 0;
  fillCount = 0;
  readonly #bytes = Buffer.alloc(4);

  add(checksum: number): void {
    this.#bytes.writeUInt32LE(checksum);
    this.commandsChecksum = crc32(this.#bytes, this.commandsChecksum);
    this.lastChecksum = checksum;
  }

  areThoseOf({ lastChecksum, commandsChecksum, fillCount }: ArchiveRange): boolean {
    return (
      this.lastChecksum === lastChecksum &&
      this.commandsChecksum === commandsChecksum &&
      this.fillCount === fillCount
    );
  }
}

function* copySteps(
  database: Database,
  journal: JournalReader,
  range: SeqRange,
): Generator<number, ArchiveRange> {
  const copyCommands = database.prepare(
    'INSERT INTO commands SELECT * FROM journal.commands WHERE seq > ? AND seq <= ?',
  );
  const copyFills = database.prepare(
    'INSERT INTO fills SELECT * FROM journal.fills WHERE seq > ? AND seq <= ?',
  );
  const selectChecksums = database
    .prepare<[number, number], number>(
      'SELECT checksum FROM commands WHERE seq > ? AND seq <= ? ORDER BY seq',
    )
    .pluck();
  const sums = new ArchiveSums();
  for (let fromSeq = range.firstSeq - 1; fromSeq < range.lastSeq; ) {
    const toSeq = journal.stepEnd(fromSeq, range.lastSeq);
    const { changes } = copyCommands.run(fromSeq, toSeq);
    assert(changes === toSeq - fromSeq, 'the journal has every command that is archived');
    sums.fillCount += copyFills.run(fromSeq, toSeq).changes;
    for (const checksum of selectChecksums.all(fromSeq, toSeq)) sums.add(checksum);
    fromSeq = toSeq;
    yield fromSeq;
  }
  const { lastChecksum, commandsChecksum, fillCount } = sums;
  return { ...range, lastChecksum, commandsChecksum, fillCount };
}

/** Copies the rules of the range, so that the archive can be read without the journal. */
function copyRules(database: Database, { firstSeq, lastSeq }: SeqRange): void {
  const copy = database.prepare(
    'INSERT INTO rules SELECT * FROM journal.rules WHERE from_seq <= ? AND from_seq >= ' +
      '(SELECT max(from_seq) FROM journal.rules WHERE from_seq <= ?)',
  );
  copy.run(lastSeq, firstSeq);
}

/** Whether both databases have the same rows for a range of commands. */
function isEqual(
  database: Database,
  table: 'commands' | 'fills',
  fromSeq: number,
  toSeq: number,
): boolean {
  const rows = (schema: string): string =>
    `SELECT * FROM ${schema}.${table} WHERE seq > @fromSeq AND seq <= @toSeq`;
  const select = database.prepare<object, number>(
    `SELECT (SELECT count(*) FROM (${rows('main')})) = ` +
      `(SELECT count(*) FROM (${rows('journal')})) ` +
      `AND NOT EXISTS (${rows('journal')} EXCEPT ${rows('main')})`,
  );
  return select.pluck().get({ fromSeq, toSeq }) === 1;
}
