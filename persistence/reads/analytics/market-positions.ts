/**
 * All accounts' positions in one market, open and closed, in a group for each of its two tokens
 * (wire 8.7). Invariant: every order is total, equal positions being in order of their accounts'
 * creation; an ascending list is the descending one from its end. Bound: the order by tokens walks
 * an index; any other sorts at most STORE_BOUNDS.sortedPositions of a token, beyond which the
 * question is `search_too_wide`.
 */
import { STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksJson,
  lotsJson,
  membersOf,
  microsJson,
} from './number-text.ts';
import { type PageText, pageText, type RowPlace } from './page-text.ts';
import { PRICE_SQL, TOTAL_PNL_SQL, WORTH_SQL } from './position-sql.ts';
import { POSITION_SQL, type PositionRow, positionV2Text, sumsOf } from './position-text.ts';

export const MARKET_POSITION_SORTS = ['TOTAL_PNL', 'TOKENS', 'CASH_PNL', 'REALIZED_PNL'] as const;
/** The others are of version 2. */
export type MarketPositionSort =
  | (typeof MARKET_POSITION_SORTS)[number]
  | 'CURRENT_VALUE'
  | 'PRICE'
  | 'TIMESTAMP';

export const MARKET_POSITION_STATUSES = ['ALL', 'OPEN', 'CLOSED'] as const;
export type MarketPositionStatus =
  | (typeof MARKET_POSITION_STATUSES)[number]
  | 'HELD'
  | 'REDEEMABLE'
  | 'LEFT';

export interface MarketPositionsQuestion {
  /** A condition id in lower case. */
  readonly market: string;
  /** Only this account, in lower case. */
  readonly user?: string | undefined;
  readonly status: MarketPositionStatus;
  readonly sortBy: MarketPositionSort;
  readonly isAscending: boolean;
  /** Positions of each token. */
  readonly limit: number;
  readonly offset: number;
  /** In version 2: the last row before the page: its sorted value, account and outcome. */
  readonly after?: RowPlace | undefined;
  /** In version 2: smaller positions are not HELD. */
  readonly leastLots?: number;
}

const OUTCOMES = [0, 1] as const;

/** A size of 0.01, one lot, counts as closed, as on the public venue. */
const STATUSES: Readonly<Record<MarketPositionStatus, string>> = {
  ALL: '',
  OPEN: 'AND p.lots > 1',
  CLOSED: 'AND p.lots <= 1',
  HELD: 'AND p.closed_ms = 0 AND p.lots >= @leastLots',
  REDEEMABLE: 'AND p.closed_ms = 0 AND p.lots >= @leastLots AND s.payout_ticks IS NOT NULL',
  LEFT: 'AND p.closed_ms > 0 AND p.lots = 0',
};

/** Half micros, except the text of a sum. */
const SORTS: Readonly<Record<MarketPositionSort, string>> = {
  TOTAL_PNL: TOTAL_PNL_SQL,
  TOKENS: 'p.lots',
  CASH_PNL: `${WORTH_SQL} - 2 * p.cost_micros`,
  REALIZED_PNL: 'p.realized_micros',
  CURRENT_VALUE: WORTH_SQL,
  PRICE: PRICE_SQL,
  TIMESTAMP: 'p.changed_ms',
};

type Shape = Pick<MarketPositionsQuestion, 'status' | 'sortBy' | 'isAscending'> & {
  /** Begins after `@value` and `@fromAccount`. */
  readonly isAfter?: boolean;
};

/** The accounts of a page; a test checks the query plans. */
export function marketPositionsSql({ status, sortBy, isAscending, isAfter }: Shape): string {
  const [first, second] = isAscending ? ['ASC', 'DESC'] : ['DESC', 'ASC'];
  const [beyond, from] = isAscending ? ['>', '<='] : ['<', '>='];
  const value = SORTS[sortBy];
  const after = isAfter
    ? `AND (${value} ${beyond} @value OR ${value} = @value AND p.account_key ${from} @fromAccount) `
    : '';
  return (
    `SELECT p.account_key AS account, ${value} AS value ` +
    'FROM positions AS p INDEXED BY positions_by_market ' +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    `WHERE p.market_key = @market AND p.outcome = @outcome ${STATUSES[status]} ${after}` +
    `ORDER BY ${value} ${first}, p.account_key ${second} LIMIT @limit OFFSET @offset`
  );
}

export const MARKET_POSITION_COUNT_SQL =
  'SELECT count(*) FROM (SELECT 1 FROM positions INDEXED BY positions_by_market ' +
  'WHERE market_key = @market AND outcome = @outcome LIMIT @most + 1)';

export function marketPositionsText(
  reads: AnalyticsReads,
  question: MarketPositionsQuestion,
): string | PageText {
  if (reads.version === 2) return listText(reads, question);
  const marketKey = reads.tables.key('market', question.market);
  if (marketKey === undefined) return '[]';
  const market = reads.market(marketKey);
  const lookUp = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  const groups = OUTCOMES.map((outcome) => {
    const texts = accountsOf(reads, question, { marketKey, outcome }).flatMap((account) => {
      const row = lookUp.get(account, marketKey, outcome);
      if (row === undefined || !isOfStatus(row, question.status)) return [];
      return [positionText(reads, account, { row, market })];
    });
    return `{"token":"${market.assets[outcome]}","positions":[${texts.join(',')}]}`;
  });
  return `[${groups.join(',')}]`;
}

interface Token {
  readonly marketKey: number;
  readonly outcome: 0 | 1;
}

interface Ranked {
  readonly account: number;
  readonly value: number | string;
}

/** Version 2 has both tokens in one list, equal positions by account and then by outcome. */
function listText(reads: AnalyticsReads, question: MarketPositionsQuestion): PageText {
  const marketKey = reads.tables.key('market', question.market);
  const lookUp = reads.tables.statement<[number, number, number], PositionRow>(POSITION_SQL);
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => (marketKey === undefined ? [] : rankedIn(reads, question, marketKey, limit)),
    textOf: ({ account, outcome }) => {
      const row = lookUp.get(account, marketKey ?? 0, outcome);
      if (row === undefined) throw new Error(`the position of account ${account} has no row`);
      return positionV2Text(reads.profile(account), row, reads.market(marketKey ?? 0));
    },
    placeAfter: (rows) => rows.slice(-1).flatMap((row) => [row.value, row.account, row.outcome]),
  });
}

function rankedIn(
  reads: AnalyticsReads,
  question: MarketPositionsQuestion,
  market: number,
  limit: number,
): readonly (Ranked & Token)[] {
  const { isAscending, sortBy, after = [], leastLots = 0 } = question;
  const [value, account, place] = after;
  const sql = marketPositionsSql({ ...question, isAfter: after.length > 0 });
  const select = reads.tables.statement<[object], Ranked>(sql);
  const sign = isAscending ? 1 : -1;
  const rows = OUTCOMES.flatMap((outcome) => {
    if (sortBy !== 'TOKENS') boundOfToken(reads, { marketKey: market, outcome });
    // The account at the place was shown in part: only its outcomes that follow are left.
    const follows = isAscending ? outcome < Number(place) : outcome > Number(place);
    const fromAccount = Number(account) + (follows ? 0 : -sign);
    const values = { market, outcome, value, fromAccount, leastLots, limit, offset: 0 };
    return select.all(values).map((row) => ({ ...row, marketKey: market, outcome }));
  });
  const compare = (a: Ranked & Token, b: Ranked & Token): number => {
    if (a.value !== b.value) return a.value < b.value ? -sign : sign;
    return -sign * (a.account - b.account || a.outcome - b.outcome);
  };
  return rows.sort(compare).slice(0, limit);
}

/** Throws StoreError `search_too_wide`; `way` says which list has no bound. */
export function boundOfToken(
  reads: AnalyticsReads,
  { marketKey, outcome }: Token,
  way = 'the order TOKENS lists them all',
): void {
  const most = STORE_BOUNDS.sortedPositions;
  const values = { market: marketKey, outcome, most };
  const [count = 0] = reads.tables.column<number>(MARKET_POSITION_COUNT_SQL, values);
  const sentence = `more than ${most} positions of a token: ${way}`;
  if (count > most) throw new StoreError('search_too_wide', sentence);
}

/** Keys of the accounts of a page; of a given account only that it exists. */
function accountsOf(
  reads: AnalyticsReads,
  question: MarketPositionsQuestion,
  { marketKey, outcome }: Token,
): readonly number[] {
  const { user, limit, offset, sortBy } = question;
  if (user !== undefined) {
    const account = reads.tables.key('account', user);
    return account === undefined || limit === 0 || offset > 0 ? [] : [account];
  }
  const values = { market: marketKey, outcome };
  if (sortBy !== 'TOKENS') boundOfToken(reads, { marketKey, outcome });
  const select = reads.tables.statement<[object], Ranked>(marketPositionsSql(question));
  return select.all({ ...values, limit, offset }).map(({ account }) => account);
}

function isOfStatus({ lots }: PositionRow, status: MarketPositionStatus): boolean {
  return status === 'ALL' || (status === 'OPEN') === lots > 1;
}

interface Shown {
  readonly row: PositionRow;
  readonly market: MarketContent;
}

function positionText(reads: AnalyticsReads, account: number, { row, market }: Shown): string {
  const { address, name, pseudonym, profileImage, verifiedBadge } = reads.profile(account);
  const { boughtLots, paidMicros, realizedMicros } = sumsOf(row);
  const worth = BigInt(row.lots) * BigInt(row.halfTicks);
  const cashPnl = worth - BigInt(row.costMicros) * 2n;
  const isClosed = row.closedMs > 0;
  const average = isClosed
    ? averagePriceText(paidMicros, boughtLots)
    : averagePriceText(row.costMicros, row.lots);
  const { outcome } = row;
  return (
    `{"proxyWallet":"${address}",` +
    `${membersOf({ name: name || pseudonym, profileImage })},` +
    `"verified":${verifiedBadge === true},"asset":"${market.assets[outcome]}",` +
    `"conditionId":"${market.conditionId}","avgPrice":${average},"size":${lotsJson(row.lots)},` +
    `"currPrice":${halfTicksJson(row.halfTicks)},"currentValue":${halfMicrosText(worth)},` +
    `"cashPnl":${halfMicrosText(cashPnl)},"totalBought":${lotsJson(boughtLots)},` +
    `"realizedPnl":${microsJson(realizedMicros)},` +
    `"totalPnl":${halfMicrosText(cashPnl + BigInt(realizedMicros) * 2n)},` +
    `${membersOf({ outcome: [market.outcome0, market.outcome1][outcome], outcomeIndex: outcome })}}`
  );
}
