/**
 * What a catalog's reader answers with: JSON made in its thread, with places for what lives in the
 * main thread. Two forms: what has markets is bytes, for it is long and asked for most; all else is
 * texts with gaps.
 *
 * Invariant: with every gap filled by nothing or by members of an object, each with a comma before
 * it (`,"closed":false,"bestBid":0.41`), the whole is one JSON value; no such member's name is in
 * it already. Bound: that of the question.
 */

/** A market in a text: trading is asked for it by these. */
export interface MarketPlace {
  /** `0x` and 64 lower-case hex digits. */
  readonly conditionId: string;
  /** As the catalog says; trading may know better. */
  readonly closed: boolean;
  readonly acceptingOrders: boolean;
}

/** UTF-8 JSON in which every market is told as one that is not traded here. */
export interface MarketsText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Of each market, in the order of the text: `CONDITION_CHARS` each, nothing between them. */
  readonly conditionIds: string;
  /**
   * Of each market three numbers: where the members begin and end that another word of trading
   * replaces, and its `PLACE_FLAGS`.
   */
  readonly places: Uint32Array;
  /** Elements of a list's answer; of a search, its events; 1 for a single thing. */
  readonly count: number;
}

export const CONDITION_CHARS = 66;

export const PLACE_FLAGS = { closed: 1, acceptingOrders: 2 } as const;

/** Stands at the end of the profile in a comment: the author's positions go here. */
export interface AuthorGap {
  readonly kind: 'author';
  /** As it wrote: an owner's address or that of its wallet. */
  readonly address: string;
  /** The wallet of its profile; empty where none is known. */
  readonly proxyWallet: string;
  /** What is commented on: its markets' tokens are those that count. */
  readonly parent: CommentParent;
  /** As members with a comma before each: `positions` as the source said, or nothing. */
  readonly told: string;
}

export interface CommentParent {
  readonly type: CommentParentType;
  readonly id: number;
}

/** As the interface writes them. */
export const COMMENT_PARENTS = ['Event', 'Series', 'market'] as const;
export type CommentParentType = (typeof COMMENT_PARENTS)[number];

/** `segments` has one text more than there are gaps: segment, gap 0, segment, gap 1, … segment. */
export interface CatalogText {
  readonly segments: readonly string[];
  readonly gaps: readonly AuthorGap[];
  /** As above. */
  readonly count: number;
}

/** Of the members that fill a market's gap, those that a source may have told. */
export const LIVE_FIELDS = [
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
  fill: (gap: AuthorGap) => string,
): string {
  let text = segments[0] ?? '';
  for (let index = 0; index < gaps.length; index += 1) {
    const gap = gaps[index];
    if (gap !== undefined) text += fill(gap);
    text += segments[index + 1] ?? '';
  }
  return text;
}

/**
 * The whole text with what trading says: members of ASCII characters alone, or undefined for a
 * market that is not traded here. The same bytes where that is none.
 */
export function fillMarkets(
  { bytes, conditionIds, places }: MarketsText,
  tell: (market: MarketPlace) => string | undefined,
): Uint8Array<ArrayBuffer> {
  const told: string[] = [];
  const at: number[] = [];
  let length = bytes.length;
  for (let index = 0; 3 * index < places.length; index += 1) {
    const begin = places[3 * index] ?? 0;
    const end = places[3 * index + 1] ?? 0;
    const flags = places[3 * index + 2] ?? 0;
    const from = index * CONDITION_CHARS;
    const members = tell({
      conditionId: conditionIds.slice(from, from + CONDITION_CHARS),
      closed: (flags & PLACE_FLAGS.closed) !== 0,
      acceptingOrders: (flags & PLACE_FLAGS.acceptingOrders) !== 0,
    });
    if (members === undefined) continue;
    told.push(members);
    at.push(begin, end);
    length += members.length - (end - begin);
  }
  if (told.length === 0) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Not of the shared pool: whoever sends it may give its memory back.
  const filled = Buffer.allocUnsafeSlow(length);
  let [from, to] = [0, 0];
  told.forEach((members, index) => {
    const [begin = 0, end = 0] = [at[2 * index], at[2 * index + 1]];
    to += source.copy(filled, to, from, begin);
    to += filled.write(members, to, 'latin1');
    from = end;
  });
  source.copy(filled, to, from);
  return filled;
}
