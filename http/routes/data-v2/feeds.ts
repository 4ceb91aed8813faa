/** The feeds of Data API v2: trades and the activity of an account, newest first (wire 8.8). */
import { Type } from 'typebox';
import { ACTIVITY_TYPES } from '../../../persistence/index.ts';
import { userIn } from '../../parameters/index.ts';
import { ExcludesCash, leastLots, leastMicros, OTHER_TYPES, typesOf } from '../analytics/index.ts';
import {
  Conditions,
  DATA_BOUNDS,
  defineDataRoute,
  Events,
  refuse,
  Seconds,
  User,
} from './define-data-route.ts';

const Side = Type.Optional(Type.Enum(['BUY', 'SELL']));

/** The unit of `filter_amount`, and the amount; smaller rows are left out. */
export const AMOUNT = {
  filter_type: Type.Optional(
    Type.Enum(['CASH', 'TOKENS'], { description: 'The unit of filter_amount; TOKENS by default' }),
  ),
  filter_amount: Type.Optional(Type.Number({ minimum: 0, description: 'Leaves smaller rows out' })),
};

const WINDOW = {
  start: Seconds('First second, Unix time; 0 for none'),
  end: Seconds('Last second, Unix time; 0 for none'),
};

interface Selected {
  readonly condition?: string[];
  readonly event_id?: number[];
}

/** Markets by condition or by event. Throws `invalid_parameter` for both. */
export function selected({ condition, event_id }: Selected) {
  if (condition !== undefined && event_id !== undefined) {
    refuse('event_id', 'no event_id where condition is given', event_id.join());
  }
  return { markets: condition, events: event_id };
}

/** A bound of a window; 0 is none. */
export function bound(seconds: number | undefined): number | undefined {
  return seconds === 0 ? undefined : seconds;
}

const MOVEMENT = {
  proxy_wallet: Type.String(),
  timestamp: Type.Integer({ description: 'Unix seconds' }),
  condition_id: Type.String({ description: 'Empty for cash' }),
  size: Type.Number({ description: 'Tokens, complete sets, or cash' }),
  price: Type.Number({ description: 'Price of a trade, otherwise 0' }),
  token_id: Type.String({ description: 'Empty for complete sets and for cash' }),
  side: Type.Enum(['BUY', 'SELL', ''], { description: 'Empty where there is none' }),
  outcome_index: Type.Integer({ description: '999 for complete sets' }),
  title: Type.String(),
  slug: Type.String(),
  icon: Type.String(),
  event_slug: Type.String(),
  outcome: Type.String(),
  name: Type.String(),
  pseudonym: Type.String(),
  bio: Type.String(),
  profile_image: Type.String(),
  profile_image_optimized: Type.String(),
  transaction_hash: Type.String(),
};

const { page } = DATA_BOUNDS;

export const getTradesV2 = defineDataRoute({
  path: '/v2/trades',
  summary: 'Fills of an account, of markets, of events, or of all, newest first',
  query: {
    user: User,
    condition: Conditions,
    event_id: Events,
    taker_only: Type.Optional(
      Type.Boolean({ description: 'true by default; false adds a row for each maker' }),
    ),
    ...AMOUNT,
    side: Side,
    start: Seconds('First second of the fills of a user; 0 for none'),
    end: Seconds('Last second of the fills of a user; 0 for none'),
  },
  row: Type.Object(MOVEMENT),
  page,
  complete: (query) => {
    selected(query);
    return { ...query, taker_only: query.taker_only ?? true };
  },
  read: (query, { services, page: { limit, place } }) => {
    const { user, side, filter_type = 'TOKENS', filter_amount = 0 } = query;
    const isCash = filter_type === 'CASH';
    const [fillKey] = place ?? [];
    return services.exchange.analytics.ask('fills', {
      ...selected(query),
      version: 2,
      takersOnly: query.taker_only ?? true,
      side: side as 'BUY' | 'SELL' | undefined,
      unit: isCash ? 'micros' : 'lots',
      least: isCash ? leastMicros(filter_amount) : leastLots(filter_amount),
      user,
      startSeconds: user === undefined ? undefined : bound(query.start),
      endSeconds: user === undefined ? undefined : bound(query.end),
      limit,
      offset: 0,
      cursor: fillKey === undefined ? undefined : { fillKey: Number(fillKey) },
    });
  },
});

const TYPES = [...ACTIVITY_TYPES, ...OTHER_TYPES] as const;

export const getActivityV2 = defineDataRoute({
  path: '/v2/activity',
  summary: 'Activity of an account: fills, moves between cash and tokens, deposits, withdrawals',
  query: {
    user: User,
    type: Type.Optional(
      Type.Array(Type.Enum([...TYPES]), { description: 'Separated by commas; all by default' }),
    ),
    condition: Conditions,
    event_id: Events,
    side: Side,
    ...WINDOW,
    sort_by: Type.Optional(Type.Enum(['TIMESTAMP'])),
    sort_direction: Type.Optional(Type.Enum(['DESC', 'ASC'], { description: 'DESC by default' })),
    exclude_deposits_withdrawals: ExcludesCash,
  },
  anchors: ['user'],
  row: Type.Object({
    ...MOVEMENT,
    type: Type.Enum([...ACTIVITY_TYPES]),
    usdc_size: Type.Number({ description: 'Cash paid or received, without fees' }),
  }),
  page,
  complete: (query) => {
    selected(query);
    return {
      ...query,
      sort_by: 'TIMESTAMP' as const,
      sort_direction: query.sort_direction ?? 'DESC',
      exclude_deposits_withdrawals: query.exclude_deposits_withdrawals ?? true,
    };
  },
  read: (query, { services, page: { limit, place } }) => {
    const [fillKey, otherKey] = place ?? [];
    const isFirst = fillKey === undefined;
    return services.exchange.analytics.ask('activity', {
      ...selected(query),
      version: 2,
      user: userIn(query.user ?? ''),
      types: typesOf(query.type, query.exclude_deposits_withdrawals),
      side: query.side as 'BUY' | 'SELL' | undefined,
      startSeconds: bound(query.start),
      endSeconds: bound(query.end),
      sortBy: 'TIMESTAMP',
      isAscending: query.sort_direction === 'ASC',
      limit,
      offset: 0,
      after: isFirst ? undefined : { fillKey: Number(fillKey), otherKey: Number(otherKey) },
    });
  },
});

/** Combos are not traded here: their lists are empty, as for an account without any. */
export const getCombosV2 = defineDataRoute({
  path: '/v2/activity/combos',
  summary: 'Activity in combos, which do not exist here: always empty',
  query: { user: User, condition: Conditions },
  anchors: ['user'],
  row: Type.Unknown(),
  page,
  read: () => ({ json: '[]' }),
});
