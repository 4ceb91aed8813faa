/**
 * Times for the wire: from milliseconds since the epoch to ISO 8601 or seconds (wire 0.13).
 *
 * Invariant: seconds are rounded down, so that no time is later than it was.
 */
import { SECOND_MS } from '../../engine/model/index.ts';

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
