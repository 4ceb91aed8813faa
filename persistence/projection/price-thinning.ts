/**
 * Which price points grow too old to be kept as they are. What is old is told by the market's own
 * newest point, never by a clock, and whole steps at a time: so the points that are left are a
 * function of the points that were made, whatever steps the projection came in.
 *
 * Invariant: each step divides the next one, and of a step that is thinned the last point stays. An
 * answer at that step or at a multiple of it is therefore the same from thinned points as from all
 * of them; a finer one is right at the end of each step that is kept, and behind in between.
 * Bound: STORE_BOUNDS.pricePointAges.
 */
import { strict as assert } from 'node:assert';
import { STORE_BOUNDS } from '../shared/index.ts';

/** Of the points in these minutes only the last in each step stays. */
export interface Thinning {
  readonly fromMinute: number;
  /** The first minute that is kept as it is. */
  readonly toMinute: number;
  readonly stepMinutes: number;
}

const DAY_MINUTES = 1_440;
/** Not more often than so many minutes of a market, or a statement would remove a row or two. */
const LEAST_TURN_MINUTES = 30;

const AGES = STORE_BOUNDS.pricePointAges;
for (const [index, { minutes, days }] of AGES.entries()) {
  const before = AGES[index - 1] ?? { minutes: 1, days: 0 };
  assert(minutes % before.minutes === 0 && days > before.days, 'steps grow, each of whole ones');
}

/** What a market's new point makes too old; `beforeMinute` is the point before it. */
export function thinningsBetween(beforeMinute: number, minute: number): Thinning[] {
  return AGES.flatMap(({ days, minutes: stepMinutes }) => {
    const turn = Math.max(stepMinutes, LEAST_TURN_MINUTES);
    const horizon = (newest: number): number =>
      Math.max(0, Math.floor((newest - days * DAY_MINUTES) / turn) * turn);
    const [fromMinute, toMinute] = [horizon(beforeMinute), horizon(minute)];
    return fromMinute < toMinute ? [{ fromMinute, toMinute, stepMinutes }] : [];
  });
}
