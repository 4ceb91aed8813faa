/**
 * Projects fills into the table of peaks (fill-peaks-schema.ts). Owned by the projection, in whose
 * transaction it writes. Invariant: the runs depend on the fills alone, not on the steps in which
 * they were taken: a run is closed by the trade that fills it. Bound: four numbers for each account
 * and market that traded since the start.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  orderedKey,
  PEAK_SCOPES,
  PEAK_SOURCES,
  PEAKS,
  type PeakScope,
  RUN_ROWS,
  RUNS_A_GROUP,
} from './fill-peaks-schema.ts';

interface Named {
  readonly scope: number;
  readonly nameKey: number;
}

interface Run extends Named {
  /** The rows or runs after this key make it up. */
  readonly afterKey: number;
  readonly lastKey: number;
}

interface ScopeStatements {
  readonly countRows: Statement<[Omit<Run, 'lastKey'>], number>;
  readonly closeRun: Statement<[Run]>;
}

const peaksOf = (peakOf: (peak: (typeof PEAKS)[number]) => string): string =>
  PEAKS.map(peakOf).join(', ');

/** Of one scope; a test reads the plans. */
export function runSql(scope: PeakScope) {
  const { from, where } = PEAK_SOURCES[scope];
  const rows = `FROM ${from} WHERE ${where} AND ${orderedKey(scope)} > @afterKey`;
  const peaks = peaksOf(
    ([, condition, amount]) =>
      `max(CASE WHEN ${qualified(condition)} THEN ${qualified(amount)} ELSE 0 END)`,
  );
  return {
    countRows: `SELECT count(*) ${rows}`,
    closeRun:
      `INSERT INTO fill_peaks SELECT @scope, @nameKey, 1, min(p.trade_key), @lastKey, ${peaks} ` +
      rows,
  };
}

/** The columns of a condition or amount as those of `p`. */
const qualified = (sql: string): string =>
  sql.replace(/\b(side|ordinal|lots|price_ticks)\b/g, 'p.$1');

const LAST_KEY =
  'SELECT last_key FROM fill_peaks WHERE scope = @scope AND name_key = @nameKey ' +
  'AND level = @level ORDER BY first_key DESC LIMIT 1';

const RUNS_AFTER =
  'FROM fill_peaks WHERE scope = @scope AND name_key = @nameKey AND level = 1 ' +
  'AND first_key > @afterKey';

const CLOSE_GROUP =
  'INSERT INTO fill_peaks SELECT @scope, @nameKey, 2, min(first_key), @lastKey, ' +
  `${peaksOf(([name]) => `max(${name})`)} ${RUNS_AFTER}`;

/** What comes after the last run, and after the last group. */
interface OpenRun {
  rows: number;
  afterKey: number;
  runs: number;
  groupAfter: number;
}

/** What closes a run of either level: others than the usual ones are for tests. */
export interface RunSizes {
  readonly rows: number;
  readonly runs: number;
}

export class FillPeaks {
  readonly #ofScope: Readonly<Record<PeakScope, ScopeStatements>>;
  readonly #lastKey: Statement<[Named & { readonly level: number }], number>;
  readonly #countRuns: Statement<[Named & { readonly afterKey: number }], number>;
  readonly #closeGroup: Statement<[Run]>;
  /** By name; of a name that is not here the tables know. */
  readonly #open: Readonly<Record<PeakScope, Map<number, OpenRun>>> = {
    all: new Map(),
    market: new Map(),
    account: new Map(),
  };
  readonly #sizes: RunSizes;

  constructor(database: Database, sizes: RunSizes = { rows: RUN_ROWS, runs: RUNS_A_GROUP }) {
    this.#sizes = sizes;
    const statementsOf = (scope: PeakScope): ScopeStatements => {
      const { countRows, closeRun } = runSql(scope);
      return {
        countRows: database.prepare<[Omit<Run, 'lastKey'>], number>(countRows).pluck(),
        closeRun: database.prepare(closeRun),
      };
    };
    this.#ofScope = {
      all: statementsOf('all'),
      market: statementsOf('market'),
      account: statementsOf('account'),
    };
    this.#lastKey = database.prepare<[object], number>(LAST_KEY).pluck();
    this.#countRuns = database.prepare<[object], number>(`SELECT count(*) ${RUNS_AFTER}`).pluck();
    this.#closeGroup = database.prepare(CLOSE_GROUP);
  }

  /** The trade's rows are in the tables: one for each of the accounts, which may come again. */
  take(tradeKey: number, marketKey: number, accountKeys: readonly number[]): void {
    this.#add('all', 0, tradeKey, accountKeys.length);
    this.#add('market', marketKey, tradeKey, accountKeys.length);
    const rows = new Map<number, number>();
    for (const key of accountKeys) rows.set(key, (rows.get(key) ?? 0) + 1);
    for (const [key, count] of rows) this.#add('account', key, tradeKey, count);
  }

  #add(scope: PeakScope, nameKey: number, tradeKey: number, rows: number): void {
    const known = this.#open[scope].get(nameKey);
    const open = known ?? this.#restore(scope, nameKey);
    if (known === undefined) this.#open[scope].set(nameKey, open);
    else open.rows += rows;
    if (open.rows >= this.#sizes.rows) this.#close(scope, nameKey, open, tradeKey);
  }

  /** Also the rows that were just added. */
  #restore(scope: PeakScope, nameKey: number): OpenRun {
    const named = { scope: PEAK_SCOPES[scope], nameKey };
    const afterKey = this.#lastKey.get({ ...named, level: 1 }) ?? 0;
    const rows = this.#ofScope[scope].countRows.get({ ...named, afterKey }) ?? 0;
    const groupAfter = afterKey === 0 ? 0 : (this.#lastKey.get({ ...named, level: 2 }) ?? 0);
    const runs = afterKey === 0 ? 0 : this.#countRuns.get({ ...named, afterKey: groupAfter });
    return { rows, afterKey, runs: runs ?? 0, groupAfter };
  }

  #close(scope: PeakScope, nameKey: number, open: OpenRun, lastKey: number): void {
    const named = { scope: PEAK_SCOPES[scope], nameKey };
    this.#ofScope[scope].closeRun.run({ ...named, afterKey: open.afterKey, lastKey });
    open.rows = 0;
    open.afterKey = lastKey;
    open.runs += 1;
    if (open.runs < this.#sizes.runs) return;
    this.#closeGroup.run({ ...named, afterKey: open.groupAfter, lastKey });
    open.runs = 0;
    open.groupAfter = lastKey;
  }
}
