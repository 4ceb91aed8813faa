/**
 * The form of a failure on paths of Data API v2: `error`, `code`, `retryable` and `trace_id`, with
 * `parameter` where one is at fault. The details that other failures have (`field`, `limit`,
 * `actual`) stay beside them.
 */
import { Type } from 'typebox';
import type { ApiError } from './errors.ts';
import { FAILURE_DETAILS } from './failure-schema.ts';

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  425: 'dependency_unavailable',
  429: 'rate_limited',
  500: 'internal',
  503: 'dependency_unavailable',
};

/** Seconds, for a failure that passes and does not say when. */
export const DEFAULT_RETRY_SECONDS = 1;

/** Whether the same request may succeed later. */
export function isRetryable({ entry: { status } }: ApiError): boolean {
  return status === 425 || status === 429 || status === 503;
}

export function dataCodeOf(status: number): string {
  return CODES[status] ?? 'invalid_request';
}

export function dataFailure(error: ApiError, sentence: string, traceId: string) {
  const { field } = error.details;
  return {
    error: sentence,
    code: dataCodeOf(error.entry.status),
    retryable: isRetryable(error),
    trace_id: traceId,
    ...(typeof field === 'string' ? { parameter: field } : {}),
  };
}

export const DataFailure = Type.Object(
  {
    error: Type.String(),
    code: Type.Enum([...new Set(['invalid_request', ...Object.values(CODES)])]),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later' }),
    trace_id: Type.String({ description: 'As the header `x-trace-id`' }),
    parameter: Type.Optional(Type.String({ description: 'The parameter at fault' })),
    ...FAILURE_DETAILS,
  },
  { description: 'Why a request of Data API v2 was refused' },
);
