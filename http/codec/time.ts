/**
 * Times for the wire: from milliseconds since the epoch to ISO 8601 or seconds (wire 0.13).
 *
 * Invariant: seconds are rounded down, so that no time is later than it was.
 */
import { SECOND_MS } from '../../engine/model/index.ts';

/**
 * Counts by one or two names, such as the kind of a command and its outcome.
 *
 * Bound: callers use a fixed set of names (kinds, codes, rows), never a client's text.
 */
export class Counts {
  readonly #byFirst = new Map<string, Map<string, number>>();

  add(first: string, second = ''): void {
    let bySecond = this.#byFirst.get(first);
    if (bySecond === undefined) {
      bySecond = new Map();
      this.#byFirst.set(first, bySecond);
    }
    bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
  }

  *all(): Iterable<readonly [first: string, second: string, count: number]> {
    for (const [first, bySecond] of this.#byFirst) {
      for (const [second, count] of bySecond) yield [first, second, count];
    }
  }
}

/** "2026-06-03T01:12:06.930Z". */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Whole seconds since the epoch. */
export function epochSeconds(timeMs: number): number {
  return Math.floor(timeMs / SECOND_MS);
}

/** Whole seconds that are long enough to wait for `ms`; at least 1, as `Retry-After` needs. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / SECOND_MS));
}
