/** The member `type` that catalog clients read in a failure (wire 5.8). */
import type { ApiError } from '../../http/errors/index.ts';

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [404, 'not found error'],
  [422, 'validation error'],
]);

/** The `type` for the status of a failure. Only the statuses above have one. */
export function catalogFailure({ entry }: ApiError): Readonly<Record<string, unknown>> {
  const type = TYPES.get(entry.status);
  return type === undefined ? {} : { type };
}
