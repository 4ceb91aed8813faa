/** The accounts that traded or won most (wire 8.7), with the public venue's periods and bounds. */
import { Type } from 'typebox';
import { LEADERBOARD_ORDERS, LEADERBOARD_PERIODS } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { userIn } from '../../parameters/index.ts';
import { defineAnalyticsRoute } from './define-analytics-route.ts';
import { pageParameters, UserParameter } from './parameters.ts';
import { Leader } from './position-schemas.ts';

const { leaders } = READ_BOUNDS;

/** The names in upper and in lower case, because clients send either. */
function inBothCases<Name extends string>(names: readonly Name[]): string[] {
  return [...names, ...names.map((name) => name.toLowerCase())];
}

function named<Name extends string>(names: readonly Name[], written: string): Name {
  const found = names.find((name) => name === written.toUpperCase());
  if (found === undefined) throw new Error(`the schema allowed ${written}`);
  return found;
}

export const getLeaderboard = defineAnalyticsRoute({
  path: '/v1/leaderboard',
  summary: 'Accounts that won or traded most: today, this week, this month (UTC), or ever',
  query: {
    timePeriod: Type.Optional(Type.Enum(inBothCases(LEADERBOARD_PERIODS), { default: 'DAY' })),
    orderBy: Type.Optional(Type.Enum(inBothCases(LEADERBOARD_ORDERS), { default: 'PNL' })),
    category: Type.Optional(
      Type.Enum(['OVERALL', 'overall'], {
        default: 'OVERALL',
        description: 'All markets together: this exchange has no categories',
      }),
    ),
    ...pageParameters(leaders),
    user: Type.Optional(UserParameter),
  },
  response: Type.Array(Leader),
  question: (
    { timePeriod = 'DAY', orderBy = 'PNL', limit = leaders.defaultLimit, offset = 0, user = '' },
    { nowMs },
  ) => [
    'leaderboard',
    {
      period: named(LEADERBOARD_PERIODS, timePeriod),
      order: named(LEADERBOARD_ORDERS, orderBy),
      nowMs,
      limit,
      offset,
      user: user === '' ? undefined : userIn(user),
    },
  ],
});
