/**
 * Lists of an account's positions, closed and open. Invariant: a page is found by keys alone
 * (position-sql.ts); an unknown account or market has no positions. Bound: a list that no index
 * sorts or filters reads at most STORE_BOUNDS.sortedPositions; more is `search_too_wide`.
 */
import { foldText, STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import { type AnalyticsReads, marketKeysOf, type NamedMarkets } from './analytics-reads.ts';
import { refreshTitles } from './market-titles.ts';
import {
  type ClosedSort,
  closedPositionsSql,
  countSql,
  looksAtAll,
  type OpenSort,
  openPositionsSql,
} from './position-sql.ts';
import { type PositionKey, positionsText } from './position-text.ts';

interface PositionsOf extends NamedMarkets {
  /** An account, in lower case. */
  readonly user: string;
  /** A part of the title, in any case; '' for any title. */
  readonly title: string;
  readonly limit: number;
  readonly offset: number;
  readonly isAscending: boolean;
}

export interface ClosedPositionsQuestion extends PositionsOf {
  readonly sortBy: ClosedSort;
}

export interface PositionsQuestion extends PositionsOf {
  readonly sortBy: OpenSort;
  /** Smaller positions are left out. */
  readonly leastLots: number;
  /** Only positions that can be redeemed; only positions that can be merged. */
  readonly isRedeemable: boolean;
  readonly isMergeable: boolean;
}

export function closedPositionsText(
  reads: AnalyticsReads,
  question: ClosedPositionsQuestion,
): string {
  const { sortBy } = question;
  return listText(reads, {
    question,
    isOpen: false,
    sql: (shape) => closedPositionsSql({ ...shape, sortBy }),
    values: {},
  });
}

export function openPositionsText(reads: AnalyticsReads, question: PositionsQuestion): string {
  const { sortBy, leastLots, isRedeemable, isMergeable } = question;
  return listText(reads, {
    question,
    isOpen: true,
    sql: (shape) => openPositionsSql({ ...shape, sortBy, isRedeemable, isMergeable }),
    values: { leastLots },
  });
}

interface List {
  readonly question: ClosedPositionsQuestion | PositionsQuestion;
  readonly isOpen: boolean;
  readonly sql: (shape: {
    readonly isAscending: boolean;
    readonly ofMarkets: boolean;
    readonly ofTitle: boolean;
  }) => string;
  readonly values: Readonly<Record<string, number>>;
}

const NONE = '[]';

function listText(reads: AnalyticsReads, { question, isOpen, sql, values }: List): string {
  const { user, title, limit, offset, isAscending, sortBy } = question;
  const account = reads.tables.key('account', user);
  if (account === undefined || limit === 0) return NONE;
  const keys = marketKeysOf(reads, question);
  const searched = foldText(title);
  const shape = { isAscending, ofMarkets: keys !== undefined, ofTitle: searched !== '' };
  if (looksAtAll({ ...shape, isOpen, sortBy })) boundSorted(reads, account, isOpen);
  if (shape.ofTitle || sortBy === 'TITLE' || sortBy === 'RESOLVING') refreshTitles(reads);
  const parameters = { ...values, account, limit, offset, title: searched };
  const page = reads.tables
    .statement<[object], PositionKey>(sql(shape))
    .all({ ...parameters, markets: JSON.stringify(keys ?? []) });
  return positionsText(reads, account, page);
}

/** Throws StoreError `search_too_wide`. */
export function boundSorted(reads: AnalyticsReads, account: number, isOpen: boolean): void {
  const most = STORE_BOUNDS.sortedPositions;
  const [count = 0] = reads.tables.column<number>(countSql(isOpen), { account, most });
  if (count <= most) return;
  throw new StoreError('search_too_wide', `an account has more than ${most} positions`);
}
