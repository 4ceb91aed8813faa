/**
 * What a refusal is on the wire: `{error, code, ...details}`. The codes and sentences are the one
 * table of error-table.ts; `code` is stable, `error` is worded as the client's family of clients
 * expects it (wire 5.8), and the details say what a person needs to mend the request.
 */

import type { HeaderList, HeaderPrefix } from '../codec/index.ts';
import { ERRORS, type ErrorCode, type ErrorEntry } from './error-table.ts';

/**
 * The usual keys are `field`, `limit` and `actual`, and for balances `asset`, `required`,
 * `available` and `held`; amounts are decimal texts as the client would write them.
 */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** A refusal that a client gets. Everything else that is thrown is our own mistake. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Sent with the refusal, besides those that its code has. */
  readonly headers: HeaderList;

  constructor(code: ErrorCode, details: ErrorDetails = {}, headers: HeaderList = []) {
    super(code);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get entry(): ErrorEntry {
    return ERRORS[this.code];
  }
}

/** The refusal of what there is no room or time for: which bound, and how much of it is used. */
export function overloadedBy(field: string, limit: number, actual: number): ApiError {
  const { retryAfterSeconds } = ERRORS.overloaded;
  return new ApiError('overloaded', { field, limit, actual, retryAfterSeconds });
}

/** Where an item stands in its list, at the end of a path. */
const PLACES = /(\.\d+)+$/;

/** What a sentence calls a field: the last name of its path, with spaces for underscores. */
function nameOf(field: unknown): string {
  if (typeof field !== 'string') return '';
  const named = field.replace(PLACES, '');
  return named.slice(named.lastIndexOf('.') + 1).replaceAll('_', ' ');
}

/** The sentence of an error in the wording of a prefix, with its details put in. */
export function sentenceOf({ entry, details }: ApiError, prefix: HeaderPrefix): string {
  const text = prefix === 'POLY' ? (entry.poly ?? entry.text) : entry.text;
  return text.replace(/\{(\w+)\}/g, (_, key: string) =>
    key === 'name' ? nameOf(details.field) : String(details[key] ?? ''),
  );
}

/** The body of a failure. */
export function errorBody(error: ApiError, prefix: HeaderPrefix): Record<string, unknown> {
  return {
    error: sentenceOf(error, prefix),
    code: error.code,
    ...error.details,
  };
}
