/**
 * Titles and end dates of markets, by which lists of positions are searched and sorted: the table
 * `temp.market_titles` of the connection, copied from the catalog because SQL has to join it with
 * positions. Titles are folded, as searched texts are.
 *
 * Invariant: every market of the engine has a row, also a new market. Changes of the catalog are
 * found by a sweep: after a change, each question compares the next SWEPT_MARKETS markets. With
 * more markets than that, a few questions may search and sort by an old title. The titles that an
 * answer shows are read from the catalog and never old. Bound: a row a market, some 150 bytes.
 */
import { foldText } from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import type { AnalyticsReads } from './analytics-reads.ts';

const SWEPT_MARKETS = 1_000;

const TABLES = `
CREATE TEMP TABLE IF NOT EXISTS market_titles (
  market_key INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  -- '' for none.
  end_date TEXT NOT NULL
) STRICT;
CREATE TEMP TABLE IF NOT EXISTS title_sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- data_version of the catalog when the last sweep began.
  version INTEGER NOT NULL,
  -- The last market that the sweep has compared; NULL when no sweep is under way.
  place INTEGER
) STRICT;`;

/** A test checks the query plan. */
export const TITLES_SQL =
  'SELECT own.market_key AS marketKey, known.question AS title, known.end_date AS endDate ' +
  'FROM main.markets AS own ' +
  'LEFT JOIN catalog.markets AS known ON known.condition_id = own.condition_id ' +
  'WHERE own.market_key > ? ORDER BY own.market_key LIMIT ?';

const PUT =
  'INSERT INTO temp.market_titles VALUES (?, ?, ?) ON CONFLICT (market_key) ' +
  'DO UPDATE SET title = excluded.title, end_date = excluded.end_date ' +
  'WHERE title <> excluded.title OR end_date <> excluded.end_date';

const PUT_SWEEP = 'INSERT OR REPLACE INTO temp.title_sweep VALUES (1, ?, ?)';

interface TitleRow {
  readonly marketKey: number;
  readonly title: string | null;
  readonly endDate: string | null;
}

interface Sweep {
  readonly version: number;
  readonly place: number | null;
}

/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

const LAST_KEY = 'SELECT ifnull(max(market_key), 0) FROM temp.market_titles';

/** Adds new markets, and goes on with the sweep. */
export function refreshTitles({ tables }: AnalyticsReads): void {
  const { database } = tables;
  database.exec(TABLES);
  const version = Number(database.pragma('catalog.data_version', { simple: true }));
  const [lastKey = 0] = tables.column<number>(LAST_KEY, {});
  putTitles(tables, lastKey, NO_LIMIT);
  const putSweep = tables.statement<[number, number | null], unknown>(PUT_SWEEP);
  const sweep = tables.statement<[], Sweep>('SELECT version, place FROM temp.title_sweep').get();
  if (sweep === undefined || lastKey === 0) {
    putSweep.run(version, null);
    return;
  }
  if (sweep.place === null && sweep.version === version) return;
  // A sweep keeps the version that it began with: a later change begins another one.
  const began = sweep.place === null ? version : sweep.version;
  putSweep.run(began, putTitles(tables, sweep.place ?? 0, SWEPT_MARKETS));
}

/** Copies up to `limit` markets after a key; returns the last of them, or null at the end. */
function putTitles(tables: ReadTables, after: number, limit: number): number | null {
  const rows = tables.statement<[number, number], TitleRow>(TITLES_SQL).all(after, limit);
  const put = tables.statement<[number, string, string], unknown>(PUT);
  for (const { marketKey, title, endDate } of rows) {
    put.run(marketKey, foldText(title ?? ''), endDate ?? '');
  }
  return rows.length < limit ? null : (rows.at(-1)?.marketKey ?? null);
}
