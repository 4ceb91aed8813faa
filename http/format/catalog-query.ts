/**
 * The query of the catalog's list of markets (interface.md "GET /markets", wire 8.1, 8.3), and the
 * search that it asks for.
 *
 * Invariant: every parameter that is set is a condition, also the second of two that are aliases;
 * an empty text or list sets nothing.
 * Bound: `READ_BOUNDS.valuesPerFilter` values of a list, `marketsPerList` markets.
 */
import { type Static, Type } from 'typebox';
import {
  MARKET_ORDERS,
  type MarketCondition,
  type MarketOrder,
  type MarketSearch,
} from '../../persistence/index.ts';
import { ApiError } from '../errors.ts';
import { echo } from '../schema-fault.ts';
import { hashFilter } from './filters.ts';
import { READ_BOUNDS } from './read-bounds.ts';
import { canonicalTokenId } from './token-id.ts';

const { marketsPerList, valuesPerFilter } = READ_BOUNDS;

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const whole = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const list = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: valuesPerFilter, description }));

export const CatalogMarketsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: marketsPerList, default: 20 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  active: flag('Only markets that are, or are not'),
  closed: flag('Only markets that are, or are not'),
  archived: flag('Only markets that are, or are not'),
  tag: text('Slug of a tag'),
  tag_id: whole('Numeric id of a tag'),
  tag_slug: text('Slug of a tag'),
  event_id: whole('Numeric id of an event'),
  event_slug: text('Slug of an event'),
  eventSlug: text('Slug of an event'),
  conditionId: text('Condition id'),
  condition_id: text('Condition id'),
  condition_ids: list('Condition ids of which a market has one'),
  clob_token_ids: list('Token ids of which a market has one'),
  id: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      maxItems: valuesPerFilter,
      description: 'Numeric ids of which a market has one',
    }),
  ),
  slug: list('Slugs of which a market has one'),
  order: list(`What to sort by, the first before the next: ${[...MARKET_ORDERS].join(', ')}`),
  ascending: Type.Optional(
    Type.Boolean({ default: false, description: 'Of `order`; without one ids ascend' }),
  ),
  creator: text('Wallet address of a creator, or the identifier of a site'),
});
export type CatalogMarketsQuery = Static<typeof CatalogMarketsQuery>;

/** camelCase as the fields are called; snake_case is taken too. */
const ORDERS = new Map<string, MarketOrder>(
  // Safe: the set holds the names of the orders and nothing else.
  ([...MARKET_ORDERS] as MarketOrder[]).flatMap((name) => [
    [name, name],
    [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), name],
  ]),
);

const orderOf = (name: string): MarketOrder => {
  const order = ORDERS.get(name);
  if (order !== undefined) return order;
  const limit = [...MARKET_ORDERS].join(', ');
  throw new ApiError('order_fields_invalid', { field: 'order', limit, actual: echo(name) });
};

type Value = string | number;
type Values = readonly (Value | undefined)[] | undefined;

const isSet = (value: Value | undefined): value is Value => value !== undefined && value !== '';

/** The condition of one parameter; none where nothing is set. */
const condition = (kind: MarketCondition['kind'], values: Values): readonly MarketCondition[] => {
  const anyOf = (values ?? []).filter(isSet);
  return anyOf.length === 0 ? [] : [{ kind, anyOf }];
};

const conditionsOf = (query: CatalogMarketsQuery): readonly MarketCondition[] => [
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
  ...condition('eventId', [query.event_id]),
  ...condition('eventSlug', [query.event_slug]),
  ...condition('eventSlug', [query.eventSlug]),
  ...condition('tagId', [query.tag_id]),
  ...condition('tagSlug', [query.tag]),
  ...condition('tagSlug', [query.tag_slug]),
  ...condition('creator', [query.creator]),
];

/**
 * Throws `invalid_parameter` for what can be no condition or token id, and `order_fields_invalid`
 * for what a list can't be sorted by.
 */
export const marketSearchOf = (query: CatalogMarketsQuery): MarketSearch => {
  const { limit = 20, offset = 0, active, closed, archived, ascending = false } = query;
  const order = [...new Set((query.order ?? []).map((name) => orderOf(name.trim())))];
  return {
    conditions: conditionsOf(query),
    flags: { active, closed, archived },
    order,
    ascending: order.length === 0 || ascending,
    limit,
    offset,
  };
};
