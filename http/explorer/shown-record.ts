/**
 * Journaled records (commands, events) in the explorer's form: names in snake_case, each amount
 * with its decimal beside it. Invariant: no value is left out.
 */
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

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  return typeof value === 'object' && value !== null ? shownRecord(value) : value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
