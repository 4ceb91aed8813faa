/**
 * Lists of an account's positions, closed and open. Invariant: a page is found by keys alone
 * (position-plans.ts); an account or market that nothing is known of has none. Bound: a list that
 * no index sorts or searches looks at STORE_BOUNDS.sortedPositions; more is `search_too_wide`.
 */
import { STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import { refreshWords, searchedTitle } from './market-words.ts';
import {
  type ClosedSort,
  closedPositionsSql,
  countSql,
  looksAtAll,
  type OpenSort,
  openPositionsSql,
} from './position-plans.ts';
import { type PositionKey, positionsText } from './position-text.ts';
import type { AnalyticsReads } from './reads.ts';

interface PositionsOf {
  /** An account, in lower case. */
  readonly user: string;
  /** Condition ids in lower case; all markets where it is left out. */
  readonly markets?: readonly string[] | undefined;
  /** Ids of events of the catalog, in place of markets. */
  readonly events?: readonly number[] | undefined;
  /** A part of the title, whatever its case; '' for any. */
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
  /** Smaller ones are left out. */
  readonly leastLots: number;
  /** Only those that can be redeemed; only those that can be merged. */
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
  const account = reads.accountKey(user);
  if (account === undefined || limit === 0) return NONE;
  const keys = marketsOf(reads, question);
  const searched = searchedTitle(title);
  const shape = { isAscending, ofMarkets: keys !== undefined, ofTitle: searched !== '' };
  if (looksAtAll({ ...shape, isOpen, sortBy })) boundSorted(reads, account, isOpen);
  if (shape.ofTitle || sortBy === 'TITLE' || sortBy === 'RESOLVING') refreshWords(reads);
  const page = reads.statement<[Readonly<Record<string, unknown>>], PositionKey>(sql(shape)).all({
    ...values,
    account,
    limit,
    offset,
    ...(keys === undefined ? {} : { markets: JSON.stringify(keys) }),
    ...(shape.ofTitle ? { title: searched } : {}),
  });
  return positionsText(reads, account, page);
}

/** Keys of the markets that are asked for, each once; undefined for all. */
export function marketsOf(
  reads: AnalyticsReads,
  { markets, events }: Pick<PositionsOf, 'markets' | 'events'>,
): readonly number[] | undefined {
  if (events !== undefined) {
    return [...new Set(events)].flatMap((eventId) => reads.marketsOfEvent(eventId));
  }
  if (markets === undefined) return undefined;
  return [...new Set(markets)].flatMap((conditionId) => reads.marketKey(conditionId) ?? []);
}

/** Throws StoreError `search_too_wide`. */
export function boundSorted(reads: AnalyticsReads, account: number, isOpen: boolean): void {
  const most = STORE_BOUNDS.sortedPositions;
  type Values = { readonly account: number; readonly most: number };
  const found = reads
    .statement<[Values], { readonly count: number }>(countSql(isOpen))
    .get({ account, most });
  if (found !== undefined && found.count > most) {
    throw new StoreError('search_too_wide', `an account has more than ${most} positions`);
  }
}
