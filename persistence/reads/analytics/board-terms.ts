/** The periods and orders of boards, and the numbers that the tables give the periods. */
import { periodsAt } from '../../projection/positions/math.ts';

export const LEADERBOARD_PERIODS = ['DAY', 'WEEK', 'MONTH', 'ALL'] as const;
export type LeaderboardPeriod = (typeof LEADERBOARD_PERIODS)[number];

export const LEADERBOARD_ORDERS = ['PNL', 'VOL'] as const;
export type LeaderboardOrder = (typeof LEADERBOARD_ORDERS)[number];

/** 0 for all time. */
export function periodNumber(period: LeaderboardPeriod, nowMs: number): number {
  const { day, week, month } = periodsAt(nowMs);
  return { DAY: day, WEEK: week, MONTH: month, ALL: 0 }[period];
}
