/**
 * Fills by filter, newest first: a row for each participant of a trade. Invariant: rows are in the
 * order of their keys, which grow with time, so that pages by offset and by cursor are parts of one
 * list, and later trades come before all of them. Bounds: SEARCHED_MARKETS, and the rows of a
 * search; more is `search_too_wide`.
 */
import { SECOND_MS } from '../../../engine/model/index.ts';
import { StoreError } from '../../shared/index.ts';
import { type FillFilter, fillKeyOf, fillWalks } from '../tables/fill-walks.ts';
import { NO_KEY } from '../tables/index-search.ts';
import { type AnalyticsReads, marketKeysOf, type NamedMarkets } from './analytics-reads.ts';
import { fillText } from './fill-text.ts';
import { type PageText, pageText } from './page-text.ts';

/** Names the row after which a page begins. Later rows of the list are older. */
export interface FillCursor {
  /** Unix seconds, rounded down. Left out where `fillKey` is known to be of a row. */
  readonly timestamp?: number;
  /** The row's `id`. */
  readonly fillKey: number;
}

/** Unix seconds, rounded down like the rows' times; both ends are included. */
export interface TimeRange {
  readonly startSeconds?: number | undefined;
  readonly endSeconds?: number | undefined;
}

export interface FillsQuestion extends FillFilter, NamedMarkets, TimeRange {
  /** An account, in lower case. */
  readonly user: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: FillCursor | undefined;
}

/** A place is the key of a fill. */
export function fillsText(reads: AnalyticsReads, question: FillsQuestion): PageText {
  return pageText(reads, {
    limit: question.limit,
    find: (limit) => fillKeys(reads, { ...question, limit }),
    textOf: (key) => fillText(reads, key),
    placeAfter: (keys) => keys.slice(-1),
  });
}

/** Tests pass fewer `mostRows` than the usual bound. */
export function fillKeys(
  reads: AnalyticsReads,
  question: FillsQuestion,
  mostRows?: number,
): number[] {
  const { user, limit, offset, cursor } = question;
  const marketKeys = searchedMarkets(reads, question);
  const accountKey = user === undefined ? undefined : reads.tables.key('account', user);
  const isUnknown = user !== undefined && accountKey === undefined;
  if (isUnknown || marketKeys?.length === 0 || limit === 0) return [];
  const plans = fillWalks(question, { accountKey, marketKeys }, false);
  const before = cursor === undefined ? NO_KEY : keyBefore(reads, cursor);
  const { after, before: end } = keyRange(reads, question);
  const part = { offset, limit, isAscending: false, after, before: Math.min(before, end) };
  return reads.tables.search.page(plans, part, mostRows);
}

/** Markets of one search. */
const SEARCHED_MARKETS = 1_000;

/** Like `marketKeysOf`, but throws StoreError `search_too_wide`. */
export function searchedMarkets(reads: AnalyticsReads, named: NamedMarkets): number[] | undefined {
  const keys = marketKeysOf(reads, named);
  if (keys === undefined || keys.length <= SEARCHED_MARKETS) return keys;
  throw new StoreError(
    'search_too_wide',
    `the search would go through ${keys.length} markets, of at most ${SEARCHED_MARKETS}`,
  );
}

/** The keys of fills in a range of time, without its ends. */
export function keyRange(reads: AnalyticsReads, { startSeconds, endSeconds }: TimeRange) {
  return {
    after: startSeconds === undefined ? 0 : firstFillAt(reads, startSeconds) - 1,
    before: endSeconds === undefined ? NO_KEY : firstFillAt(reads, endSeconds + 1),
  };
}

/** The smallest key that a fill at this time, in Unix seconds, or later may have. */
function firstFillAt(reads: AnalyticsReads, seconds: number): number {
  const timeMs = Math.min(seconds * SECOND_MS, Number.MAX_SAFE_INTEGER);
  const tradeKey = reads.tables.key('firstTradeFrom', timeMs);
  return tradeKey === undefined ? NO_KEY : fillKeyOf(tradeKey, 0);
}

/** The cursor's time decides first, then its key. */
function keyBefore(reads: AnalyticsReads, { timestamp, fillKey }: FillCursor): number {
  if (timestamp === undefined) return fillKey;
  const [first, next] = [firstFillAt(reads, timestamp), firstFillAt(reads, timestamp + 1)];
  return Math.min(Math.max(fillKey, first), next);
}
