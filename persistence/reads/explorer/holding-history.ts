/**
 * The cash of an account and the value of its tokens over time. A token is worth what it pays once
 * its market is resolved, before that the last known price of its market, as in price histories,
 * and 0.5 before the first price. Invariant: a step has the amounts and prices at its end. Bounds:
 * STORE_BOUNDS.historySteps steps; STORE_BOUNDS.holdingLookups look-ups of points, more is
 * `search_too_wide`.
 */
import { strict as assert } from 'node:assert';
import { MINUTE_MS, ONE_TICKS } from '../../../engine/model/index.ts';
import { CASH, STORE_BOUNDS, StoreError } from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';

export interface HoldingHistoryQuery {
  /** In lower case. */
  readonly account: string;
  /** The first and the last step of the window contain these times. */
  readonly startMs: number;
  readonly endMs: number;
  /** A whole number of minutes. */
  readonly stepMs: number;
  /** The most steps of the answer: 1 to STORE_BOUNDS.historySteps. */
  readonly limit: number;
}

export interface HoldingHistory {
  /** The start of the first step: a multiple of `stepMs` since the epoch. */
  readonly startMs: number;
  readonly stepMs: number;
  /** Available and held, at the end of each step. Both are empty if there are too many steps. */
  readonly cashMicros: readonly number[];
  /** The value of all tokens, in half micros. */
  readonly valueHalfMicros: readonly bigint[];
  readonly stepCount: number;
}

export const HOLDING_SQL = {
  firstPoint:
    'SELECT min(minute) FROM holding_points WHERE account_key = @accountKey AND asset = @asset',
  // Each asset is one seek in the key, however many points it has.
  assets:
    'WITH RECURSIVE found (asset) AS (' +
    'SELECT min(asset) FROM holding_points WHERE account_key = @accountKey UNION ALL ' +
    'SELECT (SELECT min(asset) FROM holding_points WHERE account_key = @accountKey ' +
    'AND asset > found.asset) FROM found WHERE found.asset IS NOT NULL) ' +
    'SELECT asset FROM found WHERE asset IS NOT NULL LIMIT @limit',
  pointUntil:
    'SELECT minute, amount AS value FROM holding_points ' +
    'WHERE account_key = @accountKey AND asset = @asset AND minute <= @minute ' +
    'ORDER BY minute DESC LIMIT 1',
  priceUntil:
    'SELECT minute, half_ticks AS value FROM price_points ' +
    'WHERE market_key = @marketKey AND minute <= @minute ORDER BY minute DESC LIMIT 1',
  payout:
    'SELECT payout_ticks AS payoutTicks, resolved_ms AS resolvedMs FROM market_states ' +
    'WHERE market_key = ?',
} as const;

interface Point {
  readonly minute: number;
  readonly value: number;
}

/** Steps are numbered from the epoch. */
interface Steps {
  readonly first: number;
  readonly count: number;
  readonly minutesPerStep: number;
}

export function exploreHoldings(
  tables: ReadTables,
  { account, startMs, endMs, stepMs, limit }: HoldingHistoryQuery,
): HoldingHistory {
  const minutesPerStep = stepMs / MINUTE_MS;
  assert(Number.isInteger(minutesPerStep) && minutesPerStep > 0, 'a step is whole minutes');
  assert(limit >= 1 && limit <= STORE_BOUNDS.historySteps, 'routes limit the steps of histories');
  const accountKey = tables.key('account', account) ?? NO_ACCOUNT;
  const last = Math.floor(endMs / stepMs);
  const lookups = new Lookups(tables);
  const assets = lookups.assets(accountKey);
  const firstMinutes = assets.flatMap((asset) => lookups.firstMinute(accountKey, asset));
  const firstKnown = Math.floor(Math.min(...firstMinutes) / minutesPerStep);
  const first = Math.max(Math.floor(startMs / stepMs), firstKnown);
  const stepCount = last < first || assets.length === 0 ? 0 : last - first + 1;
  const isEmpty = stepCount === 0 || stepCount > limit;
  const empty = { startMs: last * stepMs, stepMs, cashMicros: [], valueHalfMicros: [], stepCount };
  if (isEmpty) return empty;
  const steps = { first, count: stepCount, minutesPerStep };
  const valueHalfMicros = new Array<bigint>(stepCount).fill(0n);
  let cashMicros = new Array<number>(stepCount).fill(0);
  const prices = new Map<number, readonly number[]>();
  for (const asset of assets) {
    const amounts = lookups.amounts(accountKey, asset, steps);
    if (asset === CASH) cashMicros = amounts;
    else if (amounts.some((amount) => amount !== 0)) {
      const marketKey = Math.floor(asset / 2);
      const yes = prices.get(marketKey) ?? lookups.prices(marketKey, steps);
      prices.set(marketKey, yes);
      addValues(valueHalfMicros, amounts, asset % 2 === 0 ? yes : yes.map(complementOf));
    }
  }
  return { startMs: first * stepMs, stepMs, cashMicros, valueHalfMicros, stepCount };
}

/** No account has this key. */
const NO_ACCOUNT = 0;
const HALF = ONE_TICKS;

function complementOf(halfTicks: number): number {
  return 2 * ONE_TICKS - halfTicks;
}

function addValues(sums: bigint[], amounts: readonly number[], prices: readonly number[]): void {
  for (const [step, lots] of amounts.entries()) {
    if (lots !== 0) sums[step] = (sums[step] ?? 0n) + BigInt(lots) * BigInt(prices[step] ?? HALF);
  }
}

class Lookups {
  readonly #tables: ReadTables;
  #left: number = STORE_BOUNDS.holdingLookups;

  constructor(tables: ReadTables) {
    this.#tables = tables;
  }

  /** In order of their numbers: cash is the first. */
  assets(accountKey: number): number[] {
    const limit = this.#left + 1;
    const assets = this.#tables.column<number>(HOLDING_SQL.assets, { accountKey, limit });
    this.#take(assets.length);
    return assets;
  }

  firstMinute(accountKey: number, asset: number): number {
    this.#take(1);
    const [minute] = this.#tables.column<number>(HOLDING_SQL.firstPoint, { accountKey, asset });
    assert(minute !== undefined, 'a listed asset has a point');
    return minute;
  }

  /** The amount at the end of each step; 0 before the first point. */
  amounts(accountKey: number, asset: number, steps: Steps): number[] {
    const select = this.#tables.statement<[object], Point>(HOLDING_SQL.pointUntil);
    return this.#series(steps, 0, (minute) => select.get({ accountKey, asset, minute }));
  }

  /** The price of YES in half ticks at the end of each step. */
  prices(marketKey: number, steps: Steps): number[] {
    const select = this.#tables.statement<[object], Point>(HOLDING_SQL.priceUntil);
    const prices = this.#series(steps, HALF, (minute) => select.get({ marketKey, minute }));
    this.#take(1);
    type Payout = { readonly payoutTicks: number | null; readonly resolvedMs: number | null };
    const state = this.#tables.statement<[number], Payout>(HOLDING_SQL.payout).get(marketKey);
    const { payoutTicks = null, resolvedMs = null } = state ?? {};
    if (payoutTicks === null || resolvedMs === null) return prices;
    const resolved = Math.floor(resolvedMs / MINUTE_MS / steps.minutesPerStep) - steps.first;
    return prices.fill(2 * payoutTicks, Math.max(0, resolved));
  }

  /** From the last step back: a point is the value of all steps from its own to the next one's. */
  #series(
    { first, count, minutesPerStep }: Steps,
    before: number,
    pointUntil: (minute: number) => Point | undefined,
  ): number[] {
    const values = new Array<number>(count).fill(before);
    for (let step = count - 1; step >= 0; ) {
      this.#take(1);
      const point = pointUntil((first + step + 1) * minutesPerStep - 1);
      if (point === undefined) break;
      const from = Math.max(0, Math.floor(point.minute / minutesPerStep) - first);
      values.fill(point.value, from, step + 1);
      step = from - 1;
    }
    return values;
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) {
      throw new StoreError('search_too_wide', 'a shorter interval, or a larger fidelity');
    }
  }
}
