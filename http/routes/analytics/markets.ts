/** Holders, open interest and volume of markets (wire 8.7). */
import { Type } from 'typebox';
import { MARKET_POSITION_SORTS, MARKET_POSITION_STATUSES } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { hashIn, Text, userIn } from '../../parameters/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import {
  DirectionParameter,
  leastLots,
  MarketsParameter,
  marketsIn,
  pageParameters,
  UserParameter,
} from './parameters.ts';
import { HolderGroup, MarketFigure, MarketPositionGroup } from './position-schemas.ts';

const { holders, marketPositions } = READ_BOUNDS;
const OUTCOMES = 2;

export const getHolders = defineAnalyticsRoute({
  path: '/holders',
  summary: 'The largest holders of the tokens of markets, grouped by token',
  query: {
    market: MarketsParameter,
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: holders.limit,
        default: holders.defaultLimit,
        description:
          `Holders of each token; markets x limit x ${OUTCOMES} is at most ` + `${holders.inAll}`,
      }),
    ),
    minBalance: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1,
        description: 'Leaves out accounts that hold fewer tokens',
      }),
    ),
  },
  response: Type.Array(HolderGroup),
  question: ({ market, limit = holders.defaultLimit, minBalance = 1 }) => {
    const markets = marketsIn(market);
    if (markets === undefined) throw new ApiError('missing_field', { field: 'market' });
    const most = Math.floor(holders.inAll / (limit * OUTCOMES));
    if (markets.length > most) {
      const details = { limit: most, actual: markets.length };
      throw new ApiError('too_many_items', { field: 'market', ...details });
    }
    return ['holders', { markets, limit, leastLots: leastLots(minBalance) }];
  },
});

export const getMarketPositions = defineAnalyticsRoute({
  path: '/v1/market-positions',
  summary: 'Positions of all accounts in a market, open and closed, grouped by token',
  query: {
    market: Text('Condition id'),
    user: Type.Optional(UserParameter),
    status: Type.Optional(
      Type.Enum([...MARKET_POSITION_STATUSES], {
        default: 'ALL',
        description: 'OPEN: more than 0.01 token is held; CLOSED: no more than that',
      }),
    ),
    sortBy: Type.Optional(Type.Enum([...MARKET_POSITION_SORTS], { default: 'TOTAL_PNL' })),
    sortDirection: DirectionParameter,
    ...pageParameters(marketPositions),
  },
  response: Type.Array(MarketPositionGroup),
  question: ({ market, user = '', status = 'ALL', sortBy = 'TOTAL_PNL', ...query }) => [
    'marketPositions',
    {
      market: hashIn(market, 'market'),
      user: user === '' ? undefined : userIn(user),
      status,
      sortBy,
      isAscending: query.sortDirection === 'ASC',
      limit: query.limit ?? marketPositions.defaultLimit,
      offset: query.offset ?? 0,
    },
  ],
});

export const getOpenInterest = defineAnalyticsRoute({
  path: '/oi',
  summary: 'Collateral locked in the given markets, or in all markets together',
  query: { market: Type.Optional(MarketsParameter) },
  response: Type.Array(MarketFigure, {
    description: 'Without the parameter `market` there is one element, whose `market` is GLOBAL',
  }),
  question: ({ market }) => ['openInterest', { markets: marketsIn(market) }],
});

export const getLiveVolume = defineAnalyticsRoute({
  path: '/live-volume',
  summary: 'Volume of the given markets, or of the markets of an event',
  query: {
    market: Type.Optional(MarketsParameter),
    id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Id of an event, in place of `market`' }),
    ),
  },
  response: Type.Array(
    Type.Object({
      total: Type.Number({ description: 'Collateral' }),
      markets: Type.Array(MarketFigure),
    }),
  ),
  question: ({ market, id }) => {
    const markets = marketsIn(market);
    if (markets === undefined && id === undefined) {
      throw new ApiError('missing_field', { field: 'market' });
    }
    // Markets take precedence over an event.
    return [
      'liveVolume',
      { markets: markets ?? [], eventId: markets === undefined ? id : undefined },
    ];
  },
});
