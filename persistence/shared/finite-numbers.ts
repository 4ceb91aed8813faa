import type { Command } from '../../engine/model/index.ts';

/** The error for a command with a number that JSON can't hold: replay would see another command. */
export function mistakeIn(command: Command): TypeError | undefined {
  const field = nameOfInfinite(command);
  if (field === undefined) return undefined;
  return new TypeError(`${field} of a command must be a finite number`);
}

/** The first field with such a number. A loop, because every command comes through here. */
function nameOfInfinite(fields: object): string | undefined {
  for (const name in fields) {
    // Safe: a field of any record.
    const value = (fields as Readonly<Record<string, unknown>>)[name];
    const isNested = typeof value === 'object' && value !== null;
    if (isNested ? nameOfInfinite(value) !== undefined : isInfinite(value)) return name;
  }
  return undefined;
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}
