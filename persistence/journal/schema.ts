/**
 * The tables of journal.db and what a journal says of itself. Invariant: `commands` is the truth,
 * numbered without gaps from 1, the archives' before its own; the rest follows from it. A journal
 * of a newer format or of newer rules, or of another funding mode, is refused before anything in it
 * is touched.
 */
import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { RULES_VERSION } from '../../engine/model/index.ts';
import { StoreError } from '../shared/index.ts';

/**
 * The layout of the tables; a change that older programs can't read is a new number, and what it
 * takes to come there from the number before is one of MIGRATIONS.
 * 2: the fees of fills.
 * 3: which rules each command ran under, and archives; snapshots are files.
 * 4: the order ids that come into their index later.
 * 5: orders and cancels without the names of their fields; those written before stay as they are.
 */
const FORMAT_VERSION = 5;
export type Funding = 'paper' | 'ledger';

/** What an archive has too. `fills` mirrors the engine's Fill event. */
export const RECORD_TABLES = `
CREATE TABLE commands (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE fills (
  seq INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  match TEXT NOT NULL,
  condition_id BLOB NOT NULL,
  taker_order_id BLOB NOT NULL,
  maker_order_id BLOB NOT NULL,
  taker_account BLOB NOT NULL,
  maker_account BLOB NOT NULL,
  taker_outcome INTEGER NOT NULL,
  taker_side TEXT NOT NULL,
  maker_outcome INTEGER NOT NULL,
  maker_side TEXT NOT NULL,
  taker_price_ticks INTEGER NOT NULL,
  maker_price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  taker_fee_micros INTEGER NOT NULL DEFAULT 0,
  maker_fee_micros INTEGER NOT NULL DEFAULT 0,
  taker_builder_micros INTEGER NOT NULL DEFAULT 0,
  maker_builder_micros INTEGER NOT NULL DEFAULT 0,
  taker_fee_bps INTEGER NOT NULL DEFAULT 0,
  maker_fee_bps INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (seq, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  from_seq INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT;
`;

/** Of commands that were moved away, the archives tell. */
const ARCHIVES_TABLE = `
CREATE TABLE archives (
  last_seq INTEGER PRIMARY KEY,
  first_seq INTEGER NOT NULL,
  last_checksum INTEGER NOT NULL,
  commands_checksum INTEGER NOT NULL,
  fill_count INTEGER NOT NULL
) STRICT;
`;

/** A row for each batch: the seq of its first order, and its ids as `packOrderIds` writes them. */
const NEW_ORDER_IDS_TABLE = `
CREATE TABLE new_order_ids (
  first_seq INTEGER PRIMARY KEY,
  packed BLOB NOT NULL
) STRICT;
`;

/**
 * `order_ids` and `new_order_ids` together have the id of every order that was ever accepted, so
 * that a retry is recognised at any distance; for a while some are in both.
 */
const TABLES = `
${RECORD_TABLES}
CREATE TABLE order_ids (
  order_id BLOB PRIMARY KEY,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

${NEW_ORDER_IDS_TABLE}
${ARCHIVES_TABLE}
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * From each format to the next, the first from 1 to 2. They leave the tables as TABLES would make
 * them. No row is written anew, but SQLite reads the table for every column: some 1.3 us a fill.
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
  ${ARCHIVES_TABLE}
  DROP TABLE snapshots;`,
  NEW_ORDER_IDS_TABLE,
  '', // journal-payload.ts reads both
];

/**
 * CRC-32 of a journaled command: every column of its row, with | between them. The payload is not
 * copied behind the others: a checksum goes on from one.
 */
export function commandChecksum(
  seq: number,
  timeMs: number,
  kind: string,
  payload: string,
): number {
  return crc32(payload, crc32(`${seq}|${timeMs}|${kind}|`));
}

export interface JournalTerms {
  readonly funding: Funding;
  /** New at each start. */
  readonly streamId: string;
}

/** The last command of a journal; 0 and 0 of an empty one. */
export interface JournalEnd {
  readonly lastSeq: number;
  readonly lastTimeMs: number;
}

/**
 * Makes or checks the journal's tables. What refuses the journal, `checkEnd` too, leaves it as it
 * was.
 */
export function prepareJournal(
  database: Database,
  terms: JournalTerms,
  checkEnd: (lastSeq: number) => void,
): JournalEnd {
  const isNew = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  const prepare = database.transaction(() => {
    if (isNew) createJournal(database, terms.funding);
    else checkJournal(database, terms.funding);
    const end = endOf(database);
    checkEnd(end.lastSeq);
    if (!isNew) migrate(database);
    noteRules(database, end.lastSeq + 1);
    putMeta(database, 'stream_id', terms.streamId);
    return end;
  });
  return prepare.immediate();
}

function endOf(database: Database): JournalEnd {
  const select = database.prepare<[], JournalEnd>(
    'SELECT seq AS lastSeq, time_ms AS lastTimeMs FROM commands ORDER BY seq DESC LIMIT 1',
  );
  return select.get() ?? { lastSeq: 0, lastTimeMs: 0 };
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

/** What is written from now on is of these rules. */
function noteRules(database: Database, fromSeq: number): void {
  if (newestRules(database) === RULES_VERSION) return;
  database.prepare('INSERT OR REPLACE INTO rules VALUES (?, ?)').run(fromSeq, RULES_VERSION);
}

/** undefined when the table is empty. */
function newestRules(database: Database): number | undefined {
  const select = database.prepare<[], number>('SELECT version FROM rules ORDER BY from_seq DESC');
  return select.pluck().get();
}

/** Throws what `JournalReader` refuses with: only `prepareJournal` raises a journal. */
export function checkReadable(database: Database): void {
  const format = checkVersions(database);
  if (format === FORMAT_VERSION) return;
  throw new StoreError(
    'journal_older',
    `the journal has format version ${format} and is read from ${FORMAT_VERSION} on: start the ` +
      'exchange on its folder once, which raises it',
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

/** The format, once it and the rules are known to this program. */
function checkVersions(database: Database): number {
  const format = getMeta(database, 'format_version');
  checkVersion('format', format, FORMAT_VERSION);
  checkVersion('rules', rulesOf(database, Number(format)), RULES_VERSION);
  return Number(format);
}

/** The newest that anything in it was written under. */
function rulesOf(database: Database, format: number): string {
  if (format < 3) return getMeta(database, 'rules_version');
  const version = newestRules(database);
  if (version !== undefined) return String(version);
  throw new StoreError('journal_damaged', "the journal's rules table is empty");
}

function checkVersion(what: string, stored: string, known: number): void {
  if (Number(stored) <= known) return;
  throw new StoreError(
    'journal_newer',
    `the journal has ${what} version ${stored} and this program knows ${known}: ` +
      'start the newer program that wrote it',
  );
}

/** Where the journal notes which master secret its API keys were derived from. */
export const SECRET_KEY = 'master_secret_fingerprint';

/** undefined in a journal of before it was noted, until the exchange is started on it. */
export function notedSecret(database: Database): string | undefined {
  return database
    .prepare<[string], string>('SELECT value FROM meta WHERE key = ?')
    .pluck()
    .get(SECRET_KEY);
}

export function putMeta(database: Database, key: string, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
}

function getMeta(database: Database, key: string): string {
  const select = database.prepare<[string], string>('SELECT value FROM meta WHERE key = ?');
  const value = select.pluck().get(key);
  if (value === undefined) {
    throw new StoreError('journal_damaged', `the journal's meta table has no ${key}`);
  }
  return value;
}
