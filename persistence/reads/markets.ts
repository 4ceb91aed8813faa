/**
 * The questions about markets as a whole: what was traded, and how the midpoint went. Owned by the
 * reader's thread; each call must run inside one read transaction. A name that nothing is known of
 * has no history and is left out of the volumes. Invariant: a step has the same price in whatever
 * window it is asked for, that of its end; those at the window's ends are told whole. Bounds:
 * STORE_BOUNDS.listedIds markets of volumes; STORE_BOUNDS.historySteps of a history, each of which
 * costs one look-up or a few rows.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { ONE_TICKS } from '../../engine/model/index.ts';
import { HOUR_MS } from '../projection/index.ts';
import type { MarketVolume, PriceHistory } from '../shared/index.ts';
import { STORE_BOUNDS } from '../shared/index.ts';
import type { PriceHistoryQuery, VolumesQuery } from './reader.ts';

const MINUTE_MS = 60_000;

/** Each is a look-up or a range of a key; a test reads the plans. */
export const MARKET_SQL = {
  volume:
    'SELECT condition_id AS conditionId, ifnull(total.micros, 0) AS totalMicros, ' +
    'ifnull(total.lots, 0) AS totalLots, markets.market_key AS marketKey FROM markets ' +
    'LEFT JOIN market_volumes AS total ON total.market_key = markets.market_key ' +
    'WHERE condition_id = ?',
  recent:
    'SELECT ifnull(sum(micros), 0) AS recentMicros, ifnull(sum(lots), 0) AS recentLots ' +
    'FROM market_hours WHERE market_key = ? AND hour >= ?',
  yes: 'SELECT market_key AS marketKey, 0 AS outcome FROM markets WHERE yes_token = ?',
  no: 'SELECT market_key AS marketKey, 1 AS outcome FROM markets WHERE no_token = ?',
  firstPoint: 'SELECT min(minute) FROM price_points WHERE market_key = ?',
  pointsBetween:
    'SELECT minute, half_ticks AS halfTicks FROM price_points ' +
    'WHERE market_key = ? AND minute >= ? AND minute <= ? ORDER BY minute DESC',
  pointUntil:
    'SELECT minute, half_ticks AS halfTicks FROM price_points ' +
    'WHERE market_key = ? AND minute <= ? ORDER BY minute DESC LIMIT 1',
} as const;

type VolumeRow = Pick<MarketVolume, 'conditionId' | 'totalMicros' | 'totalLots'> & {
  readonly marketKey: number;
};

interface TokenRow {
  readonly marketKey: number;
  readonly outcome: number;
}

interface PointRow {
  readonly minute: number;
  /** Of YES. */
  readonly halfTicks: number;
}

/** Steps are named by their number since the epoch. */
interface Steps {
  readonly first: number;
  readonly last: number;
  readonly minutesPerStep: number;
}

export class MarketQueries {
  readonly #volume: Statement<[string], VolumeRow>;
  readonly #recent: Statement<[number, number], Pick<MarketVolume, 'recentMicros' | 'recentLots'>>;
  readonly #yes: Statement<[string], TokenRow>;
  readonly #no: Statement<[string], TokenRow>;
  readonly #firstPoint: Statement<[number], number | null>;
  readonly #pointsBetween: Statement<[number, number, number], PointRow>;
  readonly #pointUntil: Statement<[number, number], PointRow>;

  constructor(database: Database) {
    this.#volume = database.prepare(MARKET_SQL.volume);
    this.#recent = database.prepare(MARKET_SQL.recent);
    this.#yes = database.prepare(MARKET_SQL.yes);
    this.#no = database.prepare(MARKET_SQL.no);
    this.#firstPoint = database.prepare<[number], number | null>(MARKET_SQL.firstPoint).pluck();
    this.#pointsBetween = database.prepare(MARKET_SQL.pointsBetween);
    this.#pointUntil = database.prepare(MARKET_SQL.pointUntil);
  }

  volumes({ conditionIds, sinceMs }: VolumesQuery): MarketVolume[] {
    assert(conditionIds.length <= STORE_BOUNDS.listedIds, 'routes bound their lists');
    // A moment inside an hour counts from the next one: what is older than it is never counted.
    const hour = sinceMs === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(sinceMs / HOUR_MS);
    return conditionIds.flatMap((conditionId) => {
      const row = this.#volume.get(conditionId);
      if (row === undefined) return [];
      const { marketKey, ...total } = row;
      const recent = this.#recent.get(marketKey, hour);
      assert(recent !== undefined, 'a sum is one row');
      return [{ ...total, ...recent }];
    });
  }

  priceHistory({ tokenId, startMs, endMs, stepMs, limit }: PriceHistoryQuery): PriceHistory {
    const minutesPerStep = stepMs / MINUTE_MS;
    assert(Number.isInteger(minutesPerStep) && minutesPerStep > 0, 'a step is whole minutes');
    assert(limit >= 1 && limit <= STORE_BOUNDS.historySteps, 'routes bound their histories');
    const token = this.#yes.get(tokenId) ?? this.#no.get(tokenId);
    const firstMinute = token === undefined ? null : this.#firstPoint.get(token.marketKey);
    const last = Math.floor(endMs / stepMs);
    const none = new Uint16Array();
    const empty = { startMs: last * stepMs, stepMs, halfTicks: none, stepCount: 0 };
    if (token === undefined || firstMinute === null || firstMinute === undefined) return empty;
    const first = Math.max(Math.floor(startMs / stepMs), Math.floor(firstMinute / minutesPerStep));
    if (last < first) return empty;
    const stepCount = last - first + 1;
    if (stepCount > limit) return { ...empty, stepCount };
    const halfTicks = this.#fill(token, { first, last, minutesPerStep });
    return { startMs: first * stepMs, stepMs, halfTicks, stepCount };
  }

  /** Goes by the points, newest first: what a step has none of is filled from an older one. */
  #fill({ marketKey, outcome }: TokenRow, steps: Steps): Uint16Array {
    const { first, last, minutesPerStep } = steps;
    const halfTicks = new Uint16Array(last - first + 1);
    let filled = halfTicks.length;
    for (const point of this.#pointsBack(marketKey, steps)) {
      const index = Math.max(0, Math.floor(point.minute / minutesPerStep) - first);
      const value = outcome === 0 ? point.halfTicks : 2 * ONE_TICKS - point.halfTicks;
      if (index < filled) halfTicks.fill(value, index, filled);
      filled = Math.min(filled, index);
    }
    assert(filled === 0, 'no step lies before the first point');
    return halfTicks;
  }

  /** At least the last point of each step, newest first, and the one that the first step needs. */
  *#pointsBack(marketKey: number, steps: Steps): Generator<PointRow> {
    const { first, last, minutesPerStep } = steps;
    const firstMinute = first * minutesPerStep;
    const lastMinute = (last + 1) * minutesPerStep - 1;
    let until = lastMinute;
    if (minutesPerStep <= SCANNED_MINUTES) {
      yield* this.#pointsBetween.iterate(marketKey, firstMinute, lastMinute);
      until = firstMinute;
    }
    while (until >= firstMinute) {
      const point = this.#pointUntil.get(marketKey, until);
      if (point === undefined) return;
      yield point;
      until = point.minute - (point.minute % minutesPerStep) - 1;
    }
  }
}

/** Steps so short that reading every point is faster than looking for the last one of each. */
const SCANNED_MINUTES = 5;
