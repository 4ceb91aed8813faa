/**
 * Journaled records (commands, events) in the explorer's form: names in snake_case, each amount
 * with its decimal beside it. Invariant: no value is left out.
 */
import { strict as assert } from 'node:assert';
import type { Static, TObject } from 'typebox';
import { snakeCase } from '../../persistence/index.ts';
import { decimalBeside } from './amounts.ts';

export type ShownRecord = Record<string, unknown>;

export function shownRecord(record: object): ShownRecord {
  const shown: ShownRecord = {};
  for (const [key, value] of Object.entries(record)) {
    const name = snakeCase(key);
    shown[name] = shownValue(value);
    const decimal = typeof value === 'number' ? decimalBeside(name, value) : undefined;
    if (decimal !== undefined) shown[decimal[0]] = decimal[1];
  }
  return shown;
}

/**
 * A record in the form of a schema: those of its values, and of their decimals, that the schema
 * names. A time that is 0 is none.
 */
export function shownAs<Schema extends TObject>(schema: Schema, record: object): Static<Schema> {
  const shown = shownRecord(record);
  const entries = Object.keys(schema.properties).map((name) => {
    const value = shown[name] ?? null;
    assert(value !== null || name in shown || name.endsWith('_time'), `no value for ${name}`);
    return [name, value];
  });
  // Safe: the record has all values of the schema, by the same names and units.
  return Object.fromEntries(entries) as Static<Schema>;
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === 'object' && value !== null ? shownRecord(value) : value;
}
