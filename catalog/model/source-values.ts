/** Values that sources write in forms of their own. A value that can't be read counts as absent. */

import { isoTimeMs } from '../../persistence/shared/index.ts';

/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a JSON value; undefined if the value is not an object. */
export function memberOf(value: unknown, name: string): unknown {
  return isFields(value) ? value[name] : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A time as ISO 8601, also from `2027-03-23 19:00:00+00` as in public catalogs. */
export function sourceTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00');
  return isoTimeMs(text) === undefined ? undefined : text;
}

export function gameStartOf(value: unknown): string | null {
  const text = sourceTime(value);
  return text === undefined ? null : utcText(Date.parse(text));
}

/** ISO 8601 in UTC, the catalog's form of dates. It sorts as text. */
export function utcText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z');
}

/** The two texts of a JSON array that is itself carried as a text (wire 8.1). */
export function pairOf(value: unknown): [string, string] | undefined {
  const [first, second, ...others] = arrayOf(value);
  const isPair = typeof first === 'string' && typeof second === 'string' && others.length === 0;
  return isPair ? [first, second] : undefined;
}

function arrayOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return [];
  try {
    return listOf(JSON.parse(value));
  } catch {
    return [];
  }
}
