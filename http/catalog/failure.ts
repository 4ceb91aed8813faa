/** The member `type` that catalog clients read in a failure (wire 5.8). */
import type { ApiError } from '../errors/index.ts';

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [404, 'not found error'],
  [422, 'validation error'],
]);

/** The `type` of the failure's status; failures with other statuses have none. */
export function catalogFailure({ entry }: ApiError): Readonly<Record<string, unknown>> {
  const type = TYPES.get(entry.status);
  return type === undefined ? {} : { type };
}
