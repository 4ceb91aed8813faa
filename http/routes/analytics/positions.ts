/** Positions of an account, what they are worth, and how much it traded (wire 8.7). */
import { Type } from 'typebox';
import { CLOSED_SORTS, OPEN_SORTS } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError } from '../../errors/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import {
  DirectionParameter,
  EventsParameter,
  leastLots,
  MarketsParameter,
  marketsIn,
  partParameters,
  TitleParameter,
  UserParameter,
  userIn,
} from './parameters.ts';
import { ClosedPosition, OpenPosition } from './position-schemas.ts';

const FILTERS = {
  user: UserParameter,
  market: Type.Optional(MarketsParameter),
  eventId: EventsParameter,
  title: TitleParameter,
  sortDirection: DirectionParameter,
};

interface ListQuery {
  readonly user: string;
  readonly market?: readonly string[];
  readonly eventId?: readonly number[];
  readonly title?: string;
  readonly sortDirection?: string;
  readonly offset?: number;
}

/** What both lists are asked; throws `ApiError`. */
function listOf({ user, market, eventId = [], title = '', sortDirection, offset = 0 }: ListQuery) {
  const markets = marketsIn(market);
  if (markets !== undefined && eventId.length > 0) {
    const limit = 'without market';
    throw new ApiError('invalid_parameter', { field: 'eventId', limit, actual: eventId.join() });
  }
  return {
    user: userIn(user),
    markets,
    events: eventId.length === 0 ? undefined : eventId,
    title,
    offset,
    isAscending: sortDirection === 'ASC',
  };
}

const { closedPositions, positions } = READ_BOUNDS;

export const getClosedPositions = defineAnalyticsRoute({
  path: '/closed-positions',
  summary: 'Positions of an account that were given up, redeemed, or became worthless',
  query: {
    ...FILTERS,
    ...partParameters(closedPositions),
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
  summary: 'What an account holds, what it cost and what it is worth',
  query: {
    ...FILTERS,
    ...partParameters(positions),
    sizeThreshold: Type.Optional(
      Type.Number({ minimum: 0, default: 1, description: 'Smaller ones are left out' }),
    ),
    redeemable: Type.Optional(
      Type.Boolean({ default: false, description: 'Only those that can be redeemed' }),
    ),
    mergeable: Type.Optional(
      Type.Boolean({ default: false, description: 'Only those that can be merged' }),
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
  summary: 'What the open positions of an account are worth',
  query: { user: UserParameter, market: Type.Optional(MarketsParameter) },
  response: Type.Array(
    Type.Object({ user: Type.String(), value: Type.Number({ description: 'Collateral' }) }),
  ),
  question: ({ user, market }) => ['value', { user: userIn(user), markets: marketsIn(market) }],
});

export const getTraded = defineAnalyticsRoute({
  path: '/traded',
  summary: 'In how many markets an account traded',
  query: { user: UserParameter },
  response: Type.Object({ user: Type.String(), traded: Type.Integer() }),
  question: ({ user }) => ['traded', { user: userIn(user) }],
});
