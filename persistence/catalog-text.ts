/**
 * What a catalog's reader answers with: JSON made in its thread, with gaps for what lives in the
 * main thread. Invariant: with every gap filled by nothing or by members of an object, each with a
 * comma before it (`,"closed":false,"bestBid":0.41`), the texts joined are one JSON value; no such
 * member's name is in the text already. Bound: that of the question.
 */

/** Stands at the end of a market's object: what trading says of it goes here. */
export interface MarketGap {
  readonly kind: 'market';
  /** `0x` and 64 lower-case hex digits. */
  readonly conditionId: string;
  /** In the order of the outcomes. */
  readonly tokenIds: readonly [string, string];
  /** As the catalog says; trading may know better. */
  readonly closed: boolean;
  readonly archived: boolean;
  readonly acceptingOrders: boolean;
  /** Of one unit of collateral, and in tokens: as the market was or will be opened. */
  readonly minimumTickSize: number;
  readonly minimumOrderSize: number;
  /**
   * What the source said under the names of `TOLD_MARKET_FIELDS`, as members with a comma before
   * each: the filling of a market that is not traded here. No segment has one of them, nor
   * `closed`, `acceptingOrders`, `orderPriceMinTickSize` and `orderMinSize`.
   */
  readonly told: string;
}

/** Stands at the end of the profile in a comment: the author's positions go here. */
export interface AuthorGap {
  readonly kind: 'author';
  /** As it wrote: an owner's address or that of its wallet. */
  readonly address: string;
  /** The wallet of its profile; empty where none is known. */
  readonly proxyWallet: string;
  /** What is commented on: its markets' tokens are those that count. */
  readonly parent: CommentParent;
  /** As `told` above: `positions` as the source said, or nothing. */
  readonly told: string;
}

export interface CommentParent {
  readonly type: CommentParentType;
  readonly id: number;
}

/** As the interface writes them. */
export const COMMENT_PARENTS = ['Event', 'Series', 'market'] as const;
export type CommentParentType = (typeof COMMENT_PARENTS)[number];

export type CatalogGap = MarketGap | AuthorGap;

/** `segments` has one text more than there are gaps: segment, gap 0, segment, gap 1, … segment. */
export interface CatalogText {
  readonly segments: readonly string[];
  readonly gaps: readonly CatalogGap[];
  /** Elements of a list's answer; of a search, its events; 1 for a single thing. */
  readonly count: number;
}

/** Of the members that fill a market's gap, those that a source may have told. */
export const TOLD_MARKET_FIELDS = [
  'outcomePrices',
  'lastTradePrice',
  'bestBid',
  'bestAsk',
  'spread',
  'oneHourPriceChange',
  'oneDayPriceChange',
  'oneWeekPriceChange',
  'oneMonthPriceChange',
  'oneYearPriceChange',
] as const;

/** The whole text, each gap filled by `fill`: on the matching thread this is all there is to do. */
export function joinCatalogText(
  { segments, gaps }: CatalogText,
  fill: (gap: CatalogGap) => string,
): string {
  let text = segments[0] ?? '';
  for (let index = 0; index < gaps.length; index += 1) {
    const gap = gaps[index];
    if (gap !== undefined) text += fill(gap);
    text += segments[index + 1] ?? '';
  }
  return text;
}
