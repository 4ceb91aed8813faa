/**
 * What lists of positions are sorted and searched by and the catalog alone knows: titles, folded,
 * and ends of markets, as the table `temp.market_words` of the connection, beside the tables that
 * they are joined with. Owned by the analytics thread.
 *
 * Invariant: every market of the engine has a row. A market that is new is there at once; what the
 * catalog says otherwise of a known one is found by a sweep of WORDS_A_SWEEP markets a question,
 * which begins whenever the catalog has changed: up to that many markets are never out of date, and
 * many are for some questions. What is shown of a position never is: it is read from the catalog.
 * Bound: a row a market, some 150 bytes.
 */
import { foldText } from '../../shared/index.ts';
import type { AnalyticsReads } from './reads.ts';

const WORDS_A_SWEEP = 1_000;

const TABLES = `
CREATE TEMP TABLE IF NOT EXISTS market_words (
  market_key INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  -- '' where nobody told one.
  end_date TEXT NOT NULL
) STRICT;
CREATE TEMP TABLE IF NOT EXISTS words_sweep (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Of the catalog, when the last sweep began.
  version INTEGER NOT NULL,
  -- The last market that it looked at; NULL when there is none.
  place INTEGER
) STRICT;`;

/** For tests of plans too. */
export const WORDS_SQL =
  'SELECT own.market_key AS marketKey, known.question AS title, known.end_date AS endDate ' +
  'FROM main.markets AS own ' +
  'LEFT JOIN catalog.markets AS known ON known.condition_id = own.condition_id ' +
  'WHERE own.market_key > ? ORDER BY own.market_key LIMIT ?';

const PUT =
  'INSERT INTO temp.market_words VALUES (?, ?, ?) ON CONFLICT (market_key) ' +
  'DO UPDATE SET title = excluded.title, end_date = excluded.end_date ' +
  'WHERE title <> excluded.title OR end_date <> excluded.end_date';

const PUT_SWEEP = 'INSERT OR REPLACE INTO temp.words_sweep VALUES (1, ?, ?)';

interface WordsRow {
  readonly marketKey: number;
  readonly title: string | null;
  readonly endDate: string | null;
}

interface Sweep {
  readonly version: number;
  readonly place: number | null;
}

/** SQLite's word for no limit. */
const ALL = -1;

/** Fits the table to the markets and, sooner or later, to the catalog. */
export function refreshWords(reads: AnalyticsReads): void {
  const { database } = reads;
  database.exec(TABLES);
  const version = Number(database.pragma('catalog.data_version', { simple: true }));
  const isEmpty = lastKey(reads) === 0;
  putWords(reads, lastKey(reads), ALL);
  const putSweep = reads.statement<[number, number | null], unknown>(PUT_SWEEP);
  const sweep = reads.statement<[], Sweep>('SELECT version, place FROM temp.words_sweep').get();
  if (sweep === undefined || isEmpty) {
    putSweep.run(version, null);
    return;
  }
  if (sweep.place === null && sweep.version === version) return;
  // A sweep that began with an older catalog goes on; what changed behind it begins the next one.
  const began = sweep.place === null ? version : sweep.version;
  putSweep.run(began, putWords(reads, sweep.place ?? 0, WORDS_A_SWEEP));
}

/** Searched texts are folded as titles are. */
export function searchedTitle(title: string): string {
  return foldText(title);
}

function lastKey(reads: AnalyticsReads): number {
  return (
    reads
      .statement<[], { readonly last: number | null }>(
        'SELECT max(market_key) AS last FROM temp.market_words',
      )
      .get()?.last ?? 0
  );
}

/** The last of so many markets after a key; null where there are no more. */
function putWords(reads: AnalyticsReads, after: number, limit: number): number | null {
  const rows = reads.statement<[number, number], WordsRow>(WORDS_SQL).all(after, limit);
  const put = reads.statement<[number, string, string], unknown>(PUT);
  for (const { marketKey, title, endDate } of rows) {
    put.run(marketKey, foldText(title ?? ''), endDate ?? '');
  }
  return rows.length < limit ? null : (rows.at(-1)?.marketKey ?? null);
}
