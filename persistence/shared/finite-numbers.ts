import type { Command } from '../../engine/model/index.ts';

/** The error for a command with a number that JSON can't hold: replay would see another command. */
export function mistakeIn(command: Command): TypeError | undefined {
  // Looks at field names only if a value is wrong, because every command comes through here.
  if (!Object.values(command).some(isNotFinite)) return undefined;
  const field = Object.entries(command).find(([, value]) => isNotFinite(value))?.[0];
  return new TypeError(`${field} of a command must be a finite number`);
}

function isNotFinite(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).some(isNotFinite)
    : typeof value === 'number' && !Number.isFinite(value);
}
