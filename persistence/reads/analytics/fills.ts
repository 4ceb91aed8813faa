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

/** Names the row after which a page begins. Later rows of the list are older. */
export interface FillCursor {
  /** Unix seconds, rounded down. */
  readonly timestamp: number;
  /** The row's `id`. */
  readonly fillKey: number;
}

export interface FillsQuestion extends FillFilter, NamedMarkets {
  /** An account, in lower case. */
  readonly user: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: FillCursor | undefined;
}

export function fillsText(reads: AnalyticsReads, question: FillsQuestion): string {
  const texts = fillKeys(reads, question).map((key) => fillText(reads, key));
  return `[${texts.join(',')}]`;
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
  const part = { offset, limit, isAscending: false, after: 0, before };
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

/** The smallest key that a fill at this time, in Unix seconds, or later may have. */
export function firstFillAt(reads: AnalyticsReads, seconds: number): number {
  const timeMs = Math.min(seconds * SECOND_MS, Number.MAX_SAFE_INTEGER);
  const tradeKey = reads.tables.key('firstTradeFrom', timeMs);
  return tradeKey === undefined ? NO_KEY : fillKeyOf(tradeKey, 0);
}

/** The cursor's time decides first, then its key. */
function keyBefore(reads: AnalyticsReads, { timestamp, fillKey }: FillCursor): number {
  const [first, next] = [firstFillAt(reads, timestamp), firstFillAt(reads, timestamp + 1)];
  return Math.min(Math.max(fillKey, first), next);
}
