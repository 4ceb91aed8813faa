/**
 * Rows of trade_parties in order of time, found step by step, as many as somebody needs. A row is
 * named by one number that grows with time (`rowOf`): its trade's key and its place in the trade.
 *
 * How a search for rare fills stays fast. Peaks (fill-peaks-schema.ts) say of each run of some 32
 * rows - of all fills, of a market, of an account - whether one of them is by a taker or of a side,
 * and how large it can be. So a filter by takers, side, size or cash steps over runs, and over
 * groups of 64 runs, that have nothing: each run that is read has a row that passes, whatever the
 * threshold and however the amounts are spread. An index of each amount would need a sort by time
 * where many pass, and a walk by time an end where few do; and either would be needed for each
 * market and account, at six entries a row.
 *
 * Invariant: every statement walks a range of one index in the order of the rows, and sorts and
 * scans nothing (a test reads the plans). Bound: the budget, of which each step is paid.
 */
import type { Statement } from 'better-sqlite3';
import {
  orderedKey,
  PEAK_SCOPES,
  PEAK_SOURCES,
  type PeakScope,
  RUN_ROWS,
} from '../../projection/positions/index.ts';
import { StoreError } from '../../shared/index.ts';
import type { AnalyticsReads } from './reads.ts';

/** A trade has up to 500 makers, and places 0 to 500. */
const PLACES = 1_024;
const ROW = `p.trade_key * ${PLACES} + p.ordinal`;

export function rowOf(tradeKey: number, ordinal: number): number {
  return tradeKey * PLACES + ordinal;
}
export function tradeKeyOf(row: number): number {
  return Math.floor(row / PLACES);
}
export function ordinalOf(row: number): number {
  return row % PLACES;
}
/** Above every row. */
export const NO_ROW = Number.MAX_SAFE_INTEGER;

/** Rows that a search may look at; throws `search_too_wide` beyond. */
export class RowBudget {
  readonly #most: number;
  #spent = 0;

  constructor(most: number) {
    this.#most = most;
  }

  spend(rows: number): void {
    this.#spent += rows;
    if (this.#spent <= this.#most) return;
    throw new StoreError(
      'search_too_wide',
      `more than ${this.#most} rows would have to be looked at: narrow it by market, user or time`,
    );
  }
}

export interface FillFilter {
  readonly takersOnly: boolean;
  readonly side: 'BUY' | 'SELL' | undefined;
  /** What `least` counts. */
  readonly unit: 'lots' | 'micros';
  /** 0 for any. */
  readonly least: number;
}

/** What all streams of one search have in common. */
export interface FillSearch {
  readonly filter: FillFilter;
  /** Rows between these two, both excluded. */
  readonly afterRow: number;
  readonly beforeRow: number;
  readonly isAscending: boolean;
  /** Rows of a first step that are surely wanted, if there are so many. */
  readonly firstRows: number;
}

/** Steps of rows, in order. */
export type FillStream = Generator<readonly number[], void>;

/** Whether rows of a scope are told apart by a filter. */
function isSelective(scope: PeakScope, { takersOnly, side, least }: FillFilter): boolean {
  return side !== undefined || least > 0 || (takersOnly && scope === 'account');
}

/** All rows of a scope that pass the filter, and are of these markets if any are given. */
export function fillsOf(
  reads: AnalyticsReads,
  search: FillSearch & { readonly budget: RowBudget },
  name: FillsName,
): FillStream {
  const isGuided = isSelective(name.scope, search.filter) || name.marketKeys !== undefined;
  return isGuided ? peakedRows(reads, search, name) : plainRows(reads, search, name);
}

export interface FillsName {
  readonly scope: PeakScope;
  /** Of the market or account; 0 for all. */
  readonly nameKey: number;
  readonly marketKeys?: readonly number[];
}

function inOrder(isAscending: boolean): string {
  return isAscending ? '' : ' DESC';
}

/** SQL of the rows that come next of a scope, whatever they are; @limit of them. */
export function plainSql(scope: PeakScope, takersOnly: boolean, isAscending: boolean): string {
  const order = inOrder(isAscending);
  if (takersOnly) {
    const market = scope === 'market' ? 't.market_key = @nameKey AND ' : '';
    const index = scope === 'market' ? ' INDEXED BY trades_by_market' : '';
    return (
      `SELECT t.trade_key * ${PLACES} AS row FROM trades AS t${index} WHERE ${market}` +
      't.trade_key > @afterKey AND t.trade_key < @beforeKey ' +
      `ORDER BY t.trade_key${order} LIMIT @limit`
    );
  }
  const { from, where } = PEAK_SOURCES[scope];
  const key = orderedKey(scope);
  return (
    `SELECT ${ROW} AS row FROM ${from} WHERE ${where} ` +
    `AND ${key} BETWEEN @firstKey AND @lastKey AND ${ROW} > @afterRow AND ${ROW} < @beforeRow ` +
    `ORDER BY ${key}${order}, p.ordinal${order} LIMIT @limit`
  );
}

type Values = Readonly<Record<string, unknown>>;

/** A statement that selects rows alone. */
function rowsOf(reads: AnalyticsReads, sql: string): Statement<[Values], number> {
  return reads.statement<[Values], number>(sql).pluck();
}

function* plainRows(
  reads: AnalyticsReads,
  { filter: { takersOnly }, isAscending, ...search }: FillSearch & { readonly budget: RowBudget },
  { scope, nameKey }: FillsName,
): FillStream {
  const statement = rowsOf(reads, plainSql(scope, takersOnly, isAscending));
  let { afterRow, beforeRow, firstRows: limit } = search;
  while (true) {
    const values = { nameKey, ...boundsOf(afterRow, beforeRow), limit };
    const rows = statement.all(values);
    search.budget.spend(rows.length);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    const last = rows.at(-1) ?? 0;
    if (isAscending) afterRow = last;
    else beforeRow = last;
    limit = STEP_ROWS;
  }
}

const STEP_ROWS = 256;

/** Rows between two, as parameters: also the keys of their trades, by which they are found. */
function boundsOf(afterRow: number, beforeRow: number) {
  return {
    afterRow,
    beforeRow,
    firstKey: tradeKeyOf(afterRow),
    lastKey: tradeKeyOf(beforeRow - 1),
    // Takers' rows are the first of their trades.
    afterKey: tradeKeyOf(afterRow),
    beforeKey: tradeKeyOf(beforeRow + PLACES - 1),
  };
}

/** The conditions of a filter on `p`. */
function conditionsOf({ takersOnly, side, unit, least }: FillFilter): string {
  return (
    (takersOnly ? ' AND p.ordinal = 0' : '') +
    (side === undefined ? '' : ' AND p.side = @side') +
    (least === 0 ? '' : ` AND p.lots${unit === 'lots' ? '' : ' * p.price_ticks'} >= @least`)
  );
}

/** SQL of the rows of a run that pass. */
export function runRowsSql(
  { scope, marketKeys }: Pick<FillsName, 'scope' | 'marketKeys'>,
  filter: FillFilter,
  isAscending: boolean,
): string {
  const { from, where } = PEAK_SOURCES[scope];
  const key = orderedKey(scope);
  const order = inOrder(isAscending);
  const ofMarkets =
    marketKeys === undefined
      ? ''
      : ' AND p.market_key IN (SELECT value FROM json_each(@marketKeys))';
  return (
    `SELECT ${ROW} AS row FROM ${from} WHERE ${where} ` +
    `AND ${key} BETWEEN @firstKey AND @lastKey AND ${ROW} > @afterRow AND ${ROW} < @beforeRow` +
    `${conditionsOf(filter)}${ofMarkets} ORDER BY ${key}${order}, p.ordinal${order}`
  );
}

/** SQL of the runs of one level that have a row that passes. */
export function runsSql({ takersOnly, side, unit }: FillFilter, isAscending: boolean): string {
  const ofSide = (name: string) => `${name}_${takersOnly ? 'taker' : 'any'}_${unit}`;
  const peak =
    side === undefined ? `max(${ofSide('buy')}, ${ofSide('sell')})` : ofSide(side.toLowerCase());
  return (
    'SELECT first_key AS firstKey, last_key AS lastKey FROM fill_peaks ' +
    'WHERE scope = @scope AND name_key = @nameKey AND level = @level ' +
    `AND first_key >= @firstKey AND first_key <= @lastKey AND ${peak} >= @least ` +
    `ORDER BY first_key${inOrder(isAscending)} LIMIT @limit`
  );
}

/** SQL of the run or group in which a key is, or of the last one before it. */
export const RUN_AT_SQL =
  'SELECT first_key AS firstKey, last_key AS lastKey FROM fill_peaks ' +
  'WHERE scope = @scope AND name_key = @nameKey AND level = @level AND first_key <= @key ' +
  'ORDER BY first_key DESC LIMIT 1';

interface Run {
  readonly firstKey: number;
  readonly lastKey: number;
}

function* peakedRows(
  reads: AnalyticsReads,
  search: FillSearch & { readonly budget: RowBudget },
  name: FillsName,
): FillStream {
  const { filter, isAscending, budget, afterRow, beforeRow } = search;
  const bounds = boundsOf(afterRow, beforeRow);
  const statement = rowsOf(reads, runRowsSql(name, filter, isAscending));
  const { side, least } = filter;
  const values = {
    nameKey: name.nameKey,
    afterRow,
    beforeRow,
    ...(side === undefined ? {} : { side }),
    ...(least === 0 ? {} : { least }),
    ...(name.marketKeys === undefined ? {} : { marketKeys: JSON.stringify(name.marketKeys) }),
  };
  for (const run of runsOf(reads, search, name)) {
    const firstKey = Math.max(run.firstKey, bounds.firstKey);
    const lastKey = Math.min(run.lastKey, bounds.lastKey);
    if (firstKey > lastKey) continue;
    budget.spend(RUN_ROWS);
    const rows = statement.all({ ...values, firstKey, lastKey });
    if (rows.length > 0) yield rows;
  }
}

const GROUPS_A_STEP = 8;
const RUNS_AND_GROUPS = { runs: 1, groups: 2 } as const;

/** Runs of trade keys that may have rows that pass, and together have all of them; in order. */
function* runsOf(
  reads: AnalyticsReads,
  { filter, isAscending, afterRow, beforeRow, budget }: FillSearch & { budget: RowBudget },
  { scope, nameKey }: FillsName,
): Generator<Run, void> {
  const named = { scope: PEAK_SCOPES[scope], nameKey };
  const { firstKey: lowKey, lastKey: highKey } = boundsOf(afterRow, beforeRow);
  const runAt = reads.statement<[Values], Run>(RUN_AT_SQL);
  const at = (level: number, key: number) => runAt.get({ ...named, level, key });
  const runs = reads.statement<[Values], Run>(runsSql(filter, isAscending));
  const select = (level: number, { firstKey, lastKey }: Run, limit: number): Run[] => {
    const least = Math.max(filter.least, 1);
    return runs.all({ ...named, level, firstKey, lastKey, least, limit });
  };
  // Runs after the last group, and rows after the last run.
  const groupedKey = at(RUNS_AND_GROUPS.groups, NO_ROW)?.lastKey ?? 0;
  const coveredKey = at(RUNS_AND_GROUPS.runs, NO_ROW)?.lastKey ?? 0;
  const from = at(RUNS_AND_GROUPS.runs, lowKey)?.firstKey ?? 0;
  const inRuns = function* ({ firstKey, lastKey }: Run): Generator<Run, void> {
    const within = { firstKey: Math.max(firstKey, from), lastKey: Math.min(lastKey, highKey) };
    if (within.firstKey <= within.lastKey) yield* select(RUNS_AND_GROUPS.runs, within, NO_ROW);
  };
  const inGroups = function* (): Generator<Run, void> {
    let firstKey = at(RUNS_AND_GROUPS.groups, lowKey)?.firstKey ?? 0;
    let lastKey = Math.min(groupedKey, highKey);
    while (firstKey <= lastKey) {
      budget.spend(GROUPS_A_STEP);
      const groups = select(RUNS_AND_GROUPS.groups, { firstKey, lastKey }, GROUPS_A_STEP);
      for (const group of groups) yield* inRuns(group);
      const last = groups.at(-1);
      if (last === undefined || groups.length < GROUPS_A_STEP) return;
      if (isAscending) firstKey = last.lastKey + 1;
      else lastKey = last.firstKey - 1;
    }
  };
  const newest = { firstKey: coveredKey + 1, lastKey: NO_ROW };
  const ungrouped = { firstKey: groupedKey + 1, lastKey: coveredKey };
  if (isAscending) {
    yield* inGroups();
    yield* inRuns(ungrouped);
    yield newest;
  } else {
    yield newest;
    yield* inRuns(ungrouped);
    yield* inGroups();
  }
}

/** SQL of an account's next rows in a market, as negative numbers where they do not pass. */
export function accountInMarketSql(filter: FillFilter, isAscending: boolean): string {
  const order = inOrder(isAscending);
  return (
    `SELECT iif(TRUE${conditionsOf(filter)}, 1, -1) * (${ROW}) AS row FROM trade_parties AS p ` +
    'INDEXED BY parties_by_account_market ' +
    'WHERE p.account_key = @accountKey AND p.market_key = @marketKey ' +
    'AND p.trade_key BETWEEN @firstKey AND @lastKey ' +
    `AND ${ROW} > @afterRow AND ${ROW} < @beforeRow ` +
    `ORDER BY p.trade_key${order}, p.ordinal${order} LIMIT @limit`
  );
}

/** The same of an account's rows in one market, for which no peaks are kept. */
export function* fillsOfAccountIn(
  reads: AnalyticsReads,
  search: FillSearch & { readonly budget: RowBudget },
  { accountKey, marketKey }: { readonly accountKey: number; readonly marketKey: number },
): FillStream {
  const { filter, isAscending, budget } = search;
  const { side, least } = filter;
  const statement = rowsOf(reads, accountInMarketSql(filter, isAscending));
  const given = { ...(side === undefined ? {} : { side }), ...(least === 0 ? {} : { least }) };
  let { afterRow, beforeRow, firstRows: limit } = search;
  while (true) {
    const { firstKey, lastKey } = boundsOf(afterRow, beforeRow);
    const bounds = { afterRow, beforeRow, firstKey, lastKey };
    const rows = statement.all({ accountKey, marketKey, ...given, ...bounds, limit });
    budget.spend(rows.length);
    const passing = rows.filter((row) => row > 0);
    if (passing.length > 0) yield passing;
    if (rows.length < limit) return;
    const last = Math.abs(rows.at(-1) ?? 0);
    if (isAscending) afterRow = last;
    else beforeRow = last;
    limit = STEP_ROWS;
  }
}

interface Head {
  readonly stream: FillStream;
  rows: readonly number[];
  place: number;
}

function advance(head: Head): boolean {
  head.place += 1;
  if (head.place < head.rows.length) return true;
  const step = head.stream.next();
  if (step.done === true) return false;
  head.rows = step.value;
  head.place = 0;
  return true;
}

/** The rows of several streams in order: those of one page. */
export function pageOf(
  streams: readonly FillStream[],
  { offset, limit, isAscending }: { offset: number; limit: number; isAscending: boolean },
): number[] {
  const heads = streams
    .map((stream): Head => ({ stream, rows: [], place: 0 }))
    .filter((head) => advance(head));
  const page: number[] = [];
  const headOf = ({ rows, place }: Head): number => rows[place] ?? 0;
  for (let count = 0; count < offset + limit; count += 1) {
    let [next] = heads;
    if (next === undefined) break;
    for (const head of heads) {
      const isNext = isAscending ? headOf(head) < headOf(next) : headOf(head) > headOf(next);
      if (isNext) next = head;
    }
    if (count >= offset) page.push(headOf(next));
    if (!advance(next)) heads.splice(heads.indexOf(next), 1);
  }
  return page;
}
