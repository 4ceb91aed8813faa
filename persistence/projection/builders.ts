/**
 * Projects what the orders of each builder traded, and how many accounts it brought: in all, and in
 * each UTC day, week and month. Both orders of a fill count, each with its own builder. Invariant:
 * the rows do not depend on the steps. Bound: the builders and accounts that one step changes, and
 * KEPT of earlier steps.
 */
import type { Database, Statement } from 'better-sqlite3';
import { addWide, type WideSum, wideSum, wideText } from '../shared/index.ts';
import { dayAt, type Periods, periodsAt } from './positions/math.ts';

type Period = 'DAY' | 'WEEK' | 'MONTH' | 'ALL';

interface PeriodRow {
  readonly key: readonly [period: Period, number: number, builder: Buffer];
  volumeMicros: WideSum;
  volumeLots: WideSum;
  userCount: number;
}

/** A row of `builder_users`: the last periods in which the account traded for the builder. */
interface UserRow extends Periods {
  readonly builder: Buffer;
  readonly accountKey: number;
}

export interface BuiltFill {
  readonly builder: Buffer;
  readonly accountKey: number;
  readonly timeMs: number;
  readonly micros: number;
  readonly lots: number;
}

interface StoredPeriod {
  readonly micros: string;
  readonly lots: string;
  readonly users: number;
}

const KEPT = 32_768;

export class ProjectionBuilders {
  readonly #periods = new Map<string, PeriodRow>();
  readonly #users = new Map<string, UserRow>();
  readonly #changedPeriods = new Set<PeriodRow>();
  readonly #changedUsers = new Map<string, UserRow>();
  readonly #selectPeriod: Statement<[Period, number, Buffer], StoredPeriod>;
  readonly #selectUser: Statement<[Buffer, number], Periods>;
  readonly #putPeriod: Statement<[Period, number, Buffer, string, number, string]>;
  readonly #putUser: Statement<[Buffer, number, number, number, number]>;
  /** The periods of the last fill. The next fill is mostly on the same day. */
  #now: Periods = periodsAt(0);

  constructor(database: Database) {
    this.#selectPeriod = database.prepare(
      'SELECT volume_micros AS micros, user_count AS users, volume_lots AS lots ' +
        'FROM builder_periods ' +
        'WHERE period = ? AND number = ? AND builder = ?',
    );
    this.#selectUser = database.prepare(
      'SELECT day, week, month FROM builder_users WHERE builder = ? AND account_key = ?',
    );
    this.#putPeriod = database.prepare('REPLACE INTO builder_periods VALUES (?, ?, ?, ?, ?, ?)');
    this.#putUser = database.prepare('REPLACE INTO builder_users VALUES (?, ?, ?, ?, ?)');
  }

  add({ builder, accountKey, timeMs, micros, lots }: BuiltFill): void {
    if (dayAt(timeMs) !== this.#now.day) this.#now = periodsAt(timeMs);
    const { day, week, month } = this.#now;
    const code = builder.toString('hex');
    const userKey = `${code}${accountKey}`;
    const before = this.#users.get(userKey) ?? this.#selectUser.get(builder, accountKey);
    const rows = [
      { period: 'DAY', number: day, isNewUser: before?.day !== day },
      { period: 'WEEK', number: week, isNewUser: before?.week !== week },
      { period: 'MONTH', number: month, isNewUser: before?.month !== month },
      { period: 'ALL', number: 0, isNewUser: before === undefined },
    ] as const;
    for (const { period, number, isNewUser } of rows) {
      const row = this.#change(code, [period, number, builder]);
      row.volumeMicros = addWide(row.volumeMicros, micros);
      row.volumeLots = addWide(row.volumeLots, lots);
      if (isNewUser) row.userCount += 1;
    }
    const user = { builder, accountKey, day, week, month };
    this.#users.set(userKey, user);
    if (before?.day !== day) this.#changedUsers.set(userKey, user);
  }

  flush(): void {
    for (const { key, volumeMicros, volumeLots, userCount } of this.#changedPeriods) {
      this.#putPeriod.run(...key, wideText(volumeMicros), userCount, wideText(volumeLots));
    }
    for (const { builder, accountKey, day, week, month } of this.#changedUsers.values()) {
      this.#putUser.run(builder, accountKey, day, week, month);
    }
    this.#changedPeriods.clear();
    this.#changedUsers.clear();
    if (this.#periods.size > KEPT) this.#periods.clear();
    if (this.#users.size > KEPT) this.#users.clear();
  }

  #change(code: string, key: PeriodRow['key']): PeriodRow {
    const name = `${key[0]}${key[1]} ${code}`;
    const known = this.#periods.get(name);
    const row = known ?? this.#stored(key);
    if (known === undefined) this.#periods.set(name, row);
    this.#changedPeriods.add(row);
    return row;
  }

  #stored(key: PeriodRow['key']): PeriodRow {
    const stored = this.#selectPeriod.get(...key);
    if (stored === undefined) return { key, volumeMicros: 0, volumeLots: 0, userCount: 0 };
    const { micros, lots, users } = stored;
    return { key, volumeMicros: wideSum(micros), volumeLots: wideSum(lots), userCount: users };
  }
}
