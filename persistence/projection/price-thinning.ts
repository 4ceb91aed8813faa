/**
 * Which price points are removed because of their age. Age counts from the market's own newest
 * point, never from a clock, and by whole steps, so the points that stay do not depend on the steps
 * of the projection.
 *
 * Invariant: each step length divides the next, and the last point of each thinned step stays. So a
 * history at that step, or a multiple of it, is the same from thinned points as from all points; a
 * finer one is right at the end of each kept step and lags in between. Bound:
 * STORE_BOUNDS.pricePointAges.
 */
import { strict as assert } from 'node:assert';
import { STORE_BOUNDS } from '../shared/index.ts';

/** A range of minutes in which only the last point of each step stays. */
export interface Thinning {
  readonly fromMinute: number;
  /** The first minute after the range. */
  readonly toMinute: number;
  readonly stepMinutes: number;
}

const DAY_MINUTES = 1_440;
/** Thinning runs at most once in this time for a market, so that a statement removes many rows. */
const THINNING_MINUTES = 30;

const AGES = STORE_BOUNDS.pricePointAges;
for (const [index, { minutes, days }] of AGES.entries()) {
  const before = AGES[index - 1] ?? { minutes: 1, days: 0 };
  assert(
    minutes % before.minutes === 0 && days > before.days,
    'steps grow, and each divides the next',
  );
}

/** The thinning that a market's new point causes; `beforeMinute` is the point before it. */
export function thinningsBetween(beforeMinute: number, minute: number): Thinning[] {
  return AGES.flatMap(({ days, minutes: stepMinutes }) => {
    const turn = Math.max(stepMinutes, THINNING_MINUTES);
    const horizon = (newest: number): number =>
      Math.max(0, Math.floor((newest - days * DAY_MINUTES) / turn) * turn);
    const [fromMinute, toMinute] = [horizon(beforeMinute), horizon(minute)];
    return fromMinute < toMinute ? [{ fromMinute, toMinute, stepMinutes }] : [];
  });
}
