/**
 * Lists of an account's positions, closed and open. Invariant: a page is found by keys alone
 * (position-sql.ts); an unknown account or market has no positions. Bound: a list that no index
 * sorts or filters reads at most STORE_BOUNDS.sortedPositions; more is `search_too_wide`.
 */
import { foldText, STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import { type AnalyticsReads, marketKeysOf, type NamedMarkets } from './analytics-reads.ts';
import { refreshTitles } from './market-titles.ts';
import { type PageText, pageText, type RowPlace } from './page-text.ts';
import {
  type ClosedSort,
  closedPositionsSql,
  countSql,
  looksAtAll,
  type OpenSort,
  openPositionsSql,
} from './position-sql.ts';
import { type PositionKey, positionWriter } from './position-text.ts';

interface PositionsOf extends NamedMarkets {
  /** An account, in lower case. */
  readonly user: string;
  /** A part of the title, in any case; '' for any title. */
  readonly title: string;
  readonly limit: number;
  readonly offset: number;
  readonly isAscending: boolean;
  /** The last row before the page: the value it is sorted by, the market's key, the outcome. */
  readonly after?: RowPlace | undefined;
  /** Only positions that changed in this time, both ends included; all by default. */
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  /** Without markets that the catalog has archived. */
  readonly hidesArchived?: boolean;
}

export interface ClosedPositionsQuestion extends PositionsOf {
  readonly sortBy: ClosedSort;
  /** Only those with tokens that pay nothing, or only those without; undefined for either. */
  readonly isLost?: boolean | undefined;
}

export interface PositionsQuestion extends PositionsOf {
  readonly sortBy: OpenSort;
  /** Smaller positions are left out. */
  readonly leastLots: number;
  /** Only positions that can be redeemed; only positions that can be merged. */
  readonly isRedeemable: boolean;
  readonly isMergeable: boolean;
  /** Positions worth less, in half micros, are left out. */
  readonly leastHalfMicros?: number;
}

export function closedPositionsText(
  reads: AnalyticsReads,
  question: ClosedPositionsQuestion,
): PageText {
  const { sortBy, isLost } = question;
  return listText(reads, {
    question,
    isOpen: false,
    sql: (shape) => closedPositionsSql({ ...shape, sortBy, isLost }),
    values: {},
  });
}

export function openPositionsText(reads: AnalyticsReads, question: PositionsQuestion): PageText {
  const { sortBy, leastLots, isRedeemable, isMergeable, leastHalfMicros = 0 } = question;
  const filter = { isRedeemable, isMergeable, ofWorth: leastHalfMicros > 0 };
  return listText(reads, {
    question,
    isOpen: true,
    sql: (shape) => openPositionsSql({ ...shape, sortBy, ...filter }),
    values: { leastLots, leastHalfMicros },
  });
}

interface List {
  readonly question: ClosedPositionsQuestion | PositionsQuestion;
  readonly isOpen: boolean;
  readonly sql: (shape: {
    readonly isAscending: boolean;
    readonly ofMarkets: boolean;
    readonly ofTitle: boolean;
    readonly isAfter: boolean;
    readonly ofTime: boolean;
    readonly hidesArchived: boolean;
  }) => string;
  readonly values: Readonly<Record<string, number>>;
}

interface FoundPosition extends PositionKey {
  readonly value: number | string;
}

function listText(reads: AnalyticsReads, list: List): PageText {
  const { user, limit } = list.question;
  const account = reads.tables.key('account', user);
  return pageText(reads, {
    limit,
    find: (most) =>
      account === undefined || limit === 0 ? [] : foundIn(reads, { ...list, account, most }),
    textOf: positionWriter(reads, account ?? 0),
    placeAfter: (rows) => rows.slice(-1).flatMap((row) => [row.value, row.marketKey, row.outcome]),
  });
}

interface Search extends List {
  readonly account: number;
  readonly most: number;
}

function foundIn(reads: AnalyticsReads, search: Search): readonly FoundPosition[] {
  const { question, isOpen, sql, values, account, most } = search;
  const { title, offset, isAscending, sortBy, after = [] } = question;
  const { startMs, endMs, hidesArchived = false } = question;
  const keys = marketKeysOf(reads, question);
  const searched = foldText(title);
  const shape = {
    isAscending,
    ofMarkets: keys !== undefined,
    ofTitle: searched !== '',
    isAfter: after.length > 0,
    ofTime: startMs !== undefined || endMs !== undefined,
    hidesArchived,
  };
  if (looksAtAll({ ...shape, isOpen, sortBy })) boundSorted(reads, account, isOpen);
  if (shape.ofTitle || sortBy === 'TITLE' || sortBy === 'RESOLVING') refreshTitles(reads);
  const [value, afterMarket, afterOutcome] = after;
  const times = { startMs: startMs ?? 0, endMs: endMs ?? Number.MAX_SAFE_INTEGER };
  const place = { value, afterMarket, afterOutcome };
  const parameters = { ...values, ...times, ...place, account, limit: most, offset };
  return reads.tables
    .statement<[object], FoundPosition>(sql(shape))
    .all({ ...parameters, title: searched, markets: JSON.stringify(keys ?? []) });
}

/** Throws StoreError `search_too_wide`. */
export function boundSorted(reads: AnalyticsReads, account: number, isOpen: boolean): void {
  const most = STORE_BOUNDS.sortedPositions;
  const [count = 0] = reads.tables.column<number>(countSql(isOpen), { account, most });
  if (count <= most) return;
  throw new StoreError('search_too_wide', `an account has more than ${most} positions`);
}
