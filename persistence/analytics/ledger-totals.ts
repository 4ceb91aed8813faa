/**
 * The rows of `account_totals` that a step touches: each is read when it is first touched and
 * written once, at the end of the step. Bound: the accounts that one step touches.
 */
import type { Database, Statement } from 'better-sqlite3';
import { dayAt, type Periods, periodsAt } from './periods.ts';

interface Totals {
  tradeCount: number;
  marketCount: number;
  volumeMicros: number;
  realizedMicros: number;
  feeMicros: number;
  day: number;
  dayVolumeMicros: number;
  dayRealizedMicros: number;
  week: number;
  weekVolumeMicros: number;
  weekRealizedMicros: number;
  month: number;
  monthVolumeMicros: number;
  monthRealizedMicros: number;
}

/** What one change adds. */
export interface TotalsChange {
  readonly accountKey: number;
  readonly timeMs: number;
  readonly trades: number;
  readonly markets: number;
  readonly volumeMicros: number;
  readonly realizedMicros: number;
  readonly feeMicros: number;
}

const SELECT =
  'SELECT trade_count AS tradeCount, market_count AS marketCount, ' +
  'volume_micros AS volumeMicros, realized_micros AS realizedMicros, fee_micros AS feeMicros, ' +
  'day, day_volume_micros AS dayVolumeMicros, day_realized_micros AS dayRealizedMicros, ' +
  'week, week_volume_micros AS weekVolumeMicros, week_realized_micros AS weekRealizedMicros, ' +
  'month, month_volume_micros AS monthVolumeMicros, ' +
  'month_realized_micros AS monthRealizedMicros FROM account_totals WHERE account_key = ?';

/** The whole row at once: all of it changes, or nothing that an index knows. */
const PUT = `REPLACE INTO account_totals VALUES (${Array(15).fill('?').join(', ')})`;

export class LedgerTotals {
  readonly #touched = new Map<number, Totals>();
  readonly #select: Statement<[number], Totals>;
  readonly #put: Statement<number[]>;
  /** Those of the last change: the next one is mostly of the same day. */
  #periods: Periods = periodsAt(0);

  constructor(database: Database) {
    this.#select = database.prepare(SELECT);
    this.#put = database.prepare(PUT);
  }

  /** What neither traded nor earned or lost anything is no change. */
  add(change: TotalsChange): void {
    const { volumeMicros, realizedMicros } = change;
    if (volumeMicros === 0 && realizedMicros === 0) return;
    const totals = this.#touch(change.accountKey);
    this.#beginPeriods(totals, change.timeMs);
    totals.tradeCount += change.trades;
    totals.marketCount += change.markets;
    totals.volumeMicros += volumeMicros;
    totals.realizedMicros += realizedMicros;
    totals.feeMicros += change.feeMicros;
    totals.dayVolumeMicros += volumeMicros;
    totals.dayRealizedMicros += realizedMicros;
    totals.weekVolumeMicros += volumeMicros;
    totals.weekRealizedMicros += realizedMicros;
    totals.monthVolumeMicros += volumeMicros;
    totals.monthRealizedMicros += realizedMicros;
  }

  /** Writes what was touched. */
  flush(): void {
    for (const [accountKey, totals] of this.#touched) this.#write(accountKey, totals);
    this.#touched.clear();
  }

  #touch(accountKey: number): Totals {
    const known = this.#touched.get(accountKey);
    if (known !== undefined) return known;
    const totals = this.#select.get(accountKey) ?? { ...NO_TOTALS };
    this.#touched.set(accountKey, totals);
    return totals;
  }

  /** What is of a period that is over is forgotten. */
  #beginPeriods(totals: Totals, timeMs: number): void {
    if (dayAt(timeMs) !== this.#periods.day) this.#periods = periodsAt(timeMs);
    const { day, week, month } = this.#periods;
    if (totals.day === day) return;
    totals.day = day;
    totals.dayVolumeMicros = 0;
    totals.dayRealizedMicros = 0;
    if (totals.week !== week) {
      totals.week = week;
      totals.weekVolumeMicros = 0;
      totals.weekRealizedMicros = 0;
    }
    if (totals.month !== month) {
      totals.month = month;
      totals.monthVolumeMicros = 0;
      totals.monthRealizedMicros = 0;
    }
  }

  #write(accountKey: number, totals: Totals): void {
    const { tradeCount, marketCount, volumeMicros, realizedMicros, feeMicros } = totals;
    const { day, dayVolumeMicros, dayRealizedMicros } = totals;
    const { week, weekVolumeMicros, weekRealizedMicros } = totals;
    const { month, monthVolumeMicros, monthRealizedMicros } = totals;
    const sums = [tradeCount, marketCount, volumeMicros, realizedMicros, feeMicros];
    const ofDay = [day, dayVolumeMicros, dayRealizedMicros];
    const ofWeek = [week, weekVolumeMicros, weekRealizedMicros];
    const ofMonth = [month, monthVolumeMicros, monthRealizedMicros];
    this.#put.run(accountKey, ...sums, ...ofDay, ...ofWeek, ...ofMonth);
  }
}

const NO_TOTALS: Totals = {
  tradeCount: 0,
  marketCount: 0,
  volumeMicros: 0,
  realizedMicros: 0,
  feeMicros: 0,
  day: -1,
  dayVolumeMicros: 0,
  dayRealizedMicros: 0,
  week: -1,
  weekVolumeMicros: 0,
  weekRealizedMicros: 0,
  month: -1,
  monthVolumeMicros: 0,
  monthRealizedMicros: 0,
};
