/**
 * A file that changes rows of the rate limits, by name. All keys are optional:
 *
 *     {"loopback": true, "limits": {"book": {"capacity": 400, "windowSeconds": 10}}}
 *
 * Invariant: an unknown key or a wrong value is refused with its place in the file.
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import { objectAt, onlyKnown, refuseAt } from '../errors/index.ts';
import { DEFAULT_RULES, type LimitRow } from './limit-table.ts';

const MAX_CAPACITY = 1_000_000_000;
const MAX_WINDOW_SECONDS = 86_400;

export interface RateLimitFile {
  readonly rows: readonly LimitRow[];
  /** Whether requests from this machine count too; undefined if the file does not set it. */
  readonly countsLoopback: boolean | undefined;
}

function wholeAt(place: string, value: unknown, most: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most
    ? value
    : refuseAt(place, value, `a whole number from 1 to ${most}`);
}

function changedRow(row: LimitRow, value: unknown): LimitRow {
  const place = `limits.${row.name}`;
  const entry = objectAt(place, value);
  onlyKnown(place, entry, ['capacity', 'windowSeconds']);
  const { capacity = row.capacity, windowSeconds = row.windowMs / SECOND_MS } = entry;
  return {
    ...row,
    capacity: wholeAt(`${place}.capacity`, capacity, MAX_CAPACITY),
    windowMs: wholeAt(`${place}.windowSeconds`, windowSeconds, MAX_WINDOW_SECONDS) * SECOND_MS,
  };
}

/** Throws an `Error` that names the place of the first fault. */
export function parseRateLimits(json: unknown): RateLimitFile {
  const file = objectAt('the file', json);
  onlyKnown('the file', file, ['limits', 'loopback']);
  const { loopback, limits = {} } = file;
  if (loopback !== undefined && typeof loopback !== 'boolean') {
    return refuseAt('loopback', loopback, 'true or false');
  }
  const changes = objectAt('limits', limits);
  const names = DEFAULT_RULES.rows.map(({ name }) => name);
  onlyKnown('limits', changes, names);
  return {
    rows: DEFAULT_RULES.rows.map((row) =>
      Object.hasOwn(changes, row.name) ? changedRow(row, changes[row.name]) : row,
    ),
    countsLoopback: loopback,
  };
}
