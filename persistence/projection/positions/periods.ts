/** The calendar periods of leaderboards, in UTC, as numbers that grow with time. */
import { DAY_MS } from '../../../engine/model/index.ts';

const DAYS_A_WEEK = 7;
/** Day 0 was a Thursday: its week began three days before. */
const DAYS_SINCE_MONDAY = 3;
const MONTHS_A_YEAR = 12;

export interface Periods {
  readonly day: number;
  /** Weeks since the one of 1970-01-01. A week begins on Monday. */
  readonly week: number;
  /** Year x 12 + month of the year, from 0. */
  readonly month: number;
}

export function dayAt(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

export function periodsAt(timeMs: number): Periods {
  const day = dayAt(timeMs);
  const date = new Date(timeMs);
  return {
    day,
    week: Math.floor((day + DAYS_SINCE_MONDAY) / DAYS_A_WEEK),
    month: date.getUTCFullYear() * MONTHS_A_YEAR + date.getUTCMonth(),
  };
}

/** The first day of a numbered period. */
export function firstDayIn(period: 'DAY' | 'WEEK' | 'MONTH', number: number): number {
  if (period === 'DAY') return number;
  if (period === 'WEEK') return number * DAYS_A_WEEK - DAYS_SINCE_MONDAY;
  return dayAt(Date.UTC(Math.floor(number / MONTHS_A_YEAR), number % MONTHS_A_YEAR));
}

/** The first day of the period that a time is in; ALL begins at day 0. */
export function firstDayOf(period: 'DAY' | 'WEEK' | 'MONTH' | 'ALL', timeMs: number): number {
  const { day, week, month } = periodsAt(timeMs);
  return {
    DAY: day,
    WEEK: firstDayIn('WEEK', week),
    MONTH: firstDayIn('MONTH', month),
    ALL: 0,
  }[period];
}
