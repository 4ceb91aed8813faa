/** Positions of an account, their value, and the number of markets it traded in (wire 8.7). */
import { type Static, Type } from 'typebox';
import { CLOSED_SORTS, OPEN_SORTS } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { Text, userIn } from '../../parameters/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import {
  DirectionParameter,
  leastLots,
  MARKETS,
  MarketsParameter,
  marketsIn,
  marketsOf,
  pageParameters,
  TitleParameter,
  UserParameter,
} from './parameters.ts';
import { ClosedPosition, OpenPosition } from './position-schemas.ts';

const FILTERS = {
  user: UserParameter,
  ...MARKETS,
  title: TitleParameter,
  sortDirection: DirectionParameter,
};

type ListQuery = Static<Type.TObject<typeof FILTERS>> & { readonly offset?: number };

/** The part of a question that the lists of open and closed positions share; throws `ApiError`. */
function listOf({ user, title = '', sortDirection, offset = 0, ...markets }: ListQuery) {
  return {
    user: userIn(user),
    ...marketsOf(markets),
    title,
    offset,
    isAscending: sortDirection === 'ASC',
  };
}

const { closedPositions, positions } = READ_BOUNDS;

export const getClosedPositions = defineAnalyticsRoute({
  path: '/closed-positions',
  summary: 'Positions of an account that were sold, redeemed, or became worthless',
  query: {
    ...FILTERS,
    ...pageParameters(closedPositions),
    sortBy: Type.Optional(Type.Enum([...CLOSED_SORTS], { default: 'REALIZEDPNL' })),
  },
  response: Type.Array(ClosedPosition),
  question: ({ limit = closedPositions.defaultLimit, sortBy = 'REALIZEDPNL', ...query }) => [
    'closedPositions',
    { ...listOf(query), limit, sortBy },
  ],
});

export const getPositions = defineAnalyticsRoute({
  path: '/positions',
  summary: 'Open positions of an account, with their cost and value',
  query: {
    ...FILTERS,
    ...pageParameters(positions),
    sizeThreshold: Type.Optional(
      Type.Number({ minimum: 0, default: 1, description: 'Leaves smaller positions out' }),
    ),
    redeemable: Type.Optional(
      Type.Boolean({ default: false, description: 'Only positions that can be redeemed' }),
    ),
    mergeable: Type.Optional(
      Type.Boolean({ default: false, description: 'Only positions that can be merged' }),
    ),
    sortBy: Type.Optional(Type.Enum([...OPEN_SORTS], { default: 'TOKENS' })),
  },
  response: Type.Array(OpenPosition),
  question: ({
    limit = positions.defaultLimit,
    sortBy = 'TOKENS',
    sizeThreshold = 1,
    ...query
  }) => [
    'positions',
    {
      ...listOf(query),
      limit,
      sortBy,
      leastLots: leastLots(sizeThreshold),
      isRedeemable: query.redeemable === true,
      isMergeable: query.mergeable === true,
    },
  ],
});

export const getValue = defineAnalyticsRoute({
  path: '/value',
  summary: 'Value of the open positions of an account',
  query: { user: UserParameter, market: Type.Optional(MarketsParameter) },
  response: Type.Array(
    Type.Object({ user: Type.String(), value: Type.Number({ description: 'Collateral' }) }),
  ),
  question: ({ user, market }) => ['value', { user: userIn(user), markets: marketsIn(market) }],
});

export const getTraded = defineAnalyticsRoute({
  path: '/traded',
  summary: 'Number of markets in which an account traded',
  query: { user: UserParameter },
  response: Type.Object({ user: Type.String(), traded: Type.Integer() }),
  question: ({ user }) => ['traded', { user: userIn(user) }],
});

export const getVolume = defineAnalyticsRoute({
  path: '/volume',
  summary: 'Cash that an account traded in total',
  query: { user: UserParameter },
  response: Type.Object({
    user: Type.String(),
    volume: Text('Collateral, as a decimal; as `vol` of the leaderboard of all time'),
  }),
  question: ({ user }) => ['volume', { user: userIn(user) }],
});
