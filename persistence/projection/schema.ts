/**
 * The tables of analytics.db: the results of the journal's commands, in the form that reads need.
 * The file can be deleted: it is filled again from the journal, and so is a file of another
 * version.
 *
 * - `owners`, `accounts` and `markets` have the names. The large tables have keys instead, so that
 *   an index entry takes a few bytes. Keys count from 1 in order of creation, so the tables do not
 *   depend on the steps in which they were filled.
 * - The key of an order is the seq of its command; the journal's index of order ids finds it. The
 *   keys of trades grow with time.
 * - `trade_parties` has one row for each participant of a trade in the participant's own view (wire
 *   9.4): ordinal 0 is the taker, the makers follow.
 * - `price_points` has the last midpoint of each minute in which it changed, in half ticks of YES;
 *   of older points the last one of a longer step (price-thinning.ts).
 * - `market_volumes` adds up the cash and lots of the takers, `market_hours` does so by the hour.
 * - `notifications` has what its owner has not dismissed: about an order, with the `filled_lots` of
 *   that time, or about a resolved market, without an order.
 * - `actions` has the commands whose evidence says who asked for them and why.
 *
 * positions/schema.ts describes the tables of positions.
 */
import type { Database } from 'better-sqlite3';
import { LEDGER_TABLES } from './positions/index.ts';

/** The least size of the fills in the index `large_parties`: 1,000 tokens. */
export const LARGE_LOTS = 100_000;

/** Must change with every change of a table or of its content. */
const PROJECTION_VERSION = 12;

const TABLES = `
CREATE TABLE progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  seq INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  notification_key INTEGER NOT NULL
) STRICT;
INSERT INTO progress VALUES (1, 0, 0, 0);

CREATE TABLE owners (
  owner_key INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE accounts (
  account_key INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  owner_key INTEGER NOT NULL
) STRICT;

CREATE TABLE markets (
  market_key INTEGER PRIMARY KEY,
  condition_id TEXT NOT NULL UNIQUE,
  yes_token TEXT NOT NULL UNIQUE,
  no_token TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE orders (
  order_key INTEGER PRIMARY KEY,
  order_id BLOB NOT NULL,
  account_key INTEGER NOT NULL,
  owner_key INTEGER NOT NULL,
  api_key TEXT NOT NULL,
  builder BLOB,
  market_key INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  side TEXT NOT NULL,
  type TEXT NOT NULL,
  post_only INTEGER NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  budget_micros INTEGER NOT NULL,
  filled_lots INTEGER NOT NULL,
  filled_micros INTEGER NOT NULL,
  fee_micros INTEGER NOT NULL,
  status TEXT NOT NULL,
  close_reason TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL,
  release_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX open_orders_by_owner ON orders (owner_key, order_key) WHERE close_reason = '';
CREATE INDEX open_orders_by_owner_market
  ON orders (owner_key, market_key, order_key) WHERE close_reason = '';

CREATE TABLE trades (
  trade_key INTEGER PRIMARY KEY,
  trade_id BLOB NOT NULL UNIQUE,
  transaction_hash BLOB NOT NULL,
  seq INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  bucket INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL
) STRICT;
CREATE INDEX trades_by_time ON trades (time_ms, trade_key);
CREATE INDEX trades_by_market ON trades (market_key, trade_key);

CREATE TABLE trade_parties (
  trade_key INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  order_key INTEGER NOT NULL,
  account_key INTEGER NOT NULL,
  owner_key INTEGER NOT NULL,
  market_key INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  side TEXT NOT NULL,
  price_ticks INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  builder BLOB,
  fee_micros INTEGER NOT NULL,
  builder_fee_micros INTEGER NOT NULL,
  fee_bps INTEGER NOT NULL,
  PRIMARY KEY (trade_key, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX parties_by_order ON trade_parties (order_key, trade_key);
CREATE INDEX parties_by_owner ON trade_parties (owner_key, trade_key);
CREATE INDEX parties_by_owner_market ON trade_parties (owner_key, market_key, trade_key);
CREATE INDEX parties_by_account ON trade_parties (account_key, trade_key);
CREATE INDEX takers_by_account ON trade_parties (account_key, trade_key) WHERE ordinal = 0;
CREATE INDEX parties_by_account_market ON trade_parties (account_key, market_key, trade_key);
CREATE INDEX parties_by_builder ON trade_parties (builder, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX parties_by_builder_market
  ON trade_parties (builder, market_key, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX built_parties_by_account
  ON trade_parties (account_key, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX built_parties_by_account_market
  ON trade_parties (account_key, market_key, trade_key) WHERE builder IS NOT NULL;
CREATE INDEX large_parties
  ON trade_parties (trade_key, ordinal, lots, price_ticks, side, account_key, market_key)
  WHERE lots >= ${LARGE_LOTS};

CREATE TABLE notifications (
  owner_key INTEGER NOT NULL,
  notification_key INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  order_key INTEGER,
  filled_lots INTEGER,
  trade_key INTEGER,
  ordinal INTEGER,
  market_key INTEGER,
  payout_ticks INTEGER,
  yes_lots INTEGER,
  no_lots INTEGER,
  PRIMARY KEY (owner_key, notification_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE actions (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  command TEXT NOT NULL
) STRICT;
CREATE INDEX actions_by_kind ON actions (kind, seq);
CREATE INDEX actions_by_actor ON actions (actor, seq);
CREATE INDEX actions_by_actor_and_kind ON actions (actor, kind, seq);

CREATE TABLE price_points (
  market_key INTEGER NOT NULL,
  minute INTEGER NOT NULL,
  half_ticks INTEGER NOT NULL,
  PRIMARY KEY (market_key, minute)
) STRICT, WITHOUT ROWID;

CREATE TABLE market_volumes (
  market_key INTEGER PRIMARY KEY,
  micros INTEGER NOT NULL,
  lots INTEGER NOT NULL
) STRICT;

CREATE TABLE market_hours (
  market_key INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  micros INTEGER NOT NULL,
  lots INTEGER NOT NULL,
  PRIMARY KEY (market_key, hour)
) STRICT, WITHOUT ROWID;
${LEDGER_TABLES}`;

const TABLE_NAMES = [...TABLES.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
const INDEXES = TABLES.match(/CREATE INDEX [^;]+;/g) ?? [];

/**
 * Makes the tables where they are missing or of another version; such a file is emptied. Makes a
 * missing index without emptying the file.
 */
export function prepareProjection(database: Database): void {
  const isOfVersion = database.pragma('user_version', { simple: true }) === PROJECTION_VERSION;
  const names = new Set(
    database.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all(),
  );
  if (!isOfVersion || TABLE_NAMES.some((name) => name !== undefined && !names.has(name))) {
    clearProjection(database);
    return;
  }
  for (const sql of INDEXES) {
    database.exec(sql.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'));
  }
}

/** Empties the file, which is then filled again from the journal's first command. */
export function clearProjection(database: Database): void {
  const selectTables = database.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const clear = database.transaction(() => {
    for (const table of selectTables.pluck().all()) database.exec(`DROP TABLE "${table}"`);
    database.exec(TABLES);
    database.pragma(`user_version = ${PROJECTION_VERSION}`);
  });
  clear.immediate();
}
