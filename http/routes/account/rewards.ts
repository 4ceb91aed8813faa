/**
 * Liquidity rewards and maker rebates (wire 1.7). This exchange pays none, so these lists are
 * always empty. Requests are checked all the same, so that a client learns of its mistakes.
 */
import { type TSchema, Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import {
  addressFilter,
  CursorParameter,
  END_CURSOR,
  OptionalText,
  offsetOf,
  pageOf,
  pageSchema,
  Text,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const Nothing = Type.Object({}, { description: 'The list is always empty' });
export const EmptyPage = pageSchema(Nothing);
const EmptyList = Type.Array(Nothing, { maxItems: 0 });

/** Some clients send an empty text for no date. */
const DateParameter = Type.Optional(
  Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'A day: YYYY-MM-DD' }),
);

/** The last page, for every valid cursor. */
function emptyPage(cursor: string | undefined): Type.Static<typeof EmptyPage> {
  offsetOf(cursor);
  const limit = READ_BOUNDS.rewardsPerPage;
  return { ...pageOf([], { offset: 0, limit, more: false, end: END_CURSOR }), data: [] };
}

interface Listing<Query extends TSchema, Response extends TSchema> {
  readonly path: string;
  readonly summary: string;
  readonly query: Query;
  readonly response: Response;
  /** Checks what the schema can't check, and returns the empty answer. */
  readonly answer: (query: Type.Static<Query>) => Type.Static<Response>;
}

/** A route with an empty list; the routes of a user need a key. */
function defineListing<Query extends TSchema, Response extends TSchema, A extends 'none' | 'l2'>(
  auth: A,
  { answer, ...listing }: Listing<Query, Response>,
) {
  return defineRoute({
    method: 'GET',
    auth,
    ...listing,
    handler: ({ query }) => answer(query),
  });
}

const PageQuery = Type.Object({ next_cursor: CursorParameter });
const DayQuery = Type.Object({ date: DateParameter });
const DayPageQuery = Type.Object({ date: DateParameter, next_cursor: CursorParameter });

const userEarnings = defineListing('l2', {
  path: '/rewards/user',
  summary: 'Your rewards of a day, by market: none',
  query: DayPageQuery,
  response: EmptyPage,
  answer: ({ next_cursor }) => emptyPage(next_cursor),
});

const userTotal = defineListing('l2', {
  path: '/rewards/user/total',
  summary: 'Your rewards of a day, added up: none',
  query: DayQuery,
  response: EmptyList,
  answer: () => [],
});

const userPercentages = defineListing('l2', {
  path: '/rewards/user/percentages',
  summary: 'Your share of the rewards of each market: none has any',
  query: NO_PARAMETERS,
  response: Type.Record(Type.String(), Type.Number()),
  answer: () => ({}),
});

const userMarkets = defineListing('l2', {
  path: '/rewards/user/markets',
  summary: 'Your rewards of a day with the terms of each market: none',
  query: DayPageQuery,
  response: EmptyPage,
  answer: ({ next_cursor }) => emptyPage(next_cursor),
});

const currentMarkets = defineListing('none', {
  path: '/rewards/markets/current',
  summary: 'Markets that pay rewards: none',
  query: PageQuery,
  response: EmptyPage,
  answer: ({ next_cursor }) => emptyPage(next_cursor),
});

const severalMarkets = defineListing('none', {
  path: '/rewards/markets/multi',
  summary: 'Markets that pay rewards, filtered: none',
  query: PageQuery,
  response: EmptyPage,
  answer: ({ next_cursor }) => emptyPage(next_cursor),
});

const currentRebates = defineListing('none', {
  path: '/rebates/current',
  summary: 'Maker rebates of a day: none',
  query: Type.Object({
    date: DateParameter,
    maker_address: OptionalText('An account'),
  }),
  response: EmptyList,
  answer: ({ maker_address }) => {
    addressFilter(maker_address, 'maker_address');
    return [];
  },
});

/** GET /rewards/markets/{condition_id}: the rewards of one market, which has none. */
const marketRewards = defineRoute({
  method: 'GET',
  path: '/rewards/markets/{condition_id}',
  summary: 'The rewards of a market: none',
  auth: 'none',
  params: Type.Object({ condition_id: Text('Condition id') }),
  query: PageQuery,
  response: EmptyPage,
  needs: ['registry'],
  handler: ({ params, query, services }) => {
    const { condition_id: actual } = params;
    if (services.registry.market(actual.toLowerCase()) !== undefined) {
      return emptyPage(query.next_cursor);
    }
    throw new ApiError('market_not_found', { field: 'condition_id', actual: echo(actual) });
  },
});

export const REWARD_ROUTES = [
  userEarnings,
  userTotal,
  userPercentages,
  userMarkets,
  currentMarkets,
  severalMarkets,
  marketRewards,
  currentRebates,
] as const;
