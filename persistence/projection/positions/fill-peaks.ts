/**
 * Projects fills into the table of peaks (fill-peaks-schema.ts). Owned by the projection, in whose
 * transaction it writes. Invariant: the runs depend on the fills alone, not on the steps in which
 * they were taken: a run is closed by the trade that fills it. The runs that are still open are
 * kept, so that closing one is a row to be written and nothing to be read. Bound: the open runs of
 * OPEN_NAMES accounts and markets, some 300 bytes each; those of others the tables tell.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Side } from '../../../engine/index.ts';
import {
  orderedKey,
  PEAK_SCOPES,
  PEAK_SOURCES,
  PEAKS,
  type PeakScope,
  RUN_ROWS,
  RUNS_A_GROUP,
} from './fill-peaks-schema.ts';

/** One participant's part of a trade. */
export interface PeakParty {
  readonly accountKey: number;
  readonly side: Side;
  readonly lots: number;
  readonly priceTicks: number;
}

interface Named {
  readonly scope: number;
  readonly nameKey: number;
}

/** Count, key of the first, and peaks of the rows or runs after a key. */
type OpenRow = [count: number, firstKey: number | null, ...peaks: number[]];
type After = Named & { readonly afterKey: number };

function peaksOf(peakOf: (peak: (typeof PEAKS)[number]) => string): string {
  return PEAKS.map(peakOf).join(', ');
}

/** Of one scope; a test reads the plans. */
export function runSql(scope: PeakScope) {
  const { from, where } = PEAK_SOURCES[scope];
  const peaks = peaksOf(
    ([, condition, amount]) =>
      `coalesce(max(CASE WHEN ${qualified(condition)} THEN ${qualified(amount)} ELSE 0 END), 0)`,
  );
  return {
    openRows:
      `SELECT count(*), min(p.trade_key), ${peaks} FROM ${from} ` +
      `WHERE ${where} AND ${orderedKey(scope)} > @afterKey`,
  };
}

/** The columns of a condition or amount as those of `p`. */
function qualified(sql: string): string {
  return sql.replace(/\b(side|ordinal|lots|price_ticks)\b/g, 'p.$1');
}

const LAST_KEY =
  'SELECT last_key FROM fill_peaks WHERE scope = @scope AND name_key = @nameKey ' +
  'AND level = @level ORDER BY first_key DESC LIMIT 1';

const OPEN_RUNS =
  'SELECT count(*), min(first_key), ' +
  `${peaksOf(([name]) => `coalesce(max(${name}), 0)`)} FROM fill_peaks ` +
  'WHERE scope = @scope AND name_key = @nameKey AND level = 1 AND first_key > @afterKey';

/** What comes after the last run, or what of runs comes after the last group. */
interface Open {
  /** Rows, or runs. */
  count: number;
  firstKey: number;
  /** In the order of PEAKS. */
  readonly peaks: number[];
}

interface OpenName {
  readonly run: Open;
  readonly group: Open;
}

/** What closes a run of either level: others than the usual ones are for tests. */
export interface RunSizes {
  readonly rows: number;
  readonly runs: number;
}

const OPEN_NAMES = 65_536;

export class FillPeaks {
  readonly #openRows: Readonly<Record<PeakScope, Statement<[After], OpenRow>>>;
  readonly #openRuns: Statement<[After], OpenRow>;
  readonly #lastKey: Statement<[Named & { readonly level: number }], number>;
  readonly #insert: Statement<number[]>;
  /** By name; of a name that is not here the tables know. */
  readonly #open: Readonly<Record<PeakScope, Map<number, OpenName>>> = {
    all: new Map(),
    market: new Map(),
    account: new Map(),
  };
  readonly #sizes: RunSizes;

  constructor(database: Database, sizes: RunSizes = { rows: RUN_ROWS, runs: RUNS_A_GROUP }) {
    this.#sizes = sizes;
    const openRowsOf = (scope: PeakScope): Statement<[After], OpenRow> =>
      database.prepare<[After], OpenRow>(runSql(scope).openRows).raw();
    this.#openRows = {
      all: openRowsOf('all'),
      market: openRowsOf('market'),
      account: openRowsOf('account'),
    };
    this.#openRuns = database.prepare<[After], OpenRow>(OPEN_RUNS).raw();
    this.#lastKey = database.prepare<[object], number>(LAST_KEY).pluck();
    this.#insert = database.prepare(
      `INSERT INTO fill_peaks VALUES (${Array(5 + PEAKS.length)
        .fill('?')
        .join(', ')})`,
    );
  }

  /** A trade, the taker's part first, of which the tables have no row yet. */
  take(tradeKey: number, marketKey: number, parties: readonly PeakParty[]): void {
    const all = this.#openName('all', 0);
    const market = this.#openName('market', marketKey);
    for (const [ordinal, party] of parties.entries()) {
      const row = { tradeKey, isTaker: ordinal === 0, party };
      add(all.run, row);
      add(market.run, row);
      add(this.#openName('account', party.accountKey).run, row);
    }
    this.#end('all', 0, tradeKey);
    this.#end('market', marketKey, tradeKey);
    // Of an account that comes again nothing is full any more.
    for (const { accountKey } of parties) this.#end('account', accountKey, tradeKey);
  }

  /** The tables have the rows of everything taken. */
  forget(): void {
    for (const open of Object.values(this.#open)) if (open.size > OPEN_NAMES) open.clear();
  }

  #openName(scope: PeakScope, nameKey: number): OpenName {
    const known = this.#open[scope].get(nameKey);
    if (known !== undefined) return known;
    const open = this.#restore(scope, nameKey);
    this.#open[scope].set(nameKey, open);
    return open;
  }

  #restore(scope: PeakScope, nameKey: number): OpenName {
    const named = { scope: PEAK_SCOPES[scope], nameKey };
    const afterKey = this.#lastKey.get({ ...named, level: 1 }) ?? 0;
    const run = openOf(this.#openRows[scope].get({ ...named, afterKey }));
    if (afterKey === 0) return { run, group: openOf(undefined) };
    const groupAfter = this.#lastKey.get({ ...named, level: 2 }) ?? 0;
    return { run, group: openOf(this.#openRuns.get({ ...named, afterKey: groupAfter })) };
  }

  /** Closes the run that a trade filled. */
  #end(scope: PeakScope, nameKey: number, lastKey: number): void {
    const { run, group } = this.#openName(scope, nameKey);
    if (run.count < this.#sizes.rows) return;
    const scopeKey = PEAK_SCOPES[scope];
    this.#insert.run(scopeKey, nameKey, 1, run.firstKey, lastKey, ...run.peaks);
    if (group.count === 0) group.firstKey = run.firstKey;
    group.count += 1;
    for (const [index, peak] of run.peaks.entries()) raise(group, index, peak);
    clear(run);
    if (group.count < this.#sizes.runs) return;
    this.#insert.run(scopeKey, nameKey, 2, group.firstKey, lastKey, ...group.peaks);
    clear(group);
  }
}

function openOf(row: OpenRow | undefined): Open {
  if (row === undefined) return { count: 0, firstKey: 0, peaks: PEAKS.map(() => 0) };
  const [count, firstKey, ...peaks] = row;
  return { count, firstKey: firstKey ?? 0, peaks };
}

function clear(open: Open): void {
  open.count = 0;
  open.peaks.fill(0);
}

function raise({ peaks }: Open, index: number, amount: number): void {
  if (amount > (peaks[index] ?? 0)) peaks[index] = amount;
}

/** Where each side's peaks begin: of takers lots and cash, of anyone the same. */
const FIRST_PEAK: Readonly<Record<Side, number>> = { BUY: 0, SELL: 4 };

interface Row {
  readonly tradeKey: number;
  readonly isTaker: boolean;
  readonly party: PeakParty;
}

function add(run: Open, { tradeKey, isTaker, party }: Row): void {
  const { side, lots, priceTicks } = party;
  if (run.count === 0) run.firstKey = tradeKey;
  run.count += 1;
  const first = FIRST_PEAK[side];
  const micros = lots * priceTicks;
  if (isTaker) {
    raise(run, first, lots);
    raise(run, first + 1, micros);
  }
  raise(run, first + 2, lots);
  raise(run, first + 3, micros);
}
