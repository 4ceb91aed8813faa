/**
 * All that an account did, by time or by size: its fills, and what it split, merged, redeemed and
 * converted. Invariant: by time, rows of one moment are in order of their commands; by size, equal
 * ones in the order of time that was asked for. Bounds: of each kind
 * STORE_BOUNDS.searchedRows rows; by size, where all are looked at, sortedActivities. More is
 * `search_too_wide`.
 */
import { STORE_BOUNDS } from '../../shared/index.ts';
import { type ACTIVITY_SORTS, ACTIVITY_TYPES } from './activity-kinds.ts';
import { type FillSearch, type FillStream, NO_ROW, pageOf, RowBudget } from './fill-streams.ts';
import { fillOf, fillText, marketMembers, profileMembers } from './fill-text.ts';
import { lotsText, microsText } from './number-text.ts';
import { cheapest, firstRowAt, firstRowsOf, marketKeysOf, plansOf } from './read-trades.ts';
import type { AnalyticsReads } from './reads.ts';

export interface ActivityQuestion {
  /** An account, in lower case. */
  readonly user: string;
  /** As TradesQuestion. */
  readonly markets: readonly string[] | undefined;
  readonly events: readonly number[] | undefined;
  /** All where it is undefined; one that never happens here is of nothing. */
  readonly types: readonly string[] | undefined;
  /** Both count; rounded down as the rows' are. */
  readonly startSeconds: number | undefined;
  readonly endSeconds: number | undefined;
  /** Trades of this side alone. */
  readonly side: 'BUY' | 'SELL' | undefined;
  readonly sortBy: (typeof ACTIVITY_SORTS)[number];
  readonly isAscending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** What a row is sorted by and found again with: a fill has a row, what else was done a key. */
interface Found {
  readonly timeMs: number;
  readonly seq: number;
  readonly lots: number;
  readonly micros: number;
  readonly row?: number;
  readonly key?: number;
}

export function activityText(reads: AnalyticsReads, question: ActivityQuestion): string {
  const { searchedRows, sortedActivities } = STORE_BOUNDS;
  const mostRows = question.sortBy === 'TIMESTAMP' ? searchedRows : sortedActivities;
  const page = activityPage(reads, question, mostRows);
  const texts = page.map(({ row, key = 0 }) =>
    row === undefined ? otherText(reads, key) : fillText(reads, row, '"type":"TRADE",'),
  );
  return `[${texts.join(',')}]`;
}

/** Also for tests, with fewer rows. */
export function activityPage(
  reads: AnalyticsReads,
  question: ActivityQuestion,
  mostRows: number,
): readonly Found[] {
  const { user, limit, offset, sortBy } = question;
  const accountKey = reads.accountKey(user);
  const marketKeys = marketKeysOf(reads, question);
  if (accountKey === undefined || marketKeys?.length === 0 || limit === 0) return [];
  // By size any row may be among the first.
  const wanted = sortBy === 'TIMESTAMP' ? offset + limit : NO_ROW;
  const search = { question, accountKey, marketKeys, wanted, mostRows };
  const found = [...tradesOf(reads, search), ...othersOf(reads, search)];
  return found.sort(orderOf(question)).slice(offset, offset + limit);
}

interface Search {
  readonly question: ActivityQuestion;
  readonly accountKey: number;
  readonly marketKeys: readonly number[] | undefined;
  /** The first so many by time. */
  readonly wanted: number;
  readonly mostRows: number;
}

function orderOf({ sortBy, isAscending }: ActivityQuestion) {
  const sign = isAscending ? 1 : -1;
  const sizeOf = ({ lots, micros }: Found): number => (sortBy === 'TOKENS' ? lots : micros);
  return (a: Found, b: Found): number => {
    const bySize = sortBy === 'TIMESTAMP' ? 0 : sizeOf(a) - sizeOf(b);
    // What was due trades before the command that found it due.
    const isLater = (a.row === undefined ? 1 : 0) - (b.row === undefined ? 1 : 0);
    const inCommand = isLater || (a.row ?? 0) - (b.row ?? 0) || (a.key ?? 0) - (b.key ?? 0);
    return sign * (bySize || a.seq - b.seq || inCommand);
  };
}

function tradesOf(reads: AnalyticsReads, search: Search): Found[] {
  const { question, accountKey, marketKeys, wanted, mostRows } = search;
  const { side, isAscending, types, startSeconds, endSeconds } = question;
  if (types?.includes('TRADE') === false) return [];
  const limit = Math.min(wanted, mostRows + 1);
  const fillSearch: FillSearch = {
    filter: { takersOnly: false, side, unit: 'micros', least: 0 },
    afterRow: startSeconds === undefined ? 0 : firstRowAt(reads, startSeconds) - 1,
    beforeRow: endSeconds === undefined ? NO_ROW : firstRowAt(reads, endSeconds + 1),
    isAscending,
    firstRows: firstRowsOf({ limit, offset: 0 }, marketKeys),
  };
  const plans = plansOf(reads, { search: fillSearch, accountKey, marketKeys });
  const part = { offset: 0, limit, isAscending };
  const rows = cheapest(mostRows, plans, (streams: readonly FillStream[]) => pageOf(streams, part));
  return rows.map((row) => {
    const { timeMs, seq, lots, priceTicks } = fillOf(reads, row);
    return { timeMs, seq, lots, micros: lots * priceTicks, row };
  });
}

export interface OthersShape {
  readonly inMarket: boolean;
  readonly isAscending: boolean;
}

const OTHER_TYPES: ReadonlySet<string> = new Set(ACTIVITY_TYPES.filter((type) => type !== 'TRADE'));

/** SQL of the next activities of an account, each with whether it is of a wanted kind. */
export function othersSql({ inMarket, isAscending }: OthersShape): string {
  return (
    'SELECT activity_key AS key, time_ms AS timeMs, seq, lots, micros, ' +
    'kind IN (SELECT value FROM json_each(@kinds)) AS fits FROM activities ' +
    `INDEXED BY activities_by_account${inMarket ? '_market' : ''} ` +
    `WHERE account_key = @accountKey${inMarket ? ' AND market_key = @marketKey' : ''} ` +
    'AND activity_key > @afterKey AND activity_key < @beforeKey ' +
    `ORDER BY activity_key${isAscending ? '' : ' DESC'} LIMIT @limit`
  );
}

function othersOf(reads: AnalyticsReads, search: Search): Found[] {
  const { question, accountKey, marketKeys, wanted, mostRows } = search;
  const { types, side, isAscending, startSeconds, endSeconds } = question;
  const kinds = types?.filter((type) => OTHER_TYPES.has(type)) ?? [...OTHER_TYPES];
  if (kinds.length === 0 || side !== undefined) return [];
  const shape = { inMarket: marketKeys !== undefined, isAscending };
  type Row = Omit<Found, 'row'> & { readonly key: number; readonly fits: number };
  const statement = reads.statement<[object], Row>(othersSql(shape));
  const budget = new RowBudget(mostRows);
  const values = { accountKey, kinds: JSON.stringify(kinds) };
  const first = startSeconds === undefined ? 0 : firstKeyAt(reads, startSeconds) - 1;
  const last = endSeconds === undefined ? NO_ROW : firstKeyAt(reads, endSeconds + 1);
  return (marketKeys ?? [0]).flatMap((marketKey) => {
    const found: Found[] = [];
    let [afterKey, beforeKey] = [first, last];
    for (let more = true; more && found.length < wanted; ) {
      const inMarket = shape.inMarket ? { marketKey } : {};
      const rows = statement.all({ ...values, ...inMarket, afterKey, beforeKey, limit: STEP_ROWS });
      budget.spend(rows.length);
      for (const { fits, ...row } of rows) if (fits === 1) found.push(row);
      const key = rows.at(-1)?.key ?? 0;
      if (isAscending) afterKey = key;
      else beforeKey = key;
      more = rows.length === STEP_ROWS;
    }
    return found;
  });
}

const STEP_ROWS = 256;

/** The first activity from a key on, and the last of all; look-ups, whose plans a test reads. */
export const ACTIVITY_TIME_SQL = {
  from:
    'SELECT activity_key AS key, time_ms AS timeMs FROM activities WHERE activity_key >= ? ' +
    'ORDER BY activity_key LIMIT 1',
  last: 'SELECT max(activity_key) AS key FROM activities',
} as const;

/** The first key at these seconds or later, halved towards: keys grow with time. */
function firstKeyAt(reads: AnalyticsReads, seconds: number): number {
  type Row = { readonly key: number; readonly timeMs: number };
  const from = reads.statement<[number], Row>(ACTIVITY_TIME_SQL.from);
  const last = reads.statement<[], { readonly key: number | null }>(ACTIVITY_TIME_SQL.last).get();
  let [low, high] = [0, (last?.key ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = from.get(middle);
    if (row === undefined || row.timeMs >= seconds * 1_000) high = middle;
    else low = row.key + 1;
  }
  return low;
}

interface OtherRow {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: number | null;
  readonly kind: string;
  readonly lots: number;
  readonly micros: number;
  readonly timeMs: number;
}

export const OTHER_SQL =
  'SELECT account_key AS accountKey, market_key AS marketKey, outcome, kind, lots, micros, ' +
  'time_ms AS timeMs FROM activities WHERE activity_key = ?';

/** What public venues say for the outcome of complete sets. */
const NO_OUTCOME = 999;

function otherText(reads: AnalyticsReads, key: number): string {
  const row = reads.statement<[number], OtherRow>(OTHER_SQL).get(key);
  if (row === undefined) throw new Error(`there is no activity ${key}, which was just found`);
  const { outcome, kind, lots } = row;
  const account = reads.account(row.accountKey);
  const words = reads.words(row.marketKey);
  const cash = microsText(row.micros);
  const label = outcome === null ? '' : outcome === 0 ? words.outcome0 : words.outcome1;
  return (
    `{"id":"a${key}","type":"${kind}","proxyWallet":"${account.address}","side":"",` +
    `"asset":"${outcome === null ? '' : `${words.conditionId}:${outcome}`}",` +
    `"conditionId":"${words.conditionId}","size":${lotsText(lots)},"price":0,` +
    `"timestamp":${Math.floor(row.timeMs / 1_000)},"usdcSize":${cash},"stablecoinSize":${cash},` +
    `${marketMembers(words)},"outcome":${JSON.stringify(label)},` +
    `"outcomeIndex":${outcome ?? NO_OUTCOME},${profileMembers(account)},"transactionHash":""}`
  );
}
