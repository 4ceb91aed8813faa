/**
 * The rows of `account_totals` that a step changes. Each is written once, at the end of the step,
 * and cached for the next steps. Bound: the accounts that one step changes, some 400 bytes each,
 * and KEPT_TOTALS of earlier steps.
 */
import type { Database, Statement } from 'better-sqlite3';
import { addWide, type WideSum, wideSum, wideText } from '../../shared/index.ts';
import { dayAt, type Periods, periodsAt } from './math.ts';

interface Totals {
  tradeCount: number;
  marketCount: number;
  volumeMicros: WideSum;
  realizedMicros: WideSum;
  feeMicros: WideSum;
  day: number;
  dayVolumeMicros: WideSum;
  dayRealizedMicros: WideSum;
  week: number;
  weekVolumeMicros: WideSum;
  weekRealizedMicros: WideSum;
  month: number;
  monthVolumeMicros: WideSum;
  monthRealizedMicros: WideSum;
}

/** A row as the table has it: sums as text. */
type TotalsRow = { readonly [Name in keyof Totals]: Totals[Name] extends number ? number : string };

interface TotalsChange {
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

const PUT = `REPLACE INTO account_totals VALUES (${Array(15).fill('?').join(', ')})`;

/** For accounts that traded but realized nothing: half of the indexes are not touched. */
const UPDATE_VOLUMES =
  'UPDATE account_totals SET trade_count = ?, market_count = ?, volume_micros = ?, ' +
  'fee_micros = ?, day_volume_micros = ?, week_volume_micros = ?, month_volume_micros = ? ' +
  'WHERE account_key = ?';

interface CachedTotals {
  readonly accountKey: number;
  readonly totals: Totals;
  /** The values in the table; undefined if it has no such row. */
  stored: Pick<Totals, 'realizedMicros' | 'day'> | undefined;
}

const KEPT_TOTALS = 32_768;

export class AccountTotals {
  /** Totals with the changes of the current step. */
  readonly #cached = new Map<number, CachedTotals>();
  readonly #changed = new Set<CachedTotals>();
  readonly #select: Statement<[number], TotalsRow>;
  readonly #put: Statement<(number | string)[]>;
  readonly #updateVolumes: Statement<(number | string)[]>;
  /** The periods of the last change. The next change is mostly on the same day. */
  #periods: Periods = periodsAt(0);

  constructor(database: Database) {
    this.#select = database.prepare(SELECT);
    this.#put = database.prepare(PUT);
    this.#updateVolumes = database.prepare(UPDATE_VOLUMES);
  }

  add(change: TotalsChange): void {
    const { volumeMicros, realizedMicros } = change;
    // A row is made only for an account that traded or realized something.
    if (volumeMicros === 0 && realizedMicros === 0) return;
    const totals = this.#change(change.accountKey);
    this.#beginPeriods(totals, change.timeMs);
    totals.tradeCount += change.trades;
    totals.marketCount += change.markets;
    totals.volumeMicros = addWide(totals.volumeMicros, volumeMicros);
    totals.realizedMicros = addWide(totals.realizedMicros, realizedMicros);
    totals.feeMicros = addWide(totals.feeMicros, change.feeMicros);
    totals.dayVolumeMicros = addWide(totals.dayVolumeMicros, volumeMicros);
    totals.dayRealizedMicros = addWide(totals.dayRealizedMicros, realizedMicros);
    totals.weekVolumeMicros = addWide(totals.weekVolumeMicros, volumeMicros);
    totals.weekRealizedMicros = addWide(totals.weekRealizedMicros, realizedMicros);
    totals.monthVolumeMicros = addWide(totals.monthVolumeMicros, volumeMicros);
    totals.monthRealizedMicros = addWide(totals.monthRealizedMicros, realizedMicros);
  }

  flush(): void {
    for (const changed of this.#changed) {
      this.#write(changed);
      const { realizedMicros, day } = changed.totals;
      changed.stored = { realizedMicros, day };
    }
    this.#changed.clear();
    if (this.#cached.size > KEPT_TOTALS) this.#cached.clear();
  }

  #change(accountKey: number): Totals {
    const known = this.#cached.get(accountKey);
    if (known !== undefined) {
      this.#changed.add(known);
      return known.totals;
    }
    const stored = this.#select.get(accountKey);
    const totals = stored === undefined ? { ...NO_TOTALS } : totalsOf(stored);
    const { realizedMicros, day } = totals;
    const made = { accountKey, totals, stored: stored && { realizedMicros, day } };
    this.#cached.set(accountKey, made);
    this.#changed.add(made);
    return made.totals;
  }

  /** Sums of periods that are over begin again at 0. */
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

  #write({ accountKey, totals, stored }: CachedTotals): void {
    const { tradeCount, marketCount, day, week, month } = totals;
    const volume = wideText(totals.volumeMicros);
    const fees = wideText(totals.feeMicros);
    const dayVolume = wideText(totals.dayVolumeMicros);
    const weekVolume = wideText(totals.weekVolumeMicros);
    const monthVolume = wideText(totals.monthVolumeMicros);
    // On the same day the week and the month are the same too.
    const isSame = stored?.realizedMicros === totals.realizedMicros && stored.day === day;
    if (isSame) {
      const volumes = [dayVolume, weekVolume, monthVolume];
      this.#updateVolumes.run(tradeCount, marketCount, volume, fees, ...volumes, accountKey);
      return;
    }
    const sums = [tradeCount, marketCount, volume, wideText(totals.realizedMicros), fees];
    const ofDay = [day, dayVolume, wideText(totals.dayRealizedMicros)];
    const ofWeek = [week, weekVolume, wideText(totals.weekRealizedMicros)];
    const ofMonth = [month, monthVolume, wideText(totals.monthRealizedMicros)];
    this.#put.run(accountKey, ...sums, ...ofDay, ...ofWeek, ...ofMonth);
  }
}

function totalsOf(row: TotalsRow): Totals {
  return {
    ...row,
    volumeMicros: wideSum(row.volumeMicros),
    realizedMicros: wideSum(row.realizedMicros),
    feeMicros: wideSum(row.feeMicros),
    dayVolumeMicros: wideSum(row.dayVolumeMicros),
    dayRealizedMicros: wideSum(row.dayRealizedMicros),
    weekVolumeMicros: wideSum(row.weekVolumeMicros),
    weekRealizedMicros: wideSum(row.weekRealizedMicros),
    monthVolumeMicros: wideSum(row.monthVolumeMicros),
    monthRealizedMicros: wideSum(row.monthRealizedMicros),
  };
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
