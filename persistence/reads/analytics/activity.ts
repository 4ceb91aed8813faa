/**
 * The activity of an account, by time or by size: fills, splits, merges, redemptions, conversions,
 * deposits and withdrawals. Invariant: by time, rows are in the order of their commands; by size,
 * equal rows are ordered by time, in the same direction. Bounds: the rows of a search, once for
 * fills and once for the other kinds; a list by size reads all rows, at most
 * STORE_BOUNDS.sortedActivities fills and as many others. More is `search_too_wide`.
 */
import { ONE_TICKS, SECOND_MS } from '../../../engine/model/index.ts';
import { moveHashOf, NO_MARKET, STORE_BOUNDS } from '../../shared/index.ts';
import { fillKeyOf, fillWalks } from '../tables/fill-walks.ts';
import { NO_KEY } from '../tables/index-search.ts';
import type { AnalyticsReads, NamedMarkets } from './analytics-reads.ts';
import { feedText, fillOf, fillText, labelOf, NO_OUTCOME, type PartyRow } from './fill-text.ts';
import { keyRange, searchedMarkets, type TimeRange } from './fills.ts';
import { lotsJson, microsJson } from './number-text.ts';
import { type PageText, pageText } from './page-text.ts';

/** Types of activity, and orders of lists of it. */
export const ACTIVITY_TYPES = [
  ...(['TRADE', 'SPLIT', 'MERGE', 'REDEEM', 'CONVERSION'] as const),
  ...(['DEPOSIT', 'WITHDRAWAL'] as const),
] as const;

export const ACTIVITY_SORTS = ['TIMESTAMP', 'TOKENS', 'CASH'] as const;

export interface ActivityQuestion extends NamedMarkets, TimeRange {
  /** An account, in lower case. */
  readonly user: string;
  /** A type that never happens here selects nothing. */
  readonly types: readonly string[];
  /** Only trades of this side. */
  readonly side: 'BUY' | 'SELL' | undefined;
  readonly sortBy: (typeof ACTIVITY_SORTS)[number];
  readonly isAscending: boolean;
  readonly limit: number;
  readonly offset: number;
  /** The last rows of either kind before the page, in lists by time. */
  readonly after?: ActivityCursor | undefined;
}

export interface ActivityCursor {
  readonly fillKey: number;
  /** A key of `activities`. */
  readonly otherKey: number;
}

interface Found extends Pick<OtherRow, 'timeMs' | 'seq' | 'lots' | 'micros'> {
  readonly isFill: boolean;
  readonly key: number;
}

/** A place has the keys of a cursor. */
export function activityText(reads: AnalyticsReads, question: ActivityQuestion): PageText {
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => activityPage(reads, { ...question, limit }),
    textOf: ({ isFill, key }) =>
      isFill ? fillText(reads, key, '"type":"TRADE",') : otherText(reads, key),
    placeAfter: (rows) => {
      const { fillKey, otherKey } = question.after ?? firstPlace(reads, question);
      const last = (isFill: boolean) => rows.findLast((row) => row.isFill === isFill)?.key;
      return [last(true) ?? fillKey, last(false) ?? otherKey];
    },
  });
}

/** A test checks the query plans. */
const NEWEST_SQL = {
  trade: 'SELECT coalesce(max(trade_key), 0) FROM trades',
  activity: 'SELECT coalesce(max(activity_key), 0) FROM activities',
} as const;

/** The cursor before the first row; what comes later is not after it. */
function firstPlace({ tables }: AnalyticsReads, { isAscending }: ActivityQuestion): ActivityCursor {
  if (isAscending) return { fillKey: 0, otherKey: 0 };
  const [trade = 0] = tables.column<number>(NEWEST_SQL.trade, {});
  const [activity = 0] = tables.column<number>(NEWEST_SQL.activity, {});
  return { fillKey: fillKeyOf(trade + 1, 0), otherKey: activity + 1 };
}

/** The keys of a part of the list that follow a key of the cursor. */
function rangeAfter(key: number | undefined, isAscending: boolean) {
  return {
    after: isAscending ? (key ?? 0) : 0,
    before: isAscending ? NO_KEY : (key ?? NO_KEY),
  };
}

/** Tests pass fewer `sortedRows` than the usual bound. */
export function activityPage(
  reads: AnalyticsReads,
  question: ActivityQuestion,
  sortedRows: number = STORE_BOUNDS.sortedActivities,
): readonly Found[] {
  const { user, limit, offset, sortBy } = question;
  const accountKey = reads.tables.key('account', user);
  const marketKeys = searchedMarkets(reads, question);
  if (accountKey === undefined || marketKeys?.length === 0 || limit === 0) return [];
  // By time, the page is among the first rows of either kind; by size, it may be anywhere.
  const bounds =
    sortBy === 'TIMESTAMP'
      ? { limit: offset + limit, mostRows: undefined }
      : { limit: sortedRows + 1, mostRows: sortedRows };
  const search = { question, accountKey, marketKeys, ...bounds };
  const found = [...fillsOf(reads, search), ...othersOf(reads, search)];
  return found.sort(orderOf(question)).slice(offset, offset + limit);
}

interface Search {
  readonly question: ActivityQuestion;
  readonly accountKey: number;
  readonly marketKeys: readonly number[] | undefined;
  readonly limit: number;
  readonly mostRows: number | undefined;
}

function orderOf({ sortBy, isAscending }: ActivityQuestion) {
  const sign = isAscending ? 1 : -1;
  const sizeOf = ({ lots, micros }: Found): number => (sortBy === 'TOKENS' ? lots : micros);
  return (a: Found, b: Found): number => {
    const bySize = sortBy === 'TIMESTAMP' ? 0 : sizeOf(a) - sizeOf(b);
    // A command first does due work, which may trade, and then its own: fills come first.
    const byKind = Number(b.isFill) - Number(a.isFill);
    return sign * (bySize || a.seq - b.seq || byKind || a.key - b.key);
  };
}

function fillsOf(reads: AnalyticsReads, search: Search): Found[] {
  const { question, limit, mostRows } = search;
  const { side, isAscending, types } = question;
  if (!types.includes('TRADE')) return [];
  const filter = { takersOnly: false, side, unit: 'micros', least: 0 } as const;
  const times = keyRange(reads, question);
  const { after, before } = rangeAfter(question.after?.fillKey, isAscending);
  const range = { after: Math.max(after, times.after), before: Math.min(before, times.before) };
  const part = { offset: 0, limit, isAscending, ...range };
  const keys = reads.tables.search.page(fillWalks(filter, search, isAscending), part, mostRows);
  return keys.map((key) => {
    const { timeMs, seq, lots, priceTicks } = fillOf(reads, key);
    return { isFill: true, key, timeMs, seq, lots, micros: lots * priceTicks };
  });
}

export interface OthersShape {
  readonly inMarket: boolean;
  readonly isAscending: boolean;
}

/** The SQL of a walk over an account's rows of `activities`. */
export function othersSql({ inMarket, isAscending }: OthersShape): string {
  return (
    'SELECT activity_key FROM activities ' +
    `INDEXED BY activities_by_account${inMarket ? '_market' : ''} ` +
    'WHERE walk_row(activity_key) AND account_key = @accountKey ' +
    `${inMarket ? 'AND market_key = @marketKey ' : ''}` +
    'AND activity_key > @after AND activity_key < @before ' +
    'AND kind IN (SELECT value FROM json_each(@kinds)) ' +
    'AND time_ms >= @startMs AND time_ms < @endMs ' +
    `ORDER BY activity_key${isAscending ? '' : ' DESC'} LIMIT @limit`
  );
}

function othersOf(reads: AnalyticsReads, search: Search): Found[] {
  const { question, accountKey, marketKeys, limit, mostRows } = search;
  const { types, side, isAscending, startSeconds = 0, endSeconds = NO_KEY } = question;
  const kinds = types.filter((type) => type !== 'TRADE');
  if (kinds.length === 0 || side !== undefined) return [];
  const sql = othersSql({ inMarket: marketKeys !== undefined, isAscending });
  const times = { startMs: startSeconds * SECOND_MS, endMs: (endSeconds + 1) * SECOND_MS };
  const values = { accountKey, kinds: JSON.stringify(kinds), ...times };
  const walks = (marketKeys ?? [0]).map((marketKey) => ({ sql, values: { ...values, marketKey } }));
  const range = rangeAfter(question.after?.otherKey, isAscending);
  const part = { offset: 0, limit, isAscending, ...range };
  return reads.tables.search.page([walks], part, mostRows).map((key) => {
    const { marketKey, timeMs, seq, micros, ...row } = otherOf(reads, key);
    // A unit of cash is as large as a token.
    const lots = marketKey === NO_MARKET ? micros / ONE_TICKS : row.lots;
    return { isFill: false, key, timeMs, seq, lots, micros };
  });
}

interface OtherRow extends Pick<PartyRow, 'accountKey' | 'marketKey' | 'lots' | 'timeMs' | 'seq'> {
  readonly outcome: 0 | 1 | null;
  readonly kind: string;
  readonly micros: number;
}

export const OTHER_SQL =
  'SELECT account_key AS accountKey, market_key AS marketKey, outcome, kind, lots, micros, ' +
  'time_ms AS timeMs, seq FROM activities WHERE activity_key = ?';

function otherOf(reads: AnalyticsReads, key: number): OtherRow {
  const row = reads.tables.statement<[number], OtherRow>(OTHER_SQL).get(key);
  if (row === undefined) throw new Error(`activity ${key} has no row`);
  return row;
}

function otherText(reads: AnalyticsReads, key: number): string {
  const row = otherOf(reads, key);
  const { outcome, kind } = row;
  const profile = reads.profile(row.accountKey);
  const market = reads.market(row.marketKey);
  const cash = microsJson(row.micros);
  const size = row.marketKey === NO_MARKET ? cash : lotsJson(row.lots);
  const hash = moveHashOf(row.seq, row.timeMs);
  if (reads.version === 2) {
    const moved = { ...row, type: `"type":"${kind}",`, side: '', size, price: '0', cash };
    return feedText({ ...moved, market, profile, hash });
  }
  return (
    `{"id":"a${key}","type":"${kind}","proxyWallet":"${profile.address}","side":"",` +
    `"asset":"${outcome === null ? '' : market.assets[outcome]}",` +
    `"conditionId":"${market.conditionId}","size":${size},"price":0,` +
    `"timestamp":${Math.floor(row.timeMs / SECOND_MS)},"usdcSize":${cash},` +
    `"stablecoinSize":${cash},${market.members},` +
    `"outcome":${JSON.stringify(labelOf(market, outcome))},` +
    `"outcomeIndex":${outcome ?? NO_OUTCOME},${profile.members},` +
    `"transactionHash":"${hash}"}`
  );
}
