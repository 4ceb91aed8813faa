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
import type { Payload } from '../rows/payload.ts';
import {
  type ContentStamp,
  type DatabaseFormat,
  isNewerVersion,
  migrate,
  newestVersion,
  PROGRAM_VERSION,
  programToStart,
  refuseNewer,
  StoreError,
  versionOf,
} from '../shared/index.ts';

export const JOURNAL_FORMAT: DatabaseFormat = {
  tables: readFileSync(new URL('./tables.sql', import.meta.url), 'utf8'),
  migrations: [],
};

export type Funding = 'paper' | 'ledger';

/** A row of `commands` without its checksum. */
export interface CommandRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly kind: string;
  readonly payload: Payload;
  /** Whether it is the last command of the batch that was committed with it. */
  readonly endsBatch: boolean;
  /** The engine's digest after it; null if it does not end the batch, or if that is unknown. */
  readonly digest: number | null;
}

/** CRC-32 of a journaled command: the values of its row with | between them. */
export function commandChecksum(row: CommandRow): number {
  const { seq, timeMs, kind, payload, endsBatch, digest } = row;
  return crc32(payload, crc32(`${seq}|${timeMs}|${kind}|${endsBatch ? 1 : 0}|${digest ?? ''}|`));
}

/** Makes a command the last one of its batch, because the commands after it were removed. */
export function endBatchAt(database: Database, seq: number): void {
  const row = database
    .prepare<[number], Omit<CommandRow, 'seq' | 'endsBatch'>>(
      'SELECT time_ms AS timeMs, kind, payload, digest FROM commands WHERE seq = ?',
    )
    .get(seq);
  if (row === undefined) return;
  const checksum = commandChecksum({ seq, ...row, endsBatch: true });
  database
    .prepare('UPDATE commands SET ends_batch = 1, checksum = ? WHERE seq = ?')
    .run(checksum, seq);
}

export interface JournalTerms {
  readonly funding: Funding;
  /** Whether a node of a cluster opens it; by default one that has been a node's is refused. */
  readonly isOfNode?: boolean;
}

/** The last command of a journal; both 0 for an empty one. */
export interface JournalEnd {
  readonly lastSeq: number;
  readonly lastTimeMs: number;
}

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
 * journal is unchanged. `format`: another one is for tests.
 */
export function prepareJournal(
  database: Database,
  terms: JournalTerms,
  checkEnd: (lastSeq: number) => void,
  format = JOURNAL_FORMAT,
): JournalStart {
  const isNew = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const prepare = database.transaction(() => {
    if (isNew) {
      migrate(database, format);
      putMeta(database, 'funding', terms.funding);
    } else checkJournal(database, terms.funding, format);
    const end = journalEnd(database);
    checkEnd(end.lastSeq);
    if (!isNew) migrate(database, format);
    const place = logPlaceOf(database);
    if (place !== undefined && terms.isOfNode !== true) throw ofNode(place);
    // The next commands of a node run under the rules of its core, which come with them.
    const followsCore = terms.isOfNode === true && end.lastSeq > 0;
    if (!followsCore) noteRules(database, end.lastSeq + 1, RULES_VERSION);
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
export function checkReadable(database: Database, format = JOURNAL_FORMAT): void {
  const version = checkVersions(database, format);
  const newest = newestVersion(format);
  if (version === newest) return;
  throw new StoreError(
    'journal_older',
    `the journal has format version ${version}, and this program reads version ${newest}: ` +
      'start the exchange on its folder once, which migrates the journal',
  );
}

function checkJournal(database: Database, funding: Funding, format: DatabaseFormat): void {
  checkVersions(database, format);
  const stored = getMeta(database, 'funding');
  if (stored === funding) return;
  throw new StoreError(
    'funding_changed',
    `the data folder was made with --funding ${stored} and can't be opened with ${funding}: ` +
      `paper money never becomes real. Use --funding ${stored}, or another --data folder`,
  );
}

/** Returns the format version if this program knows it and the rules. */
function checkVersions(database: Database, format: DatabaseFormat): number {
  const version = versionOf(database);
  if (version === 0) throw damaged('the journal has no format version');
  const advice = () => programToStart(notedProgram(database));
  refuse('format', version, newestVersion(format), advice);
  const rules = newestRules(database);
  if (rules === undefined) throw damaged("the journal's table rules is empty");
  refuse('rules', rules, RULES_VERSION, advice);
  return version;
}

function refuse(what: string, found: number, known: number, advice: () => string): void {
  const version = `the journal has ${what} version`;
  refuseNewer({ code: 'journal_newer', what: version, found, known, advice });
}

function damaged(what: string): StoreError {
  return new StoreError('journal_damaged', `${what}: restore the newest backup`);
}

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
  if (value === undefined) throw damaged(`the journal's table meta has no ${key}`);
  return value;
}
