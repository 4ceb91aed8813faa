/**
 * The tables of journal.db and what a journal says of itself. Invariant: `commands` is the truth,
 * numbered without gaps from 1; the rest follows from it. A journal of a newer format or of newer
 * rules, or of another funding mode, is refused before anything in it is touched.
 */
import { crc32 } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import { StoreError } from './store-error.ts';

/**
 * The layout of the tables; a change that older programs can't read is a new number, and what it
 * takes to come there from the number before is one of MIGRATIONS.
 * 2: the fees of fills.
 */
const FORMAT_VERSION = 2;
/**
 * What the engine does with a command. A change that older programs would replay differently is a
 * new number; a journal of older rules is raised to these when it is opened, because what is
 * written from then on is theirs. Invariant: what an older number wrote replays as it ran.
 * 2: purposes and revocations of keys, dead man's switches, dismissals, builder codes.
 * 3: trading states, changed terms, closing, standings, sets,
 * resolution, redemption, neg-risk events.
 * 4: fees and what builders earn, delays, price steps that become finer by themselves.
 */
const RULES_VERSION = 4;

export type Funding = 'paper' | 'ledger';

/** `fills` mirrors the engine's Fill event; `snapshots` is filled by the follower, later. */
const TABLES = `
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

CREATE TABLE order_ids (
  order_id BLOB PRIMARY KEY,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY,
  format INTEGER NOT NULL,
  state BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;

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
];

/** CRC-32 of a journaled command: every column of its row. */
export function commandChecksum(
  seq: number,
  timeMs: number,
  kind: string,
  payload: string,
): number {
  return crc32(`${seq}|${timeMs}|${kind}|${payload}`);
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
    putMeta(database, 'rules_version', String(RULES_VERSION));
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

function checkJournal(database: Database, funding: Funding): void {
  checkVersion('format', getMeta(database, 'format_version'), FORMAT_VERSION);
  checkVersion('rules', getMeta(database, 'rules_version'), RULES_VERSION);
  const stored = getMeta(database, 'funding');
  if (stored === funding) return;
  throw new StoreError(
    'funding_changed',
    `the data folder was made with --funding ${stored} and can't be opened with ${funding}: ` +
      `paper money never becomes real. Use --funding ${stored}, or another --data folder`,
  );
}

function checkVersion(what: string, stored: string, known: number): void {
  if (Number(stored) <= known) return;
  throw new StoreError(
    'journal_newer',
    `the journal has ${what} version ${stored} and this program knows ${known}: ` +
      'start the newer program that wrote it',
  );
}

function putMeta(database: Database, key: string, value: string): void {
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
