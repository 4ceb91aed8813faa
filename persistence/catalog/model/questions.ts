/**
 * What a catalog's readers are asked: one kind for each route of the interface (wire 1.8), all of
 * it values that a thread can be sent. Bounds: CATALOG_BOUNDS; a route bounds its own first, and
 * excess is an assertion here.
 */
import type { CatalogText, CommentParent, MarketsText } from './text.ts';

/** Which part of a list. */
export interface ListPart {
  readonly offset: number;
  /** 1 to `CATALOG_BOUNDS.listed`. */
  readonly limit: number;
}

/** Holds for what fits one of the values, but for `exceptTagId`, which holds for what fits none. */
export interface ListCondition<Kind extends string> {
  readonly kind: Kind;
  /** Of ids numbers, of the others texts; slugs, condition ids and token ids as stored. */
  readonly anyOf: readonly (string | number)[];
}

/** Both ends count; one that is not given is open. Amounts in collateral, dates ISO 8601 in UTC. */
export interface ListRange<Kind extends string> {
  readonly kind: Kind;
  readonly min?: string | number | undefined;
  readonly max?: string | number | undefined;
}

/**
 * The order is by the first name that tells two records apart, at last by their ids in the same
 * direction; what is not known comes before all that is.
 */
export interface ListOrder<Name extends string> {
  readonly order: readonly Name[];
  readonly ascending: boolean;
}

export interface ListFlags {
  readonly active?: boolean | undefined;
  readonly closed?: boolean | undefined;
  readonly archived?: boolean | undefined;
}

const MARKET_CONDITIONS = [
  'id',
  'slug',
  'conditionId',
  'tokenId',
  'creator',
  'eventId',
  'eventSlug',
  'tagId',
  'tagSlug',
  'exceptTagId',
] as const;
export type MarketConditionKind = (typeof MARKET_CONDITIONS)[number];

const RANGES = ['volume', 'liquidity', 'startDate', 'endDate'] as const;
export type RangeKind = (typeof RANGES)[number];

export const MARKET_ORDER_NAMES = [
  'id',
  'question',
  'slug',
  'startDate',
  'endDate',
  'createdAt',
  'updatedAt',
  'active',
  'closed',
  'volume',
  'volumeNum',
  'volume24hr',
  'liquidity',
  'liquidityNum',
] as const;
export type MarketOrder = (typeof MARKET_ORDER_NAMES)[number];
export type MarketCondition = ListCondition<MarketConditionKind>;

/** All conditions, ranges and flags must hold. `mirror`: whether it has a mirror market. */
export interface MarketSearch extends ListPart, ListOrder<MarketOrder> {
  readonly conditions: readonly MarketCondition[];
  readonly flags: ListFlags & { readonly mirror?: boolean | undefined };
  readonly ranges?: readonly ListRange<RangeKind>[];
}

const EVENT_CONDITIONS = [
  'id',
  'slug',
  'creator',
  'tagId',
  'tagSlug',
  'exceptTagId',
  'seriesId',
  'seriesSlug',
] as const;
export type EventConditionKind = (typeof EVENT_CONDITIONS)[number];

export const EVENT_ORDER_NAMES = [
  'id',
  'title',
  'slug',
  'ticker',
  'startDate',
  'creationDate',
  'endDate',
  'createdAt',
  'updatedAt',
  'volume',
  'volume24hr',
  'liquidity',
  'commentCount',
  'competitive',
] as const;
export type EventOrder = (typeof EVENT_ORDER_NAMES)[number];
export type EventCondition = ListCondition<EventConditionKind>;

export interface EventSearch extends ListPart, ListOrder<EventOrder> {
  readonly conditions: readonly EventCondition[];
  readonly flags: ListFlags & { readonly featured?: boolean | undefined };
  readonly ranges?: readonly ListRange<RangeKind>[];
}

/**
 * A wallet address, whose case does not count, or a site's identifier (wire 8.6). Empty or not
 * given: whoever made it.
 */
export interface OfCreator {
  readonly creator?: string | undefined;
}

export type MarketName =
  | { readonly id: number }
  | { readonly conditionId: string }
  | { readonly slug: string };
export type IdOrSlug = { readonly id: number } | { readonly slug: string };

export interface MarketQuestion extends OfCreator {
  readonly market: MarketName;
}

/** By id with the mirror fields of its markets, by slug without (interface "Catalog market"). */
export interface EventQuestion extends OfCreator {
  readonly event: IdOrSlug;
}

export interface SeriesSearch extends ListPart, OfCreator {
  readonly slug?: string | undefined;
}

export const CREATOR_ORDERS = [
  'id',
  'creatorName',
  'creatorHandle',
  'createdAt',
  'updatedAt',
] as const;
export type CreatorOrder = (typeof CREATOR_ORDERS)[number];

/** Name and handle: exactly these, but for the case. */
export interface CreatorSearch extends ListPart, ListOrder<CreatorOrder> {
  readonly creatorName?: string | undefined;
  readonly creatorHandle?: string | undefined;
}

export const COMMENT_ORDERS = ['createdAt', 'updatedAt', 'reactionCount'] as const;
export type CommentOrder = (typeof COMMENT_ORDERS)[number];

/** Comments that answer no other, with their replies inside. No order: newest first. */
export interface CommentSearch extends ListPart, ListOrder<CommentOrder> {
  readonly parent: CommentParent;
  /** By these alone: at most `CATALOG_BOUNDS.values` addresses. For `holders_only`. */
  readonly authors?: readonly string[] | undefined;
}

export interface UserComments extends ListPart {
  /** Of a user or of its wallet; its case does not count. */
  readonly address: string;
}

export interface TeamSearch extends ListPart, ListOrder<'id' | 'name' | 'league' | 'abbreviation'> {
  readonly league?: readonly string[] | undefined;
  readonly name?: readonly string[] | undefined;
  readonly abbreviation?: readonly string[] | undefined;
}

export interface RelatedTagsQuestion {
  readonly tag: IdOrSlug;
  /** Of events that are so alone. */
  readonly status: 'all' | 'active' | 'closed';
  /** As pairs, or the related tags themselves. */
  readonly form: 'relations' | 'tags';
}

export interface TextSearch extends OfCreator {
  /** Its words must all occur, whatever their case and accents; at most `searchChars` long. */
  readonly text: string;
  /** 1 to `CATALOG_BOUNDS.found`. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
  readonly withTags: boolean;
}

/** What is asked, by its kind. */
export interface CatalogQuestions {
  readonly events: EventSearch;
  /** The same with whether more follow, and how many there are. */
  readonly eventPage: EventSearch;
  readonly event: EventQuestion;
  readonly eventTags: EventQuestion;
  readonly markets: MarketSearch;
  readonly market: MarketQuestion;
  readonly marketTags: MarketQuestion;
  readonly marketDescription: MarketQuestion;
  readonly seriesList: SeriesSearch;
  readonly series: IdOrSlug;
  readonly tags: ListPart & OfCreator;
  readonly tag: IdOrSlug;
  readonly relatedTags: RelatedTagsQuestion;
  readonly comments: CommentSearch;
  readonly userComments: UserComments;
  /** The comment, and the others of its thread after it, oldest first. */
  readonly commentThread: { readonly id: number };
  readonly commentCount: CommentParent;
  readonly creators: CreatorSearch;
  readonly creator: { readonly id: number };
  readonly teams: TeamSearch;
  readonly sports: ListPart;
  readonly marketTypes: Readonly<Record<string, never>>;
  readonly search: TextSearch;
  readonly profile: { readonly address: string };
  /** What the operator did to the catalog, newest first: older than `before`. */
  readonly catalogActions: { readonly limit: number; readonly before?: number | undefined };
  /** Most reported first, with their reports, also those that are hidden. */
  readonly reportedComments: ListPart;
}
export type CatalogQuestionKind = keyof CatalogQuestions;

/** What it is answered with. */
export type CatalogAnswer<Kind extends CatalogQuestionKind> = Kind extends
  | 'events'
  | 'eventPage'
  | 'event'
  | 'markets'
  | 'market'
  | 'search'
  ? MarketsText
  : CatalogText;

const KINDS: Readonly<Record<CatalogQuestionKind, true>> = {
  events: true,
  eventPage: true,
  event: true,
  eventTags: true,
  markets: true,
  market: true,
  marketTags: true,
  marketDescription: true,
  seriesList: true,
  series: true,
  tags: true,
  tag: true,
  relatedTags: true,
  comments: true,
  userComments: true,
  commentThread: true,
  commentCount: true,
  creators: true,
  creator: true,
  teams: true,
  sports: true,
  marketTypes: true,
  search: true,
  profile: true,
  catalogActions: true,
  reportedComments: true,
};
// Safe: KINDS has no other keys.
export const CATALOG_QUESTIONS = Object.keys(KINDS) as readonly CatalogQuestionKind[];
