/**
 * Reads what was traded in markets and how their midpoints moved. Invariant: a step of a history
 * has the price at the end of the step, whatever the window; a step that the window cuts is
 * included as a whole. Bounds: STORE_BOUNDS.listedIds markets of volumes; STORE_BOUNDS.historySteps
 * of a history, each of which costs one look-up or a few rows.
 */
import { strict as assert } from 'node:assert';
import { HOUR_MS, MINUTE_MS, ONE_TICKS } from '../../../engine/model/index.ts';
import {
  addWide,
  type MarketVolume,
  type PriceHistory,
  STORE_BOUNDS,
  wideSum,
} from '../../shared/index.ts';
import type { ReadTables } from '../tables/read-tables.ts';
import type { PriceHistoriesQuery, PriceHistoryQuery, VolumesQuery } from './queries.ts';

/** Up to this step, reading every point is faster than looking up the last one of each step. */
const SCANNED_MINUTES = 5;
/** No market has this key. */
const NO_TOKEN = { marketKey: 0, outcome: 0 };

/** Each is a look-up or a range of a key; a test checks the query plans. */
export const MARKET_SQL = {
  // `before` is the volume before the first hour from @hour on with a trade; NULL for no such hour.
  volume:
    'SELECT condition_id AS conditionId, total.micros AS total, ' +
    '(SELECT micros_before FROM market_hours AS h WHERE h.market_key = markets.market_key ' +
    'AND h.hour >= @hour ORDER BY h.hour LIMIT 1) AS before FROM markets ' +
    'LEFT JOIN market_volumes AS total ON total.market_key = markets.market_key ' +
    'WHERE condition_id = @conditionId',
  firstPoint: 'SELECT min(minute) FROM price_points WHERE market_key = @marketKey',
  pointsBetween:
    'SELECT minute, half_ticks AS halfTicks FROM price_points ' +
    'WHERE market_key = ? AND minute >= ? AND minute <= ? ORDER BY minute DESC',
  pointUntil:
    'SELECT minute, half_ticks AS halfTicks FROM price_points ' +
    'WHERE market_key = ? AND minute <= ? ORDER BY minute DESC LIMIT 1',
} as const;

interface VolumeRow {
  readonly conditionId: string;
  readonly total: string | null;
  readonly before: string | null;
}

interface VolumeKey {
  readonly conditionId: string;
  readonly hour: number;
}

interface PointRow {
  readonly minute: number;
  /** The price of YES. */
  readonly halfTicks: number;
}

/** Steps are numbered from the epoch. */
interface Steps {
  readonly first: number;
  readonly last: number;
  readonly minutesPerStep: number;
}

export function volumesOf(
  tables: ReadTables,
  { conditionIds, sinceMs }: VolumesQuery,
): MarketVolume[] {
  assert(conditionIds.length <= STORE_BOUNDS.listedIds, 'routes limit the length of lists');
  // Volume is kept by the hour: count from the first full hour, so that nothing older is counted.
  const hour = sinceMs === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(sinceMs / HOUR_MS);
  const select = tables.statement<[VolumeKey], VolumeRow>(MARKET_SQL.volume);
  return conditionIds.flatMap((conditionId) => {
    const row = select.get({ conditionId, hour });
    if (row === undefined) return [];
    const { total, before } = row;
    const totalMicros = total === null ? 0 : wideSum(total);
    const recentMicros = before === null ? 0 : addWide(totalMicros, -wideSum(before));
    return [{ conditionId: row.conditionId, totalMicros, recentMicros }];
  });
}

/** One for each token. A history with more steps than are left of the limit is only counted. */
export function priceHistoriesOf(
  tables: ReadTables,
  { tokenIds, limit, ...window }: PriceHistoriesQuery,
): PriceHistory[] {
  assert(limit >= 1 && limit <= STORE_BOUNDS.historySteps, 'routes limit the steps of histories');
  let left = limit;
  return tokenIds.map((tokenId) => {
    const history = priceHistoryOf(tables, { tokenId, ...window, limit: left });
    left -= history.halfTicks.length;
    return history;
  });
}

function priceHistoryOf(
  tables: ReadTables,
  { tokenId, startMs, endMs, stepMs, limit }: PriceHistoryQuery,
): PriceHistory {
  const minutesPerStep = stepMs / MINUTE_MS;
  assert(Number.isInteger(minutesPerStep) && minutesPerStep > 0, 'a step is whole minutes');
  const { marketKey, outcome } = tables.token(tokenId) ?? NO_TOKEN;
  const [firstMinute] = tables.column<number | null>(MARKET_SQL.firstPoint, { marketKey });
  const last = Math.floor(endMs / stepMs);
  const empty = { startMs: last * stepMs, stepMs, halfTicks: new Uint16Array(), stepCount: 0 };
  if (firstMinute === null || firstMinute === undefined) return empty;
  const first = Math.max(Math.floor(startMs / stepMs), Math.floor(firstMinute / minutesPerStep));
  if (last < first) return empty;
  const stepCount = last - first + 1;
  if (stepCount > limit) return { ...empty, stepCount };
  const halfTicks = new Uint16Array(stepCount);
  let filled = stepCount;
  // Newest first. A step without its own point gets the value of the last point before it.
  for (const point of pointsBack(tables, marketKey, { first, last, minutesPerStep })) {
    const index = Math.max(0, Math.floor(point.minute / minutesPerStep) - first);
    const value = outcome === 0 ? point.halfTicks : 2 * ONE_TICKS - point.halfTicks;
    if (index < filled) halfTicks.fill(value, index, filled);
    filled = Math.min(filled, index);
  }
  assert(filled === 0, 'no step lies before the first point');
  return { startMs: first * stepMs, stepMs, halfTicks, stepCount };
}

/** At least the last point of each step, newest first, and the one before the first step. */
function* pointsBack(tables: ReadTables, marketKey: number, steps: Steps): Generator<PointRow> {
  const { first, last, minutesPerStep } = steps;
  const firstMinute = first * minutesPerStep;
  const lastMinute = (last + 1) * minutesPerStep - 1;
  let until = lastMinute;
  if (minutesPerStep <= SCANNED_MINUTES) {
    yield* tables
      .statement<[number, number, number], PointRow>(MARKET_SQL.pointsBetween)
      .all(marketKey, firstMinute, lastMinute);
    until = firstMinute;
  }
  const pointUntil = tables.statement<[number, number], PointRow>(MARKET_SQL.pointUntil);
  while (until >= firstMinute) {
    const point = pointUntil.get(marketKey, until);
    if (point === undefined) return;
    yield point;
    until = point.minute - (point.minute % minutesPerStep) - 1;
  }
}
