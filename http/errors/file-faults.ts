/** Checks of a JSON file of the settings. Each throws an `Error` with the place of a fault. */
import { closestWord } from '../codec/index.ts';
import { echo } from './schema-fault.ts';

type Entries = Readonly<Record<string, unknown>>;

/** Refuses the value at a place of the file. `must` completes "it must be". */
export function refuseAt(place: string, actual: unknown, must: string): never {
  const given = actual === undefined ? 'missing' : JSON.stringify(echo(actual));
  throw new Error(`${place} is ${given}; it must be ${must}`);
}

export function objectAt(place: string, value: unknown): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuseAt(place, value, 'an object');
  }
  // Safe: a JSON object is a record of its keys.
  return value as Entries;
}

/** A list of 1 to `most` items. */
export function listAt(place: string, value: unknown, most: number): readonly unknown[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= most
    ? value
    : refuseAt(place, value, `a list of 1 to ${most}`);
}

/** Refuses an unknown key and suggests the closest known one. */
export function onlyKnown(place: string, entries: Entries, known: readonly string[]): void {
  for (const key of Object.keys(entries)) {
    if (known.includes(key)) continue;
    throw new Error(
      `${place} has an unknown key "${key}"; the nearest is "${closestWord(key, known)}"`,
    );
  }
}
