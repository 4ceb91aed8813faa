/** Fills of anybody, and all that an account did (interface.md, wire 8.7). */
import { Type } from 'typebox';
import { ACTIVITY_SORTS, ACTIVITY_TYPES, type AnalyticsKinds } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import { Activity, TradeFill } from './fill-schemas.ts';
import {
  DirectionParameter,
  EventsParameter,
  leastLots,
  leastMicros,
  MarketsParameter,
  marketsIn,
  partParameters,
  UserParameter,
  userIn,
} from './parameters.ts';

const { fills, activities } = READ_BOUNDS;

function refuse(field: string, limit: string, actual: unknown): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

const SideParameter = Type.Optional(Type.Enum(['BUY', 'SELL']));

const MARKETS = {
  market: Type.Optional(MarketsParameter),
  eventId: EventsParameter,
};

interface MarketsQuery {
  readonly market?: readonly string[];
  readonly eventId?: readonly number[];
}

function marketsOf({ market, eventId = [] }: MarketsQuery) {
  const markets = marketsIn(market);
  if (markets !== undefined && eventId.length > 0) {
    refuse('eventId', 'without market', eventId.join());
  }
  return { markets, events: eventId.length === 0 ? undefined : eventId };
}

interface AmountQuery {
  readonly filterType?: 'CASH' | 'TOKENS';
  readonly filterAmount?: number;
}

/** The least size or cash of a fill. */
function leastOf({ filterType, filterAmount }: AmountQuery) {
  if (filterAmount === undefined && filterType === undefined) {
    return { unit: 'micros', least: 0 } as const;
  }
  if (filterAmount === undefined) {
    return refuse('filterType', 'filterType requires filterAmount', filterType);
  }
  if (filterType === undefined) {
    return refuse('filterAmount', 'filterAmount requires filterType', filterAmount);
  }
  return filterType === 'CASH'
    ? ({ unit: 'micros', least: leastMicros(filterAmount) } as const)
    : ({ unit: 'lots', least: leastLots(filterAmount) } as const);
}

interface CursorQuery {
  readonly cursorTimestamp?: number;
  readonly cursorId?: string;
  readonly cursorUser?: string;
}

const ROW_ID = /^\d{1,15}$/;
const CURSOR = 'cursorTimestamp, cursorId and cursorUser: all three or none';

/** An id names one row, also of an account that made several of a trade: the user adds nothing. */
function cursorOf({ cursorTimestamp, cursorId = '', cursorUser = '' }: CursorQuery) {
  if (cursorTimestamp === undefined && cursorId === '' && cursorUser === '') return undefined;
  if (cursorTimestamp === undefined) return refuse('cursorTimestamp', CURSOR, '');
  if (cursorId === '') return refuse('cursorId', CURSOR, '');
  if (cursorUser === '') return refuse('cursorUser', CURSOR, '');
  if (!ROW_ID.test(cursorId)) return refuse('cursorId', 'the id of a row', cursorId);
  userIn(cursorUser, 'cursorUser');
  return { timestamp: cursorTimestamp, fillKey: Number(cursorId) };
}

export const getTrades = defineAnalyticsRoute({
  path: '/trades',
  summary: 'Fills of an account, of markets, or of all, the newest first',
  query: {
    ...partParameters(fills),
    takerOnly: Type.Optional(
      Type.Boolean({ default: true, description: 'false: a row for each maker too' }),
    ),
    filterType: Type.Optional(
      Type.Enum(['CASH', 'TOKENS'], { description: 'What `filterAmount` is compared with' }),
    ),
    filterAmount: Type.Optional(
      Type.Number({ minimum: 0, description: 'Smaller fills are left out; with `filterType`' }),
    ),
    ...MARKETS,
    user: Type.Optional(UserParameter),
    side: SideParameter,
    cursorTimestamp: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'With `cursorId` and `cursorUser`: only rows after the one of these three',
      }),
    ),
    cursorId: Type.Optional(Type.String({ description: '`id` of the last row of a page' })),
    cursorUser: Type.Optional(Type.String({ description: '`proxyWallet` of that row' })),
  },
  response: Type.Array(TradeFill),
  question: ({ limit = fills.defaultLimit, offset = 0, takerOnly = true, user = '', ...query }) => [
    'fills',
    {
      ...marketsOf(query),
      ...leastOf(query),
      takersOnly: takerOnly,
      side: query.side,
      user: user === '' ? undefined : userIn(user),
      cursor: cursorOf(query),
      limit,
      offset,
    },
  ],
});

export const getActivity = defineAnalyticsRoute({
  path: '/activity',
  summary: 'What an account did: its fills, and what it split, merged, redeemed and converted',
  query: {
    user: UserParameter,
    ...partParameters(activities),
    ...MARKETS,
    type: Type.Optional(
      Type.Array(Type.Enum([...ACTIVITY_TYPES, 'REWARD', 'MAKER_REBATE']), {
        maxItems: 16,
        description: 'Separated by commas; there are neither rewards nor rebates here',
      }),
    ),
    start: Type.Optional(Type.Integer({ minimum: 0, description: 'Unix seconds, the first' })),
    end: Type.Optional(Type.Integer({ minimum: 0, description: 'Unix seconds, the last' })),
    side: Type.Optional(Type.Enum(['BUY', 'SELL'], { description: 'Trades of this side alone' })),
    sortBy: Type.Optional(Type.Enum([...ACTIVITY_SORTS], { default: 'TIMESTAMP' })),
    sortDirection: DirectionParameter,
  },
  response: Type.Array(Activity),
  question: ({ limit = activities.defaultLimit, offset = 0, user, ...query }) => {
    const types = query.type ?? [];
    const question: AnalyticsKinds['activity']['ask'] = {
      ...marketsOf(query),
      user: userIn(user),
      types: types.length === 0 ? undefined : types,
      startSeconds: query.start,
      endSeconds: query.end,
      side: query.side,
      sortBy: query.sortBy ?? 'TIMESTAMP',
      isAscending: query.sortDirection === 'ASC',
      limit,
      offset,
    };
    return ['activity', question];
  },
});
