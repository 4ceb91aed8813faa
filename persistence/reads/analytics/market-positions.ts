/**
 * All accounts' positions in one market, open and closed, in a group for each of its two tokens
 * (wire 8.7). Invariant: every order is total, equal positions being in order of their accounts'
 * creation; an ascending list is the descending one from its end. Bound: the order by tokens walks
 * an index; any other sorts at most STORE_BOUNDS.sortedPositions of a token, beyond which the
 * question is `search_too_wide`.
 */
import { STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import type { AnalyticsReads, MarketContent } from './analytics-reads.ts';
import { membersOf } from './fill-text.ts';
import {
  averagePriceText,
  halfMicrosText,
  halfTicksJson,
  lotsJson,
  microsJson,
} from './number-text.ts';
import { WORTH_SQL } from './position-sql.ts';
import { POSITION_SQL, type PositionRow, sumsOf } from './position-text.ts';

export const MARKET_POSITION_SORTS = ['TOTAL_PNL', 'TOKENS', 'CASH_PNL', 'REALIZED_PNL'] as const;
export type MarketPositionSort = (typeof MARKET_POSITION_SORTS)[number];

export const MARKET_POSITION_STATUSES = ['ALL', 'OPEN', 'CLOSED'] as const;
export type MarketPositionStatus = (typeof MARKET_POSITION_STATUSES)[number];

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
}

const OUTCOMES = [0, 1] as const;

/** A size of 0.01, one lot, counts as closed, as on the public venue. */
const STATUSES: Readonly<Record<MarketPositionStatus, string>> = {
  ALL: '',
  OPEN: 'AND p.lots > 1',
  CLOSED: 'AND p.lots <= 1',
};

/** Sums beyond 2^53 micros are near enough to sort by. */
function real(column: string): string {
  return `CAST(substr(p.${column}, 3) AS REAL)`;
}

/** Half micros, except the text of a sum; `total` is without the cost, which cancels out. */
const SORTS: Readonly<Record<MarketPositionSort, string>> = {
  TOTAL_PNL:
    `${WORTH_SQL} + 2 * (${real('received_micros')} - ${real('paid_micros')} - ` +
    `${real('fee_micros')})`,
  TOKENS: 'p.lots',
  CASH_PNL: `${WORTH_SQL} - 2 * p.cost_micros`,
  REALIZED_PNL: 'p.realized_micros',
};

type Shape = Pick<MarketPositionsQuestion, 'status' | 'sortBy' | 'isAscending'>;

/** The accounts of a page; a test checks the query plans. */
export function marketPositionsSql({ status, sortBy, isAscending }: Shape): string {
  const [first, second] = isAscending ? ['ASC', 'DESC'] : ['DESC', 'ASC'];
  return (
    'SELECT p.account_key FROM positions AS p INDEXED BY positions_by_market ' +
    'CROSS JOIN market_states AS s ON s.market_key = p.market_key ' +
    `WHERE p.market_key = @market AND p.outcome = @outcome ${STATUSES[status]} ` +
    `ORDER BY ${SORTS[sortBy]} ${first}, p.account_key ${second} LIMIT @limit OFFSET @offset`
  );
}

export const MARKET_POSITION_COUNT_SQL =
  'SELECT count(*) FROM (SELECT 1 FROM positions INDEXED BY positions_by_market ' +
  'WHERE market_key = @market AND outcome = @outcome LIMIT @most + 1)';

export function marketPositionsText(
  reads: AnalyticsReads,
  question: MarketPositionsQuestion,
): string {
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
  if (sortBy !== 'TOKENS') {
    const most = STORE_BOUNDS.sortedPositions;
    const [count = 0] = reads.tables.column<number>(MARKET_POSITION_COUNT_SQL, { ...values, most });
    const sentence = `more than ${most} positions of a token: sortBy=TOKENS lists them all`;
    if (count > most) throw new StoreError('search_too_wide', sentence);
  }
  return reads.tables.column<number>(marketPositionsSql(question), { ...values, limit, offset });
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
