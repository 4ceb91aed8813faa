/**
 * Fills by filter, newest first: a row for each participant of a trade. Invariant: the order is
 * that of rows (fill-streams.ts), which grow with time, so that pages by offset and by cursor are
 * of one list, and what is traded meanwhile is before all of them. Bounds: SEARCHED_MARKETS;
 * STORE_BOUNDS.searchedRows rows a search. More is `search_too_wide`.
 */
import { STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import {
  type FillFilter,
  type FillSearch,
  type FillStream,
  fillsOf,
  fillsOfAccountIn,
  NO_ROW,
  pageOf,
  RowBudget,
  rowOf,
} from './fill-streams.ts';
import { fillText } from './fill-text.ts';
import type { AnalyticsReads } from './reads.ts';

/** The rows older than one, as its fields name it. */
export interface FillCursor {
  /** Unix seconds, rounded down. */
  readonly timestamp: number;
  /** The row's `id`. */
  readonly row: number;
}

export interface TradesQuestion extends FillFilter {
  /** An account, in lower case. */
  readonly user: string | undefined;
  /** Condition ids in lower case. */
  readonly markets: readonly string[] | undefined;
  /** Ids of events of the catalog, in place of markets. */
  readonly events: readonly number[] | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: FillCursor | undefined;
}

export function tradesText(reads: AnalyticsReads, question: TradesQuestion): string {
  const rows = tradeRows(reads, question, STORE_BOUNDS.searchedRows);
  return `[${rows.map((row) => fillText(reads, row)).join(',')}]`;
}

/** Also for tests, with fewer rows. */
export function tradeRows(
  reads: AnalyticsReads,
  question: TradesQuestion,
  mostRows: number,
): number[] {
  const { user, limit, offset, cursor } = question;
  const marketKeys = marketKeysOf(reads, question);
  const accountKey = user === undefined ? undefined : reads.accountKey(user);
  const isUnknown = user !== undefined && accountKey === undefined;
  if (isUnknown || marketKeys?.length === 0 || limit === 0) return [];
  const search = {
    filter: question,
    afterRow: 0,
    beforeRow: cursor === undefined ? NO_ROW : rowBefore(reads, cursor),
    isAscending: false,
    firstRows: firstRowsOf(question, marketKeys),
  };
  const part = { offset, limit, isAscending: false };
  return cheapest(mostRows, plansOf(reads, { search, accountKey, marketKeys }), (streams) =>
    pageOf(streams, part),
  );
}

interface Part {
  readonly limit: number;
  readonly offset: number;
}

/** Of one stream all that is wanted, of several their share of it. */
export function firstRowsOf(
  { limit, offset }: Part,
  marketKeys: readonly number[] | undefined,
): number {
  return Math.ceil((offset + limit) / (marketKeys?.length ?? 1)) + (marketKeys ? SPARE_ROWS : 0);
}

const SPARE_ROWS = 4;

interface Named {
  readonly markets?: readonly string[] | undefined;
  readonly events?: readonly number[] | undefined;
}

/** What one search goes through at most. */
const SEARCHED_MARKETS = 1_000;

/** Those of them that ever opened, each once; undefined for all. */
export function marketKeysOf(
  reads: AnalyticsReads,
  { markets, events }: Named,
): number[] | undefined {
  if (events === undefined && markets === undefined) return undefined;
  const keys =
    events?.flatMap((eventId) => reads.marketsOfEvent(eventId)) ??
    markets?.flatMap((conditionId) => reads.marketKey(conditionId) ?? []);
  const distinct = [...new Set(keys)];
  if (distinct.length <= SEARCHED_MARKETS) return distinct;
  throw new StoreError(
    'search_too_wide',
    `there are ${distinct.length} markets to look through, of at most ${SEARCHED_MARKETS}`,
  );
}

/** A plan makes the streams that have all of it, on a budget of its own. */
export type StreamPlan = (budget: RowBudget) => readonly FillStream[];

interface PlannedSearch {
  readonly search: FillSearch;
  readonly accountKey: number | undefined;
  readonly marketKeys: readonly number[] | undefined;
}

/** Of an account's rows in markets it isn't known which is short: those in them, or all it has. */
export function plansOf(
  reads: AnalyticsReads,
  { search, accountKey, marketKeys }: PlannedSearch,
): readonly StreamPlan[] {
  if (accountKey === undefined) {
    const ofAll = { scope: 'all', nameKey: 0 } as const;
    const names =
      marketKeys?.map((nameKey) => ({ scope: 'market', nameKey }) as const) ?? ([ofAll] as const);
    return [(budget) => names.map((name) => fillsOf(reads, { ...search, budget }, name))];
  }
  const ofAccount = { scope: 'account', nameKey: accountKey } as const;
  if (marketKeys === undefined) {
    return [(budget) => [fillsOf(reads, { ...search, budget }, ofAccount)]];
  }
  return [
    (budget) =>
      marketKeys.map((marketKey) =>
        fillsOfAccountIn(reads, { ...search, budget }, { accountKey, marketKey }),
      ),
    (budget) => [fillsOf(reads, { ...search, budget }, { ...ofAccount, marketKeys })],
  ];
}

/** Rows of the first try of each plan, where there are several; then this many times as many. */
const FIRST_TRY = 2_000;
const GROWTH = 4;

/** What the first plan gives that gets through. Throws StoreError `search_too_wide`. */
export function cheapest<Found>(
  mostRows: number,
  plans: readonly StreamPlan[],
  find: (streams: readonly FillStream[]) => Found,
): Found {
  let tryRows = plans.length === 1 ? mostRows : Math.min(FIRST_TRY, mostRows);
  while (true) {
    for (const plan of plans) {
      try {
        return find(plan(new RowBudget(tryRows)));
      } catch (error) {
        const isTooWide = error instanceof StoreError && error.code === 'search_too_wide';
        if (!isTooWide || (tryRows === mostRows && plan === plans.at(-1))) throw error;
      }
    }
    tryRows = Math.min(tryRows * GROWTH, mostRows);
  }
}

/** The first trade of a moment or later, in milliseconds; a look-up, whose plan a test reads. */
export const FIRST_TRADE_SQL =
  'SELECT trade_key AS tradeKey FROM trades WHERE time_ms >= ? ORDER BY time_ms, trade_key LIMIT 1';

const MS = 1_000;

/** The row before which all are of an earlier time than these seconds. */
export function firstRowAt(reads: AnalyticsReads, seconds: number): number {
  const statement = reads.statement<[number], { readonly tradeKey: number }>(FIRST_TRADE_SQL);
  const found = statement.get(Math.min(seconds * MS, Number.MAX_SAFE_INTEGER));
  return found === undefined ? NO_ROW : rowOf(found.tradeKey, 0);
}

/** A cursor's time decides first, then its row: rows before the one that is returned are older. */
function rowBefore(reads: AnalyticsReads, { timestamp, row }: FillCursor): number {
  const [first, next] = [firstRowAt(reads, timestamp), firstRowAt(reads, timestamp + 1)];
  return Math.min(Math.max(row, first), next);
}
