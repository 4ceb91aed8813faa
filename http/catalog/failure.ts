/** What catalog clients read of a failure besides its sentence (wire 5.8). */
import type { ApiError } from '../errors/index.ts';

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [404, 'not found error'],
  [422, 'validation error'],
]);

/** `type` for the failures that a catalog knows; the others are those of the whole exchange. */
export function catalogFailure({ entry }: ApiError): Readonly<Record<string, unknown>> {
  const type = TYPES.get(entry.status);
  return type === undefined ? {} : { type };
}
