/** Ranked boards of Data API v2: accounts, builders and positions that won (wire 8.8). */
import { Type } from 'typebox';
import { LEADERBOARD_CATEGORIES, LEADERBOARD_PERIODS } from '../../../persistence/index.ts';
import { userIn } from '../../parameters/index.ts';
import { DATA_BOUNDS, defineDataRoute, User } from './define-data-route.ts';

const PERIODS = ['day', 'week', 'month', 'all'] as const;
const Period = Type.Optional(Type.Enum([...PERIODS], { description: 'day by default (UTC)' }));

function periodOf(period: (typeof PERIODS)[number] = 'day') {
  return LEADERBOARD_PERIODS[PERIODS.indexOf(period)] ?? 'DAY';
}

/** overall by default; the names that version 1 writes in capitals. */
function categoryOf(category = 'overall') {
  return LEADERBOARD_CATEGORIES.find((name) => name.toLowerCase() === category) ?? 'OVERALL';
}

const Category = Type.Optional(
  Type.Enum(
    LEADERBOARD_CATEGORIES.map((name) => name.toLowerCase()),
    { description: 'overall by default' },
  ),
);

const { page } = DATA_BOUNDS;

const STANDING = {
  user_id: Type.String(),
  pnl: Type.Number({ description: 'Profit realized in the period, less fees' }),
  volume: Type.Number({ description: 'Tokens traded in the period, as taker and as maker' }),
  user_name: Type.String(),
  profile_image: Type.String(),
  x_username: Type.String(),
  verified: Type.Boolean(),
};

export const getLeaderboardV2 = defineDataRoute({
  path: '/v2/leaderboard',
  summary: 'Accounts that won or traded most in a period; or both ranks of one account',
  query: {
    time_period: Period,
    category: Category,
    sort_by: Type.Optional(Type.Enum(['PNL', 'VOLUME'], { description: 'PNL by default' })),
    user: User,
  },
  row: Type.Object({ rank: Type.Integer(), ...STANDING }),
  ofOne: {
    name: 'user',
    row: Type.Object({ ...STANDING, rank_pnl: Type.Integer(), rank_volume: Type.Integer() }),
  },
  page,
  complete: (query) => ({
    ...query,
    time_period: query.time_period ?? 'day',
    category: query.category ?? 'overall',
    sort_by: query.sort_by ?? 'PNL',
  }),
  read: (query, { services, request: { nowMs }, page: { limit, place } }) =>
    services.exchange.analytics.ask('leaderboard', {
      version: 2,
      period: periodOf(query.time_period),
      order: query.sort_by === 'VOLUME' ? 'VOL' : 'PNL',
      category: categoryOf(query.category),
      nowMs,
      limit,
      offset: 0,
      after: place,
      user: query.user === undefined ? undefined : userIn(query.user),
    }),
});

const BUILDER = {
  rank: Type.Integer(),
  builder_name: Type.String({ description: 'The code of a builder without a profile' }),
  builder_code: Type.String(),
  profile_image: Type.String(),
  active_users: Type.Integer(),
  volume: Type.Number({ description: 'Tokens traded by orders that name the builder' }),
  verified: Type.Boolean(),
};

export const getBuildersLeaderboardV2 = defineDataRoute({
  path: '/v2/builders/leaderboard',
  summary: 'Builders by what their orders traded in a period',
  query: { time_period: Period },
  row: Type.Object(BUILDER),
  page,
  complete: (query) => ({ ...query, time_period: query.time_period ?? 'day' }),
  read: ({ time_period }, { services, request: { nowMs }, page: { limit, place } }) =>
    services.exchange.analytics.ask('builderBoard', {
      version: 2,
      period: periodOf(time_period),
      nowMs,
      limit,
      offset: 0,
      after: place,
    }),
});

const BUCKETS = 30;
const INTERVALS = { day: 'DAY', week: 'WEEK', month: 'MONTH' } as const;

export const getBuildersVolumeV2 = defineDataRoute({
  path: '/v2/builders/volume',
  summary: 'What orders of builders traded in each UTC day, week or month, the newest first',
  query: {
    interval: Type.Optional(
      Type.Enum(['day', 'week', 'month'], {
        description: 'day by default; builders are not counted by the year here',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 90, description: `Buckets; ${BUCKETS} by default` }),
    ),
  },
  aliases: { interval: ['time_period', 'timePeriod'] },
  row: Type.Array(
    Type.Object({ date: Type.String({ description: 'The first day of the bucket' }), ...BUILDER }),
  ),
  read: ({ interval = 'day', limit = BUCKETS }, { services, request: { nowMs } }) =>
    services.exchange.analytics.ask('builderVolume', {
      version: 2,
      period: 'ALL',
      nowMs,
      bucket: INTERVALS[interval],
      most: limit,
    }),
});

const Winner = Type.Object({
  win_rank: Type.Integer({ description: 'Its place in the period and category, from 1' }),
  kind: Type.Enum(['market']),
  user_id: Type.String(),
  pnl: Type.Number({ description: 'final_value less initial_value' }),
  initial_value: Type.Number({ description: 'Paid for all its tokens, with fees' }),
  final_value: Type.Number({
    description: 'Received for its tokens, less fees, and what is left to redeem',
  }),
  resolved_at: Type.Integer({ description: 'Unix seconds' }),
  condition_id: Type.String(),
  position_id: Type.String({ description: 'Token id' }),
  event_id: Type.Integer(),
  event_slug: Type.String(),
  event_title: Type.String(),
  user_name: Type.String(),
  profile_image: Type.String(),
});

export const getBiggestWinnersV2 = defineDataRoute({
  path: '/v2/biggest-winners',
  summary: 'Positions that won most, of the markets that were resolved in a period',
  query: { time_period: Period, category: Category },
  row: Winner,
  page,
  complete: (query) => ({
    ...query,
    time_period: query.time_period ?? 'day',
    category: query.category ?? 'overall',
  }),
  read: (query, { services, request: { nowMs }, page: { limit, place } }) =>
    services.exchange.analytics.ask('winners', {
      version: 2,
      period: periodOf(query.time_period),
      category: categoryOf(query.category),
      nowMs,
      limit,
      after: place,
    }),
});
