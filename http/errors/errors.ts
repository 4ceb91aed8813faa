/**
 * A refusal and its body on the wire: `{error, code, ...details}`. Codes and sentences come from
 * errors.json. `code` is stable, `error` is worded in the dialect of the request (wire 0.14),
 * and the details say what must change in the request.
 */

import type { Dialect, HeaderList } from '../codec/index.ts';
import { ERRORS, type ErrorCode, type ErrorEntry } from './error-table.ts';

/**
 * The usual keys are `field`, `limit` and `actual`, and for balances `asset`, `required`,
 * `available` and `held`. Amounts are decimal texts.
 */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** A refusal that a client gets. Any other error is a fault of the exchange. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Headers of the answer, besides those of its code. */
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

/** The refusal when a bound is reached: which one, and how much of it is used. */
export function overloadedBy(field: string, limit: number, actual: number): ApiError {
  const { retryAfterSeconds } = ERRORS.overloaded;
  return new ApiError('overloaded', { field, limit, actual, retryAfterSeconds });
}

/** The index of an item in a list, at the end of a path. */
const PLACES = /(\.\d+)+$/;

/** The name of a field in a sentence: the last name of its path, with spaces for underscores. */
function nameOf(field: unknown): string {
  if (typeof field !== 'string') return '';
  const named = field.replace(PLACES, '');
  return named.slice(named.lastIndexOf('.') + 1).replaceAll('_', ' ');
}

/** The sentence of an error, in the wording of a dialect and with its details. */
export function sentenceOf({ entry, details }: ApiError, dialect: Dialect): string {
  const text = dialect === 'polymarket' ? (entry.poly ?? entry.text) : entry.text;
  return text.replace(/\{(\w+)\}/g, (_, key: string) =>
    key === 'name' ? nameOf(details.field) : String(details[key] ?? ''),
  );
}

/** The body of a failure. */
export function errorBody(error: ApiError, dialect: Dialect): Record<string, unknown> {
  return {
    error: sentenceOf(error, dialect),
    code: error.code,
    ...error.details,
  };
}
