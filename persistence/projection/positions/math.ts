/**
 * The formulas of formulas.md for one position, in whole numbers. Invariant:
 * `realized = received - paid + cost - fee`, and a position without tokens has no cost. A function
 * that changes `realized` returns the difference.
 */
import { strict as assert } from 'node:assert';
import { DAY_MS } from '../../../engine/model/index.ts';
import { addWide, type WideSum } from '../../shared/index.ts';

/**
 * The amounts of a position since it was first opened. `lots` and `costMicros` are what it has now:
 * no more than the collateral of the exchange.
 */
export interface PositionAmounts {
  lots: number;
  costMicros: number;
  boughtLots: WideSum;
  paidMicros: WideSum;
  receivedMicros: WideSum;
  feeMicros: WideSum;
  realizedMicros: WideSum;
  changedMs: number;
  /** 0 while the position is open. */
  closedMs: number;
  /** The part of `feeMicros` for tokens that were bought. */
  buyFeeMicros: WideSum;
  /** When it first got tokens. */
  openedMs: number;
}

interface TokenMove {
  readonly lots: number;
  /** Paid or received for all of them. */
  readonly micros: number;
  readonly timeMs: number;
}

export function increasePosition(
  position: PositionAmounts,
  { lots, micros, timeMs }: TokenMove,
): void {
  if (position.lots === 0) position.closedMs = 0;
  if (position.boughtLots === 0) position.openedMs = timeMs;
  position.lots += lots;
  position.costMicros += micros;
  position.boughtLots = addWide(position.boughtLots, lots);
  position.paidMicros = addWide(position.paidMicros, micros);
  position.changedMs = timeMs;
}

export function reducePosition(
  position: PositionAmounts,
  { lots, micros, timeMs }: TokenMove,
): number {
  const costMicros = costOf(position, lots);
  position.lots -= lots;
  position.costMicros -= costMicros;
  position.receivedMicros = addWide(position.receivedMicros, micros);
  position.realizedMicros = addWide(position.realizedMicros, micros - costMicros);
  position.changedMs = timeMs;
  // A position that was written off stays closed as of the resolution.
  if (position.lots === 0 && position.closedMs === 0) position.closedMs = timeMs;
  return micros - costMicros;
}

export function chargeFee(
  position: PositionAmounts,
  feeMicros: number,
  side: 'BUY' | 'SELL',
): number {
  position.feeMicros = addWide(position.feeMicros, feeMicros);
  if (side === 'BUY') position.buyFeeMicros = addWide(position.buyFeeMicros, feeMicros);
  position.realizedMicros = addWide(position.realizedMicros, -feeMicros);
  return -feeMicros;
}

/** The outcome pays nothing. The tokens stay until they are redeemed. */
export function writeOff(position: PositionAmounts, timeMs: number): number {
  const lost = position.costMicros;
  position.costMicros = 0;
  position.realizedMicros = addWide(position.realizedMicros, -lost);
  position.changedMs = timeMs;
  position.closedMs = timeMs;
  return -lost;
}

/** The part of the cost that leaves with some of the lots, rounded down; the last lots take all. */
export function costOf({ lots, costMicros }: PositionAmounts, outLots: number): number {
  assert(outLots > 0 && outLots <= lots, 'a position cannot lose more tokens than it has');
  const product = costMicros * outLots;
  if (!Number.isSafeInteger(product)) {
    return Number((BigInt(costMicros) * BigInt(outLots)) / BigInt(lots));
  }
  // The remainder is taken off first, so that the quotient is exact.
  return (product - (product % lots)) / lots;
}

/** The even share of place 0 to `count - 1`; the first places get one more of the remainder. */
export function evenShare(micros: number, count: number, place: number): number {
  const remainder = micros % count;
  return (micros - remainder) / count + (place < remainder ? 1 : 0);
}

/** NO in some markets of a neg-risk event becomes cash, and YES in its other markets. */
interface Conversion {
  /** The cost that leaves with each NO, in order of the markets. */
  readonly costs: readonly number[];
  readonly cashMicros: number;
  /** In how many markets YES is received. */
  readonly yesCount: number;
}

interface ConversionAmounts {
  readonly received: readonly number[];
  readonly paid: readonly number[];
}

/** What each NO is sold for, and each YES bought for: `received` less `paid` is the cash. */
export function conversionAmounts(conversion: Conversion): ConversionAmounts {
  const { costs, cashMicros, yesCount } = conversion;
  if (yesCount === 0) {
    return {
      received: costs.map((_, place) => evenShare(cashMicros, costs.length, place)),
      paid: [],
    };
  }
  const cost = costs.reduce((sum, one) => sum + one, 0);
  const excess = Math.max(0, cashMicros - cost);
  const carried = Math.max(0, cost - cashMicros);
  return {
    received: costs.map((one, place) => one + evenShare(excess, costs.length, place)),
    paid: Array.from({ length: yesCount }, (_, place) => evenShare(carried, yesCount, place)),
  };
}

// The calendar periods of leaderboards, in UTC, as numbers that grow with time.

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
