/** Reads fields of clients' messages, which may have any type. */
import { StreamError } from './close-codes.ts';

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `StreamError` `field_malformed`. */
export function malformed(field: string, expected: string): never {
  throw new StreamError('field_malformed', { field, expected });
}

/** undefined for a text that is not JSON. */
export function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
