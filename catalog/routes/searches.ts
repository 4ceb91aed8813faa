/**
 * The query parameters of the lists of markets and events (wire 8.2, 8.3), and the searches that
 * they stand for. Invariant: all conditions must be met; an alias is one more condition.
 */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError } from '../../http/errors/index.ts';
import {
  canonicalTokenId,
  hashFilter,
  OptionalText,
  OptionalTrueFalse,
} from '../../http/parameters/index.ts';
import type { Services } from '../../http/services/index.ts';
import {
  EVENT_ORDER_NAMES,
  type EventCondition,
  type EventSearch,
  MARKET_ORDER_NAMES,
  type MarketCondition,
  type MarketSearch,
} from '../../persistence/index.ts';
import {
  amount,
  CreatorParameter,
  condition,
  dateFilter,
  type ListSlice,
  orderParameters,
  orderReader,
  range,
  texts,
  whole,
  wholes,
} from './parameters.ts';

const STATE_FLAGS = {
  active: OptionalTrueFalse('Only active ones, or only others'),
  closed: OptionalTrueFalse('Only closed ones, or only others'),
  archived: OptionalTrueFalse('Only archived ones, or only others'),
} as const satisfies TProperties;

const TAG_FILTERS = {
  tag: OptionalText('Slug of a tag'),
  tag_id: wholes('Numeric ids of tags; it must have one of them'),
  tag_slug: OptionalText('Slug of a tag'),
  exclude_tag_id: wholes('Numeric ids of tags that it must not have'),
} as const satisfies TProperties;

const RANGES = {
  liquidity_min: amount('Least collateral in resting orders'),
  liquidity_max: amount('Most collateral in resting orders'),
  volume_min: amount('Least collateral traded in total'),
  volume_max: amount('Most collateral traded in total'),
  start_date_min: OptionalText('Earliest start: a day or time, ISO 8601'),
  start_date_max: OptionalText('Latest start: a day or time, ISO 8601'),
  end_date_min: OptionalText('Earliest end: a day or time, ISO 8601'),
  end_date_max: OptionalText('Latest end: a day or time, ISO 8601'),
} as const satisfies TProperties;

export const IncludeTag = OptionalTrueFalse('Whether a market shows the `tags` of its event');

export const MARKET_FILTERS = {
  ...STATE_FLAGS,
  ...TAG_FILTERS,
  mirror: OptionalTrueFalse('Only markets with a mirror, or only markets without one'),
  event_id: whole('Numeric id of an event'),
  event_slug: OptionalText('Slug of an event'),
  eventSlug: OptionalText('Slug of an event'),
  conditionId: OptionalText('Condition id'),
  condition_id: OptionalText('Condition id'),
  condition_ids: texts('Condition ids; a market must have one of them'),
  question_ids: texts('Question ids; a market must have one of them'),
  market_maker_address: texts('Addresses of market makers, as sources gave them'),
  game_id: OptionalText('Id of a game, as sources gave it'),
  uma_resolution_status: OptionalText('As `umaResolutionStatus` of the market: resolved, ...'),
  sports_market_types: texts('Kinds of markets on sports, as sources gave them'),
  include_tag: IncludeTag,
  clob_token_ids: texts('Token ids; a market must have one of them'),
  id: wholes('Numeric ids; a market must have one of them'),
  slug: texts('Slugs; a market must have one of them'),
  ...RANGES,
  liquidity_num_min: amount('As `liquidity_min`'),
  liquidity_num_max: amount('As `liquidity_max`'),
  volume_num_min: amount('As `volume_min`'),
  volume_num_max: amount('As `volume_max`'),
  ...orderParameters(MARKET_ORDER_NAMES),
  creator: CreatorParameter,
} as const satisfies TProperties;

export const Recurrence = OptionalText('How often events of the series come: daily, weekly, ...');

export const EVENT_FILTERS = {
  ...STATE_FLAGS,
  ...TAG_FILTERS,
  featured: OptionalTrueFalse('Only featured events, or only others'),
  featured_order: OptionalTrueFalse('As `order=featuredOrder&ascending=true`'),
  title_search: Type.Optional(
    Type.String({
      maxLength: READ_BOUNDS.searchCharacters,
      description: 'A part of the title; case and accents are ignored',
    }),
  ),
  game_id: wholes('Ids of games, as sources gave them'),
  parent_event_id: whole('Numeric id of the event that it is a part of, as its source gave it'),
  event_date: OptionalText('Day of the event, as its source gave it: a day or time, ISO 8601'),
  event_week: whole('Week of the event, as its source gave it'),
  start_time_min: OptionalText('Earliest beginning of the game: a day or time, ISO 8601'),
  start_time_max: OptionalText('Latest beginning of the game: a day or time, ISO 8601'),
  series_id: wholes('Numeric ids of series; an event must be in one of them'),
  series_slug: OptionalText('Slug of a series'),
  recurrence: Recurrence,
  id: wholes('Numeric ids; an event must have one of them'),
  slug: texts('Slugs; an event must have one of them'),
  ...RANGES,
  ...orderParameters(EVENT_ORDER_NAMES),
  creator: CreatorParameter,
} as const satisfies TProperties;

type QueryOf<Filters extends TProperties> = Static<TObject<Filters>>;

export type MarketFilters = QueryOf<typeof MARKET_FILTERS>;

function rangesOf(query: QueryOf<typeof RANGES>): NonNullable<MarketSearch['ranges']> {
  return [
    ...range('liquidity', query.liquidity_min, query.liquidity_max),
    ...range('volume', query.volume_min, query.volume_max),
    ...range(
      'startDate',
      dateFilter(query.start_date_min, 'start_date_min'),
      dateFilter(query.start_date_max, 'start_date_max'),
    ),
    ...range(
      'endDate',
      dateFilter(query.end_date_min, 'end_date_min'),
      dateFilter(query.end_date_max, 'end_date_max'),
    ),
  ];
}

function stateFlags({ active, closed, archived }: QueryOf<typeof STATE_FLAGS>) {
  return { active, closed, archived };
}

function tagConditions(query: QueryOf<typeof TAG_FILTERS>) {
  return [
    ...condition('tagId', query.tag_id),
    ...condition('tagSlug', [query.tag]),
    ...condition('tagSlug', [query.tag_slug]),
    ...condition('exceptTagId', query.exclude_tag_id),
  ];
}

function marketConditions(query: QueryOf<typeof MARKET_FILTERS>): readonly MarketCondition[] {
  return [
    ...condition('id', query.id),
    ...condition('slug', query.slug),
    ...condition('conditionId', [hashFilter(query.conditionId, 'conditionId')]),
    ...condition('conditionId', [hashFilter(query.condition_id, 'condition_id')]),
    ...condition(
      'conditionId',
      query.condition_ids?.map((id) => hashFilter(id, 'condition_ids')),
    ),
    ...condition(
      'tokenId',
      query.clob_token_ids?.map((id) => canonicalTokenId(id, 'clob_token_ids')),
    ),
    ...condition(
      'questionId',
      query.question_ids?.map((id) => hashFilter(id, 'question_ids')),
    ),
    ...condition(
      'makerAddress',
      query.market_maker_address?.map((address) => address.toLowerCase()),
    ),
    ...condition('gameId', [query.game_id]),
    ...condition('sportsType', query.sports_market_types),
    ...condition('eventId', [query.event_id]),
    ...condition('eventSlug', [query.event_slug]),
    ...condition('eventSlug', [query.eventSlug]),
    ...tagConditions(query),
    ...condition('creator', [query.creator]),
  ];
}

type KnownMarkets = Pick<Services['registry'], 'closedMarkets'>;

/**
 * The catalog has which markets have ended, and the engine which of these are closed without a
 * resolution. Throws `search_too_wide` for more of them than a condition may have values.
 */
function resolutionConditions(status = '', registry: KnownMarkets): readonly MarketCondition[] {
  if (status !== 'resolved') return condition('resolution', [status]);
  const most = READ_BOUNDS.valuesPerFilter;
  const { closedMarkets } = registry;
  if (closedMarkets.size > most) {
    const advice = `more than ${most} markets are closed and not resolved: closed=true lists them`;
    throw new ApiError('search_too_wide', { limit: advice });
  }
  return [
    ...condition('resolution', [status]),
    ...condition('exceptConditionId', [...closedMarkets]),
  ];
}

function eventConditions(query: QueryOf<typeof EVENT_FILTERS>): readonly EventCondition[] {
  return [
    ...condition('id', query.id),
    ...condition('slug', query.slug),
    ...condition('seriesId', query.series_id),
    ...condition('seriesSlug', [query.series_slug]),
    ...condition('recurrence', [query.recurrence]),
    ...condition('title', [query.title_search?.trim()]),
    ...condition('gameId', query.game_id?.map(String)),
    ...condition('parentEventId', [query.parent_event_id?.toString()]),
    ...condition('eventDay', [dateFilter(query.event_date, 'event_date')?.slice(0, 10)]),
    ...condition('eventWeek', [query.event_week?.toString()]),
    ...tagConditions(query),
    ...condition('creator', [query.creator]),
  ];
}

const marketOrder = orderReader(MARKET_ORDER_NAMES);
const eventOrder = orderReader(EVENT_ORDER_NAMES);

/**
 * Throws `invalid_parameter` for a malformed condition id, token id or date, and
 * `order_fields_invalid` for a field that the list can't be sorted by.
 */
export function marketSearchOf(
  query: QueryOf<typeof MARKET_FILTERS>,
  part: ListSlice,
  registry: KnownMarkets,
): MarketSearch {
  return {
    ...part,
    ...marketOrder(query),
    conditions: [
      ...marketConditions(query),
      ...resolutionConditions(query.uma_resolution_status, registry),
    ],
    flags: { ...stateFlags(query), mirror: query.mirror },
    withTags: query.include_tag,
    ranges: [
      ...rangesOf(query),
      ...range('liquidity', query.liquidity_num_min, query.liquidity_num_max),
      ...range('volume', query.volume_num_min, query.volume_num_max),
    ],
  };
}

const FEATURED: Pick<EventSearch, 'order' | 'ascending'> = {
  order: ['featuredOrder'],
  ascending: true,
};

/** The order of a list of events. `featured_order` is an order of its own. */
function eventOrderOf(query: QueryOf<typeof EVENT_FILTERS>) {
  const asked = eventOrder(query);
  if (query.featured_order !== true || asked.order[0] === 'featuredOrder') return asked;
  if (asked.order.length === 0) return FEATURED;
  const [field, limit] = ['featured_order', 'no other order, or order=featuredOrder'];
  throw new ApiError('invalid_parameter', { field, limit, actual: `order=${asked.order}` });
}

/** Throws like `marketSearchOf`, and `invalid_parameter` for two orders. */
export function eventSearchOf(query: QueryOf<typeof EVENT_FILTERS>, part: ListSlice): EventSearch {
  return {
    ...part,
    ...eventOrderOf(query),
    conditions: eventConditions(query),
    flags: { ...stateFlags(query), featured: query.featured },
    ranges: [
      ...rangesOf(query),
      ...range(
        'gameTime',
        dateFilter(query.start_time_min, 'start_time_min'),
        dateFilter(query.start_time_max, 'start_time_max'),
      ),
    ],
  };
}
