/**
 * Liquidity rewards and maker rebates (wire 1.7). This exchange pays none, so these lists are
 * always empty. Requests are still checked, so that a client finds its mistakes.
 */
import { type TProperties, Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import {
  addressFilter,
  CursorParameter,
  OptionalText,
  offsetOf,
  pageAfterEnd,
  pageSchema,
  Text,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

const Nothing = Type.Object({}, { description: 'The list is always empty' });
export const EmptyPage = pageSchema(Nothing);
const EmptyList = Type.Array(Nothing, { maxItems: 0 });

/** Some clients send an empty text for no date. */
const DateParameter = Type.Optional(
  Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'A day: YYYY-MM-DD' }),
);

/** Every valid cursor gets the last page, which is empty. */
function emptyPage(cursor: string | undefined): Type.Static<typeof EmptyPage> {
  offsetOf(cursor);
  return { ...pageAfterEnd(READ_BOUNDS.rewardsPerPage), data: [] };
}

const DAY = { date: DateParameter };
const PAGE = { next_cursor: CursorParameter };

/** A list in pages, always empty. Lists of a user's own rewards need an API key. */
function pagesAt(path: string, auth: 'none' | 'l2', summary: string, more: TProperties = {}) {
  return defineRoute({
    method: 'GET',
    path,
    summary,
    auth,
    query: Type.Object({ ...more, ...PAGE }),
    response: EmptyPage,
    handler: ({ query }) => emptyPage(query.next_cursor),
  });
}

const userTotal = defineRoute({
  method: 'GET',
  path: '/rewards/user/total',
  summary: 'The total of your rewards of a day: none',
  auth: 'l2',
  query: Type.Object(DAY),
  response: EmptyList,
  handler: () => [],
});

const userPercentages = defineRoute({
  method: 'GET',
  path: '/rewards/user/percentages',
  summary: 'Your share of the rewards of each market: none',
  auth: 'l2',
  response: Type.Record(Type.String(), Type.Number()),
  handler: () => ({}),
});

const currentRebates = defineRoute({
  method: 'GET',
  path: '/rebates/current',
  summary: 'Maker rebates of a day: none',
  auth: 'none',
  query: Type.Object({ ...DAY, maker_address: OptionalText('An account') }),
  response: EmptyList,
  handler: ({ query }) => {
    addressFilter(query.maker_address, 'maker_address');
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
  query: Type.Object(PAGE),
  response: EmptyPage,
  needs: ['registry'],
  handler: ({ params, query, services }) => {
    marketIn(services.registry, params.condition_id);
    return emptyPage(query.next_cursor);
  },
});

export const REWARD_ROUTES = [
  pagesAt('/rewards/user', 'l2', 'Your rewards of a day, by market: none', DAY),
  userTotal,
  userPercentages,
  pagesAt(
    '/rewards/user/markets',
    'l2',
    'Your rewards of a day with the terms of each market: none',
    DAY,
  ),
  pagesAt('/rewards/markets/current', 'none', 'Markets that pay rewards: none'),
  pagesAt('/rewards/markets/multi', 'none', 'Markets that pay rewards, filtered: none'),
  marketRewards,
  currentRebates,
] as const;
