/**
 * The queries that the catalog's reader threads answer: one kind for each route (wire 1.8), as
 * values that can be sent to a thread. Bounds: CATALOG_BOUNDS. Routes refuse excess; here it fails
 * an assertion.
 */
import type { AfterPlace } from './place-cursors.ts';
import { FIGURES, type Figure } from './rows.ts';
import type { CommentParent, SlottedJson } from './slotted-json.ts';

export interface ListPart {
  readonly offset: number;
  /** 1 to `CATALOG_BOUNDS.listed`. */
  readonly limit: number;
}

/** Met by a record that has one of the values; `except...` by one that has none of them. */
export interface ListCondition<Kind extends string> {
  readonly kind: Kind;
  /** Numeric ids as numbers, all else as texts in their stored form. */
  readonly anyOf: readonly (string | number)[];
}

/** Both ends are included; a missing end is open. Amounts in collateral, dates ISO 8601 in UTC. */
export interface ListRange<Kind extends string> {
  readonly kind: Kind;
  readonly min?: string | number | undefined;
  readonly max?: string | number | undefined;
}

/**
 * Sorts by each field in turn and then by id, all in the same direction. In ascending order unknown
 * values come first.
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

type ConditionKind = 'id' | 'slug' | 'creator' | 'tagId' | 'tagSlug' | 'exceptTagId' | 'gameId';
export type MarketConditionKind =
  | ConditionKind
  | 'conditionId'
  | 'questionId'
  | 'tokenId'
  | 'sportsType'
  | 'resolution'
  | 'exceptConditionId'
  | 'makerAddress'
  | 'eventId'
  | 'eventSlug';

export type RangeKind = 'volume' | 'liquidity' | 'startDate' | 'endDate';
/** `gameTime` is when a game begins; an event that names no such time is in no range. */
export type EventRangeKind = RangeKind | 'gameTime';

/** Where the value of an order is. Flags and the id need no index of their own. */
export type OrderPlace = 'id' | 'flag' | 'row' | 'figures';

// Safe: it has exactly these names.
const FIGURE_ORDERS = Object.fromEntries(FIGURES.map((name) => [name, 'figures'])) as Readonly<
  Record<Figure, 'figures'>
>;

/** The fields that lists of markets are sorted by. The column of each has its name. */
export const MARKET_ORDERS = {
  id: 'id',
  active: 'flag',
  closed: 'flag',
  question: 'row',
  slug: 'row',
  startDate: 'row',
  endDate: 'row',
  createdAt: 'row',
  updatedAt: 'row',
  closedTime: 'row',
  gameStartTime: 'row',
  competitive: 'row',
  ...FIGURE_ORDERS,
} as const satisfies Readonly<Record<string, OrderPlace>>;

/** Further fields of a market, each with the order that sorts as it does. */
export const MARKET_ORDER_ALIASES = {
  volumeNum: 'volume',
  volumeClob: 'volume',
  volume24hrClob: 'volume24hr',
  volume1wkClob: 'volume1wk',
  volume1moClob: 'volume1mo',
  volume1yrClob: 'volume1yr',
  liquidityNum: 'liquidity',
  liquidityClob: 'liquidity',
  startDateIso: 'startDate',
  endDateIso: 'endDate',
} as const satisfies Readonly<Record<string, keyof typeof MARKET_ORDERS>>;

export type MarketOrder = keyof typeof MARKET_ORDERS | keyof typeof MARKET_ORDER_ALIASES;
export const MARKET_ORDER_NAMES = namesOf({ ...MARKET_ORDERS, ...MARKET_ORDER_ALIASES });
export type MarketCondition = ListCondition<MarketConditionKind>;

/** All conditions, ranges and flags must be met. `mirror`: whether the market has a mirror. */
export interface MarketSearch extends ListPart, ListOrder<MarketOrder> {
  readonly conditions: readonly MarketCondition[];
  readonly flags: ListFlags & { readonly mirror?: boolean | undefined };
  readonly ranges?: readonly ListRange<RangeKind>[];
  /** Whether each market shows the tags of its event. */
  readonly withTags?: boolean | undefined;
}

/** `title`: the title contains the text, whatever the case and accents. */
export type EventConditionKind =
  | ConditionKind
  | 'seriesId'
  | 'seriesSlug'
  | 'recurrence'
  | 'parentEventId'
  | 'eventDay'
  | 'eventWeek'
  | 'title';

export const EVENT_ORDERS = {
  id: 'id',
  active: 'flag',
  closed: 'flag',
  title: 'row',
  slug: 'row',
  ticker: 'row',
  startDate: 'row',
  creationDate: 'row',
  endDate: 'row',
  createdAt: 'row',
  updatedAt: 'row',
  startTime: 'row',
  closedTime: 'row',
  featuredOrder: 'row',
  ...FIGURE_ORDERS,
  commentCount: 'figures',
  competitive: 'figures',
} as const satisfies Readonly<Record<string, OrderPlace>>;

export const EVENT_ORDER_ALIASES = {
  liquidityClob: 'liquidity',
} as const satisfies Readonly<Record<string, keyof typeof EVENT_ORDERS>>;

export type EventOrder = keyof typeof EVENT_ORDERS | keyof typeof EVENT_ORDER_ALIASES;
export const EVENT_ORDER_NAMES = namesOf({ ...EVENT_ORDERS, ...EVENT_ORDER_ALIASES });
export type EventCondition = ListCondition<EventConditionKind>;

export interface EventSearch extends ListPart, ListOrder<EventOrder> {
  readonly conditions: readonly EventCondition[];
  readonly flags: ListFlags & { readonly featured?: boolean | undefined };
  readonly ranges?: readonly ListRange<EventRangeKind>[];
}

/**
 * A wallet address in any case, or the identifier of a site (wire 8.6). Empty or missing: any
 * creator.
 */
export interface OfCreator {
  readonly creator?: string | undefined;
}

export type MarketName =
  | { readonly id: number }
  | { readonly conditionId: string }
  | { readonly slug: string };
export type IdOrSlug = { readonly id: number } | { readonly slug: string };

export interface MarketQuery extends OfCreator {
  readonly market: MarketName;
  /** Whether the market shows the tags of its event. */
  readonly withTags?: boolean | undefined;
}

/** By id, the markets have their mirror fields; by slug they don't (wire 8.3). */
export interface EventQuery extends OfCreator {
  readonly event: IdOrSlug;
}

export const SERIES_ORDERS = [
  'id',
  'slug',
  'ticker',
  'title',
  'recurrence',
  'createdAt',
  'updatedAt',
] as const;
export type SeriesOrder = (typeof SERIES_ORDERS)[number];

export interface SeriesSearch extends ListPart, ListOrder<SeriesOrder>, OfCreator {
  readonly slugs?: readonly string[] | undefined;
  readonly closed?: boolean | undefined;
  /** In any case. */
  readonly recurrence?: string | undefined;
  readonly withoutEvents?: boolean | undefined;
}

export const TAG_ORDERS = ['id', 'label', 'slug', 'createdAt', 'updatedAt'] as const;
export type TagOrder = (typeof TAG_ORDERS)[number];

export interface TagSearch extends ListPart, ListOrder<TagOrder>, OfCreator {}

/** If a creator is named, the answer is undefined unless an event by that creator has the tag. */
export interface TagQuery extends OfCreator {
  readonly tag: IdOrSlug;
}

export const CREATOR_ORDERS = [
  'id',
  'creatorName',
  'creatorHandle',
  'createdAt',
  'updatedAt',
] as const;
export type CreatorOrder = (typeof CREATOR_ORDERS)[number];

/** A name or handle that is given must be equal; case does not matter. */
export interface CreatorSearch extends ListPart, ListOrder<CreatorOrder> {
  readonly creatorName?: string | undefined;
  readonly creatorHandle?: string | undefined;
}

export const COMMENT_ORDERS = ['id', 'createdAt', 'updatedAt', 'reactionCount'] as const;
export type CommentOrder = (typeof COMMENT_ORDERS)[number];

/** Top-level comments, with their replies inside. Without an order, newest first. */
export interface CommentSearch extends ListPart, ListOrder<CommentOrder> {
  readonly parent: CommentParent;
  /** Only comments by these addresses, at most `CATALOG_BOUNDS.values`. For `holders_only`. */
  readonly authors?: readonly string[] | undefined;
}

export interface UserComments extends ListPart {
  readonly address: string;
  readonly parent?: CommentParent | undefined;
  /** Whether the oldest come first. */
  readonly ascending: boolean;
}

export interface TeamSearch extends ListPart, ListOrder<'id' | 'name' | 'league' | 'abbreviation'> {
  readonly league?: readonly string[] | undefined;
  readonly name?: readonly string[] | undefined;
  readonly abbreviation?: readonly string[] | undefined;
}

export interface RelatedTagsQuery {
  readonly tag: IdOrSlug;
  /** Only events with this status count. */
  readonly status: 'all' | 'active' | 'closed';
  /** Whether to return pairs of ids or the related tags themselves. */
  readonly form: 'relations' | 'tags';
}

export interface TextSearch extends OfCreator {
  /** All of its words must occur, in any case and with any accents. */
  readonly text: string;
  /** 1 to `CATALOG_BOUNDS.found`. */
  readonly limit: number;
  /** From 1. */
  readonly page: number;
  readonly withTags: boolean;
  /** Which events are found; tags are not limited by it. */
  readonly events?: EventsFound | undefined;
  /** The order of the events. Without it the best matches come first. */
  readonly sort?: EventSort | undefined;
}

export interface EventSort {
  readonly by: EventOrder;
  readonly ascending: boolean;
}

/** Conditions on the events that a search finds; all must be met. */
export interface EventsFound {
  readonly status?: 'active' | 'closed' | undefined;
  readonly conditions: readonly EventCondition[];
}

/** Addresses in lower case. */
export interface ProfileQuestion {
  /** The address of a user, or of the user's wallet. */
  readonly address: string;
  /** The owner of the account of this address; undefined if there is no such account. */
  readonly owner: string | undefined;
}

function namesOf<Name extends string>(orders: Readonly<Record<Name, string>>): readonly Name[] {
  // Safe: an object literal has no other names than its type.
  return Object.keys(orders) as Name[];
}

export interface CatalogQueries {
  readonly events: EventSearch;
  /** `events` with the number of results and whether another page follows. */
  readonly eventPage: EventSearch;
  /** `events` and `markets` in an object with the cursor of the next page, if there is one. */
  readonly eventsAfter: EventSearch & AfterPlace;
  readonly marketsAfter: MarketSearch & AfterPlace;
  readonly event: EventQuery;
  readonly eventTags: EventQuery;
  readonly markets: MarketSearch;
  readonly market: MarketQuery;
  readonly marketTags: MarketQuery;
  readonly marketDescription: MarketQuery;
  readonly seriesList: SeriesSearch;
  readonly series: IdOrSlug;
  readonly tags: TagSearch;
  readonly tag: TagQuery;
  readonly relatedTags: RelatedTagsQuery;
  readonly comments: CommentSearch;
  /** `comments` in an object with the cursor of the next page, if there is one. */
  readonly commentsAfter: CommentSearch & AfterPlace;
  readonly userComments: UserComments;
  /** The comment, then the others of its conversation, oldest first. */
  readonly commentThread: { readonly id: number };
  readonly commentCount: CommentParent;
  readonly creators: CreatorSearch;
  readonly creator: { readonly id: number };
  readonly teams: TeamSearch;
  readonly sports: ListPart;
  readonly marketTypes: Readonly<Record<string, never>>;
  readonly search: TextSearch;
  readonly profile: ProfileQuestion;
  /** The operator's actions on the catalog, newest first, older than `before`. */
  readonly catalogActions: { readonly limit: number; readonly before?: number | undefined };
  /** Most reported first, with their reports, hidden ones included. */
  readonly reportedComments: ListPart;
}
export type CatalogQueryKind = keyof CatalogQueries;

/** The answer is undefined if there is no such record. A list without elements is `[]`. */
export type CatalogQueryKinds = {
  readonly [Kind in CatalogQueryKind]: {
    readonly ask: CatalogQueries[Kind];
    readonly answer: SlottedJson | undefined;
  };
};
