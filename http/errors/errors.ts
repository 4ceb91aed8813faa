/**
 * A refusal and its body on the wire: `{error, code, ...details}`. Codes and sentences come from
 * errors.json. `code` is stable, `error` is worded in the dialect of the request (wire 0.14),
 * and the details say what must change in the request.
 */

import type { RejectCode } from '../../engine/index.ts';
import {
  SavedStateRefusal,
  StoreError,
  type StoreErrorCode,
} from '../../persistence/shared/index.ts';
import type { Dialect, HeaderList } from '../codec/index.ts';
import type { DetailName, ErrorDetails } from './details.ts';
import table from './errors.json' with { type: 'json' };
import type { SentenceDetails } from './sentence-details.ts';

/**
 * The table of errors, errors.json: the status, sentence and meaning of each code. Codes are stable
 * and never get another meaning. Every reject code of the engine has an entry of the same name; the
 * type checks it.
 */
export interface ErrorEntry {
  readonly status: number;
  /**
   * The sentence (wire 5.8). `{name}` stands for the detail of that name.
   */
  readonly text: string;
  /** The sentence in the dialect `polymarket`, where it differs. */
  readonly poly?: string;
  /** When it happens and what helps, for the documentation. */
  readonly docs: string;
  /** Sent as `Retry-After` where trying again helps. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = table satisfies Record<RejectCode, ErrorEntry> & Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** A code whose sentence names details; never for a union of codes, known only at run time. */
type NamingCode<Code, All = Code> = Code extends keyof SentenceDetails
  ? [All] extends [Code]
    ? Code
    : never
  : never;

type Arguments<Code extends ErrorCode> = [NamingCode<Code>] extends [never]
  ? [details?: ErrorDetails, headers?: HeaderList]
  : [
      details: ErrorDetails & Readonly<Record<SentenceDetails[NamingCode<Code>], unknown>>,
      headers?: HeaderList,
    ];

/** A refusal that a client gets. Any other error is a fault of the exchange. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Headers of the answer, besides those of its code. */
  readonly headers: HeaderList;

  constructor(code: Code, ...[details = {}, headers = []]: Arguments<Code>) {
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

export function sentenceOf({ entry, details }: ApiError, dialect: Dialect): string {
  const text = dialect === 'polymarket' ? (entry.poly ?? entry.text) : entry.text;
  // Safe: another name is absent from the details.
  return text.replace(/\{(\w+)\}/g, (_, key: string) =>
    key === 'name' ? nameOf(details.field) : String(details[key as DetailName] ?? ''),
  );
}

export function errorBody(error: ApiError, dialect: Dialect): Record<string, unknown> {
  return {
    error: sentenceOf(error, dialect),
    code: error.code,
    ...error.details,
  };
}

const CODES: Readonly<Partial<Record<StoreErrorCode, ErrorCode>>> = {
  stopping: 'service_not_ready',
  overloaded: 'overloaded',
  reader_unavailable: 'reader_unavailable',
  catalog_unavailable: 'catalog_unavailable',
  search_too_wide: 'search_too_wide',
  no_core: 'service_not_ready',
  deposed: 'service_not_ready',
  log_unavailable: 'service_not_ready',
  other_node: 'other_node',
};

/** Details for codes whose sentence does not say what to send instead. */
const DETAILS: Readonly<Partial<Record<ErrorCode, ErrorDetails>>> = {
  search_too_wide: { limit: 'a search narrowed by market, asset_id, before or after' },
  overloaded: { field: 'store', retryAfterSeconds: ERRORS.overloaded.retryAfterSeconds },
};

/** A failure as a refusal; undefined for a fault of the exchange. */
export function toApiError(failure: unknown): ApiError | undefined {
  if (failure instanceof ApiError) return failure;
  if (failure instanceof SavedStateRefusal) return new ApiError(failure.code, failure.details);
  const code = failure instanceof StoreError ? CODES[failure.code] : undefined;
  return code && new ApiError(code, DETAILS[code]);
}
