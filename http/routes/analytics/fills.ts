/** Fills of all accounts, and the activity of one account (wire 8.7). */
import { type Static, Type } from 'typebox';
import { ACTIVITY_SORTS, ACTIVITY_TYPES, type AnalyticsKinds } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { FILL_FIELDS, MARKET_TEXTS, PROFILE_TEXTS } from '../../format/index.ts';
import { OptionalText, secondsFilter, Text, userIn } from '../../parameters/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import {
  DirectionParameter,
  leastLots,
  leastMicros,
  MARKETS,
  MarketsParameter,
  marketsOf,
  pageParameters,
  UserParameter,
} from './parameters.ts';

/**
 * Schemas of fills and activity (wire 8.7). Invariant: amounts are JSON numbers, exact and in their
 * shortest form.
 */
const Id = Text('Identifies the row, for `cursorId`; grows with time');

export const TradeFill = Type.Object({ id: Id, ...FILL_FIELDS });

export const Activity = Type.Object({
  id: Id,
  type: Type.Enum([...ACTIVITY_TYPES]),
  proxyWallet: Type.String(),
  side: Type.Enum(['BUY', 'SELL', ''], { description: 'Set for trades; otherwise empty' }),
  asset: Text('Empty for complete sets and for cash'),
  conditionId: Text('Empty for cash'),
  size: Type.Number({ description: 'Tokens, complete sets, or cash' }),
  price: Type.Number({ description: 'Price of a trade, otherwise 0' }),
  timestamp: Type.Integer({ description: 'Unix seconds' }),
  usdcSize: Type.Number({ description: 'Cash paid or received, without fees' }),
  stablecoinSize: Type.Number({ description: 'Same as `usdcSize`' }),
  ...MARKET_TEXTS,
  outcome: Text('Empty for complete sets'),
  outcomeIndex: Type.Integer({ description: '999 for complete sets' }),
  ...PROFILE_TEXTS,
  transactionHash: FILL_FIELDS.transactionHash,
});

const { fills, activities } = READ_BOUNDS;

/** Types that other venues have. Here they select nothing. */
export const OTHER_TYPES = [
  'REWARD',
  'MAKER_REBATE',
  'TAKER_REBATE',
  'REFERRAL_REWARD',
  'YIELD',
  'MIGRATION',
  'TIP',
] as const;

/** Named or all types, less those of cash where they are excluded, as they are by default. */
export function typesOf(named: readonly string[] = [], excludesCash = true): readonly string[] {
  const types = named.length === 0 ? ACTIVITY_TYPES : named;
  return types.filter((type) => !excludesCash || (type !== 'DEPOSIT' && type !== 'WITHDRAWAL'));
}

function refuse(field: string, limit: string, actual: unknown): never {
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(actual) });
}

const SideParameter = Type.Optional(Type.Enum(['BUY', 'SELL']));

const AMOUNT = {
  filterType: Type.Optional(
    Type.Enum(['CASH', 'TOKENS'], { description: 'The unit of `filterAmount`' }),
  ),
  filterAmount: Type.Optional(
    Type.Number({ minimum: 0, description: 'Leaves smaller fills out; requires `filterType`' }),
  ),
};

/** The smallest size or cash that passes the filter. */
function leastOf({ filterType, filterAmount }: Static<Type.TObject<typeof AMOUNT>>) {
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

const CURSOR = {
  cursorTimestamp: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'With `cursorId` and `cursorUser`: only rows after the row that they name',
    }),
  ),
  cursorId: OptionalText('`id` of the last row of a page'),
  cursorUser: OptionalText('`proxyWallet` of that row'),
};

const ROW_ID = /^\d{1,15}$/;
const WHOLE_CURSOR = 'cursorTimestamp, cursorId and cursorUser: all three or none';

/** The user is checked but not used: an id names one row among those of all accounts. */
function cursorOf(query: Static<Type.TObject<typeof CURSOR>>) {
  const { cursorTimestamp, cursorId = '', cursorUser = '' } = query;
  if (cursorTimestamp === undefined && cursorId === '' && cursorUser === '') return undefined;
  if (cursorTimestamp === undefined) return refuse('cursorTimestamp', WHOLE_CURSOR, '');
  if (cursorId === '') return refuse('cursorId', WHOLE_CURSOR, '');
  if (cursorUser === '') return refuse('cursorUser', WHOLE_CURSOR, '');
  if (!ROW_ID.test(cursorId)) return refuse('cursorId', 'the id of a row', cursorId);
  userIn(cursorUser, 'cursorUser');
  const timestamp = secondsFilter(cursorTimestamp, 'cursorTimestamp') ?? 0;
  return { timestamp, fillKey: Number(cursorId) };
}

const TIMES = {
  start: Type.Optional(Type.Integer({ minimum: 0, description: 'First second, Unix time' })),
  end: Type.Optional(Type.Integer({ minimum: 0, description: 'Last second, Unix time' })),
};

function timesOf({ start, end }: Static<Type.TObject<typeof TIMES>>) {
  return { startSeconds: secondsFilter(start, 'start'), endSeconds: secondsFilter(end, 'end') };
}

export const getTrades = defineAnalyticsRoute({
  path: '/trades',
  summary: 'Fills of an account, of markets, or of all, newest first',
  query: {
    ...pageParameters(fills),
    takerOnly: Type.Optional(
      Type.Boolean({ default: true, description: 'false adds a row for each maker' }),
    ),
    ...AMOUNT,
    ...MARKETS,
    user: Type.Optional(UserParameter),
    side: SideParameter,
    ...TIMES,
    ...CURSOR,
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
      ...timesOf(query),
      limit,
      offset,
    },
  ],
});

export const ExcludesCash = Type.Optional(
  Type.Boolean({ description: 'true by default; false adds `DEPOSIT` and `WITHDRAWAL`' }),
);

type MarketNames = Readonly<Record<'market' | 'conditionId' | 'marketId', string[]>>;

/**
 * The markets by the names that one site has for `market`. All that are given must name the same,
 * because an answer by one of them would ignore the others. Throws `invalid_parameter`.
 */
function marketOf(query: Partial<MarketNames>): string[] {
  const named = (['market', 'conditionId', 'marketId'] as const).flatMap((field) => {
    const ids = query[field] ?? [];
    return ids.length === 0 ? [] : [{ field, ids }];
  });
  const [first, ...others] = named;
  const other = others.find(({ ids }) => `${ids}`.toLowerCase() !== `${first?.ids}`.toLowerCase());
  if (other === undefined) return first?.ids ?? [];
  return refuse(other.field, `the same as ${first?.field}`, `${other.ids}`);
}

export const getActivity = defineAnalyticsRoute({
  path: '/activity',
  summary: 'Activity of an account: fills, moves between cash and tokens, deposits, withdrawals',
  query: {
    user: UserParameter,
    ...pageParameters(activities),
    ...MARKETS,
    conditionId: Type.Optional(MarketsParameter),
    marketId: Type.Optional(MarketsParameter),
    type: Type.Optional(
      Type.Array(Type.Enum([...ACTIVITY_TYPES, ...OTHER_TYPES]), {
        maxItems: 16,
        description: `Separated by commas; ${OTHER_TYPES.join(', ')} never happen here`,
      }),
    ),
    ...TIMES,
    excludeDepositsWithdrawals: ExcludesCash,
    side: Type.Optional(Type.Enum(['BUY', 'SELL'], { description: 'Only trades of this side' })),
    sortBy: Type.Optional(Type.Enum([...ACTIVITY_SORTS], { default: 'TIMESTAMP' })),
    sortDirection: DirectionParameter,
  },
  response: Type.Array(Activity),
  question: ({ limit = activities.defaultLimit, offset = 0, user, ...query }) => {
    const question: AnalyticsKinds['activity']['ask'] = {
      ...marketsOf({ ...query, market: marketOf(query) }),
      user: userIn(user),
      types: typesOf(query.type, query.excludeDepositsWithdrawals),
      ...timesOf(query),
      side: query.side,
      sortBy: query.sortBy ?? 'TIMESTAMP',
      isAscending: query.sortDirection === 'ASC',
      limit,
      offset,
    };
    return ['activity', question];
  },
});
