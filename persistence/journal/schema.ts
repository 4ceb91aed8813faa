/**
 * The tables of journal.db (tables.sql) and its metadata. Invariant: `commands`, numbered from 1
 * without gaps (the oldest may be archived), is the truth; fills and order ids follow from it. A
 * journal of a newer format, of newer rules or of another funding mode is refused before anything
 * in it is changed.
 */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { RULES_VERSION } from '../../engine/model/index.ts';
import type { Payload } from '../rows/index.ts';
import {
  type ContentStamp,
  isNewerVersion,
  PROGRAM_VERSION,
  programToStart,
  StoreError,
} from '../shared/index.ts';

/**
 * The version of the tables. A change that older programs can't read is a new version with a
 * migration in MIGRATIONS.
 * 2: the fees of fills.
 * 3: the rules of each command, and archives; snapshots are files.
 * 4: `new_order_ids`.
 * 5: payloads of orders and cancels without field names; older payloads stay as they are.
 * 6: `money_keys`.
 * 7: packed payloads, `content_records`, and which command ends its batch. Older commands stay as
 * they are, and each counts as a batch of its own.
 */
export const FORMAT_VERSION = 7;
export type Funding = 'paper' | 'ledger';

/** Reads an SQL file of this folder. */
export function readSql(name: string): string {
  return readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8');
}

const TABLES = readSql('tables');

/** The statements that create some of the tables. */
export function creating(...names: readonly string[]): string {
  return names.map((name) => TABLES.match(`CREATE TABLE ${name} [^;]+;`)?.[0]).join('\n');
}

/**
 * The migrations to versions 2 to 7. After them the tables are as in tables.sql. They rewrite no
 * row, but SQLite reads the whole table for each new column: for six columns some 1.3 us for each
 * fill, and for the last two 0.5 us for each command, once they are in the system's cache.
 */
const MIGRATIONS = [
  [
    'taker_fee_micros',
    'maker_fee_micros',
    'taker_builder_micros',
    'maker_builder_micros',
    'taker_fee_bps',
    'maker_fee_bps',
  ]
    .map((column) => `ALTER TABLE fills ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0;`)
    .join('\n'),
  `CREATE TABLE rules (from_seq INTEGER PRIMARY KEY, version INTEGER NOT NULL) STRICT;
  INSERT INTO rules SELECT 1, CAST(value AS INTEGER) FROM meta WHERE key = 'rules_version';
  DELETE FROM meta WHERE key = 'rules_version';
  ${creating('archives')}
  DROP TABLE snapshots;`,
  creating('new_order_ids'),
  '', // both forms are read
  creating('money_keys'),
  `ALTER TABLE commands ADD COLUMN ends_batch INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE commands ADD COLUMN packed BLOB;
  ${creating('content_records')}`,
];

/** The names of a table's columns, in order. An archive's tables never change. */
export function columnsOf(database: Database, schema: string, table: string): string[] {
  return database
    .prepare<[string, string], string>('SELECT name FROM pragma_table_info(?, ?)')
    .pluck()
    .all(table, schema);
}

/** A row of `commands` without its checksum. */
export interface CommandRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: string;
  readonly payload: Payload;
  /** Whether it is the last command of the batch that was committed with it. */
  readonly endsBatch: boolean;
}

/**
 * CRC-32 of a journaled command: the values of its row with | between them. A command that does not
 * end its batch has one more character, so that the checksums of older rows, which all count as
 * ends, are as they were.
 */
export function commandChecksum({ seq, timeMs, kind, payload, endsBatch }: CommandRow): number {
  return crc32(payload, crc32(`${seq}|${timeMs}|${kind}|${endsBatch ? '' : '+'}`));
}

/** Makes a command the last one of its batch, because the commands after it were removed. */
export function endBatchAt(database: Database, seq: number): void {
  const row = database
    .prepare<
      [number],
      Pick<CommandRow, 'timeMs' | 'kind'> & { text: string; packed: Buffer | null }
    >('SELECT time_ms AS timeMs, kind, payload AS text, packed FROM commands WHERE seq = ?')
    .get(seq);
  if (row === undefined) return;
  const { timeMs, kind, text, packed } = row;
  const checksum = commandChecksum({ seq, timeMs, kind, payload: packed ?? text, endsBatch: true });
  database
    .prepare('UPDATE commands SET ends_batch = 1, checksum = ? WHERE seq = ?')
    .run(checksum, seq);
}

export interface JournalTerms {
  readonly funding: Funding;
  /** New at each start. */
  readonly streamId: string;
  /** Whether a node of a cluster opens it; by default one that has been a node's is refused. */
  readonly isOfNode?: boolean;
}

/** The last command of a journal; both 0 for an empty one. */
export interface JournalEnd {
  readonly lastSeq: number;
  readonly lastTimeMs: number;
}

/** What a start needs to know of its journal. */
export interface JournalStart extends JournalEnd {
  /** How far the sandbox moved the exchange's clock from the wall clock; 0 for not at all. */
  readonly clockOffsetMs: number;
  /** What the journal has of the log of a cluster; undefined if it follows none. */
  readonly place: JournalPlace | undefined;
}

/** How much of a cluster's log a journal has. */
export interface JournalPlace {
  readonly logId: string;
  /** An entry's number, and the checksum that the log has for it. */
  readonly number: number;
  readonly check: string;
  /**
   * The last content record up to that entry, whether the node has it or not; undefined if there
   * was none. A node that got the entries' commands from the journal of its core lacks records.
   */
  readonly content?: ContentStamp | undefined;
}

/**
 * Creates the journal's tables, or checks and migrates them. If it throws, or `checkEnd` does, the
 * journal is unchanged.
 */
export function prepareJournal(
  database: Database,
  terms: JournalTerms,
  checkEnd: (lastSeq: number) => void,
): JournalStart {
  const isNew = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const prepare = database.transaction(() => {
    if (isNew) createJournal(database, terms.funding);
    else checkJournal(database, terms.funding);
    const end = journalEnd(database);
    checkEnd(end.lastSeq);
    if (!isNew) migrate(database);
    const place = logPlaceOf(database);
    if (place !== undefined && terms.isOfNode !== true) throw ofNode(place);
    // The next commands of a node run under the rules of its core, which come with them.
    const followsCore = terms.isOfNode === true && end.lastSeq > 0;
    if (!followsCore) noteRules(database, end.lastSeq + 1, RULES_VERSION);
    putMeta(database, 'stream_id', terms.streamId);
    noteProgram(database);
    const clockOffsetMs = Number(findMeta(database, CLOCK_KEY) ?? 0);
    return { ...end, clockOffsetMs, place };
  });
  return prepare.immediate();
}

/** The last command that is not archived; an archive never holds the last one. */
export function journalEnd(database: Database): JournalEnd {
  const select = database.prepare<[], JournalEnd>(
    'SELECT seq AS lastSeq, time_ms AS lastTimeMs FROM commands ORDER BY seq DESC LIMIT 1',
  );
  return select.get() ?? { lastSeq: 0, lastTimeMs: 0 };
}

/** undefined if the journal is damaged. */
export function journalFunding(database: Database): Funding | undefined {
  return database
    .prepare<[], Funding>("SELECT value FROM meta WHERE key = 'funding'")
    .pluck()
    .get();
}

function createJournal(database: Database, funding: Funding): void {
  database.exec(TABLES);
  putMeta(database, 'format_version', String(FORMAT_VERSION));
  putMeta(database, 'funding', funding);
}

function migrate(database: Database): void {
  const format = Number(getMeta(database, 'format_version'));
  for (const sql of MIGRATIONS.slice(format - 1)) database.exec(sql);
  putMeta(database, 'format_version', String(FORMAT_VERSION));
}

/** Commands from `fromSeq` on run under these rules; no command after it is in the journal. */
export function noteRules(database: Database, fromSeq: number, version: number): void {
  if (newestRules(database) === version) return;
  database.prepare('INSERT OR REPLACE INTO rules VALUES (?, ?)').run(fromSeq, version);
}

/** The meta key of the newest version of the program that opened the journal. */
const PROGRAM_KEY = 'program_version';

/** undefined if only programs that did not note it opened the journal. */
export function notedProgram(database: Database): string | undefined {
  return findMeta(database, PROGRAM_KEY);
}

/** Notes this program, unless a newer one opened the journal: only that one wrote all of it. */
function noteProgram(database: Database): void {
  const noted = notedProgram(database);
  if (noted !== undefined && isNewerVersion(noted, PROGRAM_VERSION)) return;
  putMeta(database, PROGRAM_KEY, PROGRAM_VERSION);
}

/** undefined if the table is empty. */
function newestRules(database: Database): number | undefined {
  const select = database.prepare<[], number>('SELECT version FROM rules ORDER BY from_seq DESC');
  return select.pluck().get();
}

/** Throws StoreError if a reader can't read this version. Only `prepareJournal` migrates. */
export function checkReadable(database: Database): void {
  const format = checkVersions(database);
  if (format === FORMAT_VERSION) return;
  throw new StoreError(
    'journal_older',
    `the journal has format version ${format}, and this program reads version ${FORMAT_VERSION}: ` +
      'start the exchange on its folder once, which migrates the journal',
  );
}

function checkJournal(database: Database, funding: Funding): void {
  checkVersions(database);
  const stored = getMeta(database, 'funding');
  if (stored === funding) return;
  throw new StoreError(
    'funding_changed',
    `the data folder was made with --funding ${stored} and can't be opened with ${funding}: ` +
      `paper money never becomes real. Use --funding ${stored}, or another --data folder`,
  );
}

/** Returns the format version if this program knows it and the rules. */
function checkVersions(database: Database): number {
  const format = getMeta(database, 'format_version');
  const noted = notedProgram(database);
  checkVersion({ what: 'format', stored: format, known: FORMAT_VERSION, noted });
  const rules = rulesOf(database, Number(format));
  checkVersion({ what: 'rules', stored: rules, known: RULES_VERSION, noted });
  return Number(format);
}

/** The newest rules of any command. */
function rulesOf(database: Database, format: number): string {
  if (format < 3) return getMeta(database, 'rules_version');
  const version = newestRules(database);
  if (version !== undefined) return String(version);
  throw new StoreError(
    'journal_damaged',
    "the journal's table rules is empty: restore the newest backup",
  );
}

interface StoredVersion {
  readonly what: string;
  readonly stored: string;
  readonly known: number;
  readonly noted: string | undefined;
}

function checkVersion({ what, stored, known, noted }: StoredVersion): void {
  if (Number(stored) <= known) return;
  throw new StoreError(
    'journal_newer',
    `the journal has ${what} version ${stored} and this program knows ${known}: ` +
      programToStart(noted),
  );
}

/** The meta key of the fingerprint of the master secret that API keys were derived from. */
export const SECRET_KEY = 'master_secret_fingerprint';

/** undefined if no program that records the fingerprint was started on the journal yet. */
export function notedSecret(database: Database): string | undefined {
  return findMeta(database, SECRET_KEY);
}

/** The meta key of the clock's offset, in milliseconds. Most journals have none. */
const CLOCK_KEY = 'clock_offset_ms';

/** Remembers how far the sandbox moved the exchange's clock from the wall clock. */
export function putClockOffset(database: Database, offsetMs: number): void {
  putMeta(database, CLOCK_KEY, String(offsetMs));
}

/** The meta key of the JournalPlace, in JSON. */
const PLACE_KEY = 'log_place';

export function putLogPlace(database: Database, place: JournalPlace): void {
  putMeta(database, PLACE_KEY, JSON.stringify(place));
}

/** The journal follows no log any more. */
export function dropLogPlace(database: Database): void {
  database.prepare('DELETE FROM meta WHERE key = ?').run(PLACE_KEY);
}

/** Commands that the other nodes do not have would make two exchanges of one. */
function ofNode({ logId }: JournalPlace): StoreError {
  return new StoreError(
    'cluster_folder',
    `this data folder is of a node of a cluster and follows log ${logId}: start it with its --role`,
  );
}

/** undefined if the journal follows no log. */
export function logPlaceOf(database: Database): JournalPlace | undefined {
  const text = findMeta(database, PLACE_KEY);
  // Safe: putLogPlace wrote it.
  return text === undefined ? undefined : (JSON.parse(text) as JournalPlace);
}

export function putMeta(database: Database, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

function findMeta(database: Database, key: string): string | undefined {
  const select = database.prepare<[string], string>('SELECT value FROM meta WHERE key = ?');
  return select.pluck().get(key);
}

function getMeta(database: Database, key: string): string {
  const value = findMeta(database, key);
  if (value === undefined) {
    throw new StoreError(
      'journal_damaged',
      `the journal's table meta has no ${key}: restore the newest backup`,
    );
  }
  return value;
}
