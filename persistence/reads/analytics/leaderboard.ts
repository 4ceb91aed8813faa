/**
 * The accounts that traded or won most today, this week, this month (UTC) or ever (wire 8.7).
 * Invariant: no two accounts have the same rank; equal accounts are ranked in order of creation.
 * `pnl` is the profit realized in the period. Bound: a page is a range of an index; the rank of one
 * account counts the accounts before it.
 */
import { STORE_BOUNDS, StoreError, type WideSum, wideSum, wideText } from '../../shared/index.ts';
import type { AnalyticsReads } from './analytics-reads.ts';
import { type LeaderboardOrder, type LeaderboardPeriod, periodNumber } from './board-terms.ts';
import {
  type CategoryLeader,
  categoryLeaders,
  type LeaderboardCategory,
  RANKED_BY,
} from './category-leaders.ts';
import { lotsJson, membersOf, microsJson } from './number-text.ts';
import { type PageText, pageText, type RowPlace } from './page-text.ts';

export interface LeaderboardQuestion {
  readonly period: LeaderboardPeriod;
  readonly order: LeaderboardOrder;
  readonly category: LeaderboardCategory;
  readonly nowMs: number;
  readonly limit: number;
  readonly offset: number;
  /** Only this account, in lower case, with its rank among all. */
  readonly user?: string | undefined;
  /** Only accounts that are shown by this name, with their ranks among all. */
  readonly userName?: string | undefined;
  /** In version 2: the place before the page, as `boardText` makes it. */
  readonly after?: RowPlace | undefined;
  /** Accounts, in lower case, that have no place on the board. Their number is small. */
  readonly excluded?: readonly string[];
}

interface LeaderRow {
  readonly account: number;
  /** Sums, as text (wide-sum.ts) or already read. */
  readonly volume: string | WideSum;
  readonly realized: string | WideSum;
}

const COLUMNS: Readonly<Record<LeaderboardPeriod, { readonly own: string; readonly of: string }>> =
  {
    DAY: { own: 'day_', of: 'day = @number' },
    WEEK: { own: 'week_', of: 'week = @number' },
    MONTH: { own: 'month_', of: 'month = @number' },
    ALL: { own: '', of: 'true' },
  };

const ORDERS = { PNL: 'realized', VOL: 'volume' } as const;

const INDEXES = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', ALL: 'totals' } as const;

interface Shape extends Pick<LeaderboardQuestion, 'period' | 'order'> {
  /** Whether accounts are excluded: their keys are in `@excluded`, as JSON. */
  readonly excludes?: boolean;
}

/** The statements of a board; a test checks their query plans. */
export function leaderboardSql({ period, order, excludes = false }: Shape) {
  const { own } = COLUMNS[period];
  const others = ' AND account_key NOT IN (SELECT value FROM json_each(@excluded))';
  const of = COLUMNS[period].of + (excludes ? others : '');
  const ranked = `${own}${ORDERS[order]}_micros`;
  const from = `FROM account_totals INDEXED BY ${INDEXES[period]}_by_${ORDERS[order]} WHERE ${of}`;
  const columns = `account_key AS account, ${own}volume_micros AS volume,
    ${own}realized_micros AS realized`;
  return {
    page: `SELECT ${columns} ${from} ORDER BY ${ranked} DESC, account_key
      LIMIT @limit OFFSET @offset`,
    one: `SELECT ${columns} FROM account_totals WHERE account_key = @account AND ${of}`,
    before: `SELECT (SELECT count(*) ${from} AND ${ranked} > @value)
      + (SELECT count(*) ${from} AND ${ranked} = @value AND account_key < @account) AS count`,
  };
}

export function leaderboardText(
  reads: AnalyticsReads,
  question: LeaderboardQuestion,
): string | PageText {
  if (reads.version === 2) return boardText(reads, question);
  const { period, order, category, nowMs, user } = question;
  // The one row of an account is on every page.
  const [offset, limit] = user === undefined ? [question.offset, question.limit] : [0, 1];
  const asked = accountsAsked(reads, question);
  const excluded = keysOf(reads, question.excluded ?? []);
  if (category !== 'OVERALL') {
    const leaders = categoryLeaders(reads, { category, period, order, nowMs });
    const ranked = [...leaders.filter(({ account }) => !excluded.includes(account)).entries()];
    const wanted = ranked.filter(([, row]) => asked?.includes(row.account) ?? true);
    const page = wanted.slice(offset, offset + limit);
    return `[${page.map(([index, row]) => leaderText(reads, row, index + 1)).join(',')}]`;
  }
  const excludes = excluded.length > 0;
  const sql = leaderboardSql({ period, order, excludes });
  const number = periodNumber(period, nowMs);
  const values = excludes ? { number, excluded: JSON.stringify(excluded) } : { number };
  type Values = Readonly<Record<string, number | string>>;
  if (asked === undefined) {
    const rows = reads.tables
      .statement<[Values], LeaderRow>(sql.page)
      .all({ ...values, limit, offset });
    return `[${rows.map((row, index) => leaderText(reads, row, offset + index + 1)).join(',')}]`;
  }
  const ranked = asked.flatMap((account) => {
    const row = reads.tables.statement<[Values], LeaderRow>(sql.one).get({ ...values, account });
    if (row === undefined) return [];
    const value = order === 'PNL' ? row.realized : row.volume;
    const [before = 0] = reads.tables.column<number>(sql.before, { ...values, account, value });
    return [{ row, rank: before + 1 }];
  });
  const page = ranked.toSorted((a, b) => a.rank - b.rank).slice(offset, offset + limit);
  return `[${page.map(({ row, rank }) => leaderText(reads, row, rank)).join(',')}]`;
}

/**
 * Version 2: volumes are tokens. A place has the time of the first page, which says when the period
 * begins, and the ranked sum (wide-sum.ts) and account of the last row: a new account neither
 * repeats nor hides others. Ranks are those at the time of the page. Of one account it has both
 * ranks, or null.
 */
function boardText(reads: AnalyticsReads, question: LeaderboardQuestion): string | PageText {
  const { user, order, after = [question.nowMs] } = question;
  const own = order === 'VOL' ? 'TOKENS' : 'PNL';
  if (user === undefined) {
    const [nowMs, last = '', lastAccount = 0] = after;
    const leaders = categoryLeaders(reads, { ...question, nowMs: Number(nowMs), order: own });
    const sumOf = (row: CategoryLeader) => wideText(row[RANKED_BY[own]]);
    const first = leaders.findIndex((row) => {
      const sum = sumOf(row);
      return last === '' || sum < last || (sum === last && row.account > Number(lastAccount));
    });
    return pageText(reads, {
      limit: question.limit,
      find: (limit) => (first < 0 ? [] : [...leaders.entries()].slice(first, first + limit)),
      textOf: ([index, row]) => `{"rank":${index + 1},${leaderMembers(reads, row)}}`,
      placeAfter: (rows) =>
        rows.slice(-1).flatMap(([, row]) => [Number(nowMs), sumOf(row), row.account]),
    });
  }
  const [account] = keysOf(reads, [user]);
  const [byPnl, byTokens] = (['PNL', 'TOKENS'] as const).map((one) => {
    const leaders = categoryLeaders(reads, { ...question, order: one });
    const index = leaders.findIndex((row) => row.account === account);
    return { rank: index + 1, row: leaders[index] };
  });
  if (byPnl?.row === undefined) return 'null';
  const ranks = `"rank_pnl":${byPnl.rank},"rank_volume":${byTokens?.rank ?? null}`;
  return `{${leaderMembers(reads, byPnl.row)},${ranks}}`;
}

function leaderMembers(reads: AnalyticsReads, row: CategoryLeader): string {
  const { address, name, pseudonym, profileImage, ...profile } = reads.profile(row.account);
  const texts = {
    user_name: name || pseudonym,
    profile_image: profileImage,
    x_username: profile.xUsername ?? '',
    verified: profile.verifiedBadge === true,
  };
  return (
    `"user_id":"${address}","pnl":${microsJson(row.realized)},"volume":${lotsJson(row.lots)},` +
    membersOf(texts)
  );
}

/** The accounts that the question names; undefined for all. Throws StoreError `search_too_wide`. */
function accountsAsked(
  reads: AnalyticsReads,
  { user, userName }: LeaderboardQuestion,
): readonly number[] | undefined {
  const ofUser = user === undefined ? undefined : keysOf(reads, [user]);
  if (userName === undefined) return ofUser;
  const most = STORE_BOUNDS.leadersNamed;
  const named = reads.accountsNamed(userName, most + 1);
  if (named.length > most) {
    const sentence = `more than ${most} accounts have this name: user takes the address of one`;
    throw new StoreError('search_too_wide', sentence);
  }
  return ofUser === undefined ? named : named.filter((account) => ofUser.includes(account));
}

/** The keys of the accounts that the projection knows. */
function keysOf({ tables }: AnalyticsReads, addresses: readonly string[]): number[] {
  return addresses
    .map((address) => tables.key('account', address))
    .filter((key) => key !== undefined);
}

function sumOf(stored: string | WideSum): WideSum {
  return typeof stored === 'string' ? wideSum(stored) : stored;
}

/** An account without a name shows its pseudonym. */
function leaderText(reads: AnalyticsReads, row: LeaderRow, rank: number): string {
  const { address, name, pseudonym, profileImage, ...profile } = reads.profile(row.account);
  return (
    `{"rank":"${rank}","proxyWallet":"${address}",` +
    `"userName":${JSON.stringify(name || pseudonym)},"vol":${microsJson(sumOf(row.volume))},` +
    `"pnl":${microsJson(sumOf(row.realized))},"profileImage":${JSON.stringify(profileImage)},` +
    `"xUsername":${JSON.stringify(profile.xUsername)},` +
    `"verifiedBadge":${JSON.stringify(profile.verifiedBadge)}}`
  );
}
