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
 *   9.4): ordinal 0 is the taker, the makers follow. It has no owner: an owner has few accounts,
 *   and with each further index a trade writes a page more for each of its participants.
 * - `trade_peaks` has the largest lots and cash of a participant in each block of `span` trades, so
 *   that a search for large fills skips the blocks without one.
 * - `open_orders_by_owner` has market and outcome, so that a list of one market reads no other rows
 *   of the at most 20,000 open orders of an owner.
 * - `price_points` has the last midpoint of each minute in which it changed, in half ticks of YES;
 *   of older points the last one of a longer step (prices.ts).
 * - `market_volumes` adds up the cash of the takers. `market_hours` has that sum before each hour
 *   with a trade, so that the volume since an hour is one difference. Both are texts that sort like
 *   numbers (persistence/shared/wide-sum.ts).
 * - `builder_periods` adds up the cash of the orders of each builder, and counts their accounts:
 *   for each `DAY`, `WEEK` and `MONTH` (numbered by positions/math.ts) and for `ALL` time, whose
 *   number is 0. `builder_users` has the last periods in which an account traded with orders of the
 *   builder.
 * - `notifications` has the notifications that their owners have not dismissed: about an order,
 *   with its `filled_lots` at that time, or about a resolved market, without an order.
 * - `actions` has the commands whose evidence says who asked for them and why; `approver` is a
 *   second operator, '' for none.
 * - `effects` has what commands did, in the form of persistence/shared/effects.ts.
 * - `holding_points` has what an account held of an asset after the last command of each minute in
 *   which that changed, available and held together: micros of cash (asset 0), or lots of the token
 *   of a market and an outcome (2 x market key + outcome). Older points are thinned like prices.
 * - `builder_accounts` has the account that earns with orders of a builder that were accepted from
 *   `from_seq` on.
 *
 * positions/schema.sql describes the tables of positions.
 */
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';

/** Must change with every change of a table or of its content. */
const PROJECTION_VERSION = 4;

const TABLES = ['schema.sql', 'positions/schema.sql']
  .map((name) => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'))
  .join('\n');

const TABLE_NAMES = [...TABLES.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
const INDEXES = TABLES.match(/CREATE INDEX [^;]+;/g) ?? [];

/**
 * Empties the file and creates the tables if one is missing or the version differs. Otherwise only
 * creates missing indexes.
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

/** The next `prepareProjection` empties the file, as one of another version. */
export function disownProjection(database: Database): void {
  database.pragma('user_version = 0');
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
