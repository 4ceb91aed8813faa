/**
 * Accounts that traded or won most, and builders (wire 8.7), with the public venue's periods and
 * bounds.
 */
import { Type } from 'typebox';
import {
  isPseudonym,
  LEADERBOARD_CATEGORIES,
  LEADERBOARD_ORDERS,
  LEADERBOARD_PERIODS,
} from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { OptionalTrueFalse, userIn } from '../../parameters/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import { pageParameters, UserParameter } from './parameters.ts';
import { BuilderDay, BuilderLeader, Leader } from './position-schemas.ts';

const { builderLeaders, leaders } = READ_BOUNDS;

/** The names in upper and in lower case, because clients send either. */
function inBothCases<Name extends string>(names: readonly Name[]): string[] {
  return [...names, ...names.map((name) => name.toLowerCase())];
}

function named<Name extends string>(names: readonly Name[], written: string): Name {
  const found = names.find((name) => name === written.toUpperCase());
  if (found === undefined) throw new Error(`the schema allowed ${written}`);
  return found;
}

const PeriodParameter = Type.Optional(
  Type.Enum(inBothCases(LEADERBOARD_PERIODS), { default: 'DAY' }),
);

/** Throws `invalid_parameter` for a pseudonym: accounts without a profile have none stored. */
function nameIn(userName: string): string {
  if (!isPseudonym(userName)) return userName;
  const limit = 'a name that an account chose; user finds accounts without one by their address';
  throw new ApiError('invalid_parameter', { field: 'userName', limit, actual: echo(userName) });
}

export const getLeaderboard = defineAnalyticsRoute({
  path: '/v1/leaderboard',
  summary: 'Accounts that won or traded most: today, this week, this month (UTC), or ever',
  query: {
    timePeriod: PeriodParameter,
    orderBy: Type.Optional(Type.Enum(inBothCases(LEADERBOARD_ORDERS), { default: 'PNL' })),
    category: Type.Optional(
      Type.Enum(inBothCases(LEADERBOARD_CATEGORIES), {
        default: 'OVERALL',
        description: 'Only markets whose event has a tag of this category',
      }),
    ),
    ...pageParameters(leaders),
    user: Type.Optional(UserParameter),
    userName: Type.Optional(
      Type.String({
        maxLength: READ_BOUNDS.titleCharacters,
        description: 'Only accounts that are shown by this name, which are often one',
      }),
    ),
    excludeCrowd: OptionalTrueFalse(
      'Without the simulated participants of a sandbox, which then have no rank',
    ),
  },
  response: Type.Array(Leader),
  question: (
    { timePeriod = 'DAY', orderBy = 'PNL', user = '', userName = '', ...query },
    { nowMs },
    { simulated },
  ) => [
    'leaderboard',
    {
      period: named(LEADERBOARD_PERIODS, timePeriod),
      order: named(LEADERBOARD_ORDERS, orderBy),
      category: named(LEADERBOARD_CATEGORIES, query.category ?? 'OVERALL'),
      nowMs,
      limit: query.limit ?? leaders.defaultLimit,
      offset: query.offset ?? 0,
      user: user === '' ? undefined : userIn(user),
      userName: userName === '' ? undefined : nameIn(userName),
      excluded: query.excludeCrowd === true ? simulated.addresses : [],
    },
  ],
});

export const getBuilderLeaderboard = defineAnalyticsRoute({
  path: '/v1/builders/leaderboard',
  summary: 'Builders by the cash that their orders traded: today, this week, this month, or ever',
  query: { timePeriod: PeriodParameter, ...pageParameters(builderLeaders) },
  response: Type.Array(BuilderLeader),
  question: (
    { timePeriod = 'DAY', limit = builderLeaders.defaultLimit, offset = 0 },
    { nowMs },
  ) => ['builderBoard', { period: named(LEADERBOARD_PERIODS, timePeriod), nowMs, limit, offset }],
});

export const getBuilderVolume = defineAnalyticsRoute({
  path: '/v1/builders/volume',
  summary: 'Volume of builders on each UTC day of a period',
  query: { timePeriod: PeriodParameter },
  response: Type.Array(BuilderDay, {
    description: 'The newest day first: at most 366 days, and the 50 largest builders of each',
  }),
  question: ({ timePeriod = 'DAY' }, { nowMs }) => [
    'builderVolume',
    { period: named(LEADERBOARD_PERIODS, timePeriod), nowMs },
  ],
});
