/**
 * Price histories: the window and step of a request, and its points (wire 6.4).
 *
 * Invariant: a point's time is the start of its step, a multiple of the step since the epoch, so
 * that steps of 720 minutes begin at 00:00 and 12:00 UTC. Its price is the midpoint at the end of
 * the step, also where the window cuts the step. Older prices are kept in longer steps only
 * (STORE_BOUNDS.pricePointAges), so a finer history of them is exact only where such a step ends.
 * Bound: `READ_BOUNDS.historyStepMinutes`, and `READ_BOUNDS.pointsPerReply` by the routes.
 */

import { Type } from 'typebox';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../engine/model/index.ts';
import type { PriceHistory } from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/read-bounds.ts';
import { type Dialect, halfTicksText } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { timeFilter } from '../parameters/index.ts';

const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 31 * DAY_MS;

const ALL_MS = Number.POSITIVE_INFINITY;

const INTERVALS_MS = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': DAY_MS,
  '1w': WEEK_MS,
  max: ALL_MS,
  all: ALL_MS,
} as const;

export const Interval = Type.Enum(['1m', '5m', '15m', '1h', '6h', '1d', '1w', 'max', 'all'], {
  description:
    'Length of the window before its end, if there is no start; by default the whole history. ' +
    '`1m` is a month in the dialect polymarket and a minute in the dialect kuest',
});

export const Fidelity = Type.Integer({
  minimum: 1,
  maximum: READ_BOUNDS.historyStepMinutes,
  description:
    'Minutes between points; by default 1, 5, 30, 180 or 720, by the length of the window',
});

const Point = Type.Object({
  t: Type.Integer({ description: 'Start of the step, in seconds since the epoch' }),
  p: Type.Number({ description: 'Midpoint, from 0 to 1' }),
});
export const Points = Type.Array(Point, {
  description: 'Oldest first, without gaps from the first known price on',
});

/** The parameters of a request. Times are texts of seconds, or of milliseconds from 10^11 on. */
export interface HistoryTerms {
  readonly interval?: Type.Static<typeof Interval> | undefined;
  readonly fidelity?: number | undefined;
  readonly startTs?: string | undefined;
  readonly endTs?: string | undefined;
}

export interface HistoryWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
}

/** The step for the length of a window (wire 6.4). */
function automaticMinutes(lengthMs: number): number {
  if (lengthMs <= 6 * HOUR_MS) return 1;
  if (lengthMs <= DAY_MS) return 5;
  if (lengthMs <= WEEK_MS) return 30;
  return lengthMs <= MONTH_MS ? 180 : 720;
}

/**
 * The window of a request. Its times override its interval, and it ends now at the latest. Throws
 * `invalid_parameter` for a start after the end, and for a malformed time.
 */
export function historyWindow(
  { interval = 'max', fidelity, startTs, endTs }: HistoryTerms,
  nowMs: number,
  dialect: Dialect,
): HistoryWindow {
  const start = timeFilter(startTs, 'startTs');
  const end = timeFilter(endTs, 'endTs');
  if (start !== undefined && start > (end ?? nowMs)) {
    const limit = end === undefined ? 'not after now' : 'not after endTs';
    throw new ApiError('invalid_parameter', { field: 'startTs', limit, actual: startTs });
  }
  const endMs = Math.min(end ?? nowMs, nowMs);
  const isMonth = interval === '1m' && dialect === 'polymarket';
  const lengthMs = isMonth ? MONTH_MS : INTERVALS_MS[interval];
  const startMs = Math.max(0, start ?? endMs - lengthMs);
  const minutes = fidelity ?? automaticMinutes(endMs - startMs);
  return { startMs, endMs, stepMs: minutes * MINUTE_MS };
}

export function refuseTooMany(pointCount: number): void {
  const limit = READ_BOUNDS.pointsPerReply;
  if (pointCount <= limit) return;
  const reason = 'the points of all histories together; a larger fidelity makes fewer';
  throw new ApiError('too_many_items', { field: 'fidelity', reason, limit, actual: pointCount });
}

/** The JSON of the points, in ASCII. The decimal text of a midpoint is a JSON number. */
export function pointsText({ startMs, stepMs, halfTicks }: PriceHistory): string {
  const [first, step] = [startMs / 1_000, stepMs / 1_000];
  let [price, tail] = [-1, ''];
  const points = Array.from(halfTicks, (next, index) => {
    // Most steps have the price of the step before them.
    if (next !== price) [price, tail] = [next, `,"p":${halfTicksText(next)}}`];
    return `{"t":${first + index * step}${tail}`;
  });
  return `[${points.join(',')}]`;
}
