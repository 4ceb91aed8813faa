/**
 * Times on the wire (wire 0.13): milliseconds since the epoch from what a request has, and as ISO
 * 8601 or seconds.
 *
 * Invariant: seconds are rounded down, so that no time is later than it was.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import { LATEST_MS } from '../../persistence/shared/index.ts';

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

/** From here on a number is in milliseconds: in seconds it is the year 5138. */
const LEAST_MILLISECONDS = 1e11;

/** What a refusal of another text says. */
export const TIME_IN_WORDS = 'seconds or milliseconds since the epoch, up to the year 9999';

/** Milliseconds from Unix seconds or, from 10^11 on, milliseconds; undefined if it is neither. */
export function timeMsOf(text: string): number | undefined {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) return undefined;
  const time = Number(text);
  const timeMs = time < LEAST_MILLISECONDS ? time * SECOND_MS : time;
  return timeMs <= LATEST_MS ? timeMs : undefined;
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
