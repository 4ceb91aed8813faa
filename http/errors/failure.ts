/**
 * The body of a failure as a schema, for the documentation and for answers that hold failures. Its
 * codes are those of errors.json; errors.md explains its details. On paths of Data API v2 it has
 * the form `error`, `code`, `retryable` and `trace_id`, with `parameter` where one is at fault, and
 * the details of other failures (`field`, `limit`, `actual`) beside them.
 */
import { Type } from 'typebox';
import { FAILURE_DETAILS } from './details.ts';
import { type ApiError, ERRORS, type ErrorEntry } from './errors.ts';

function rowOf([code, { status, docs }]: [string, ErrorEntry]): string {
  return `| \`${code}\` | ${status} | ${docs.replaceAll('|', '\\|')} |`;
}

const TABLE = ['| code | status | when |', '|---|---|---|', ...Object.entries(ERRORS).map(rowOf)];

export const Failure = Type.Object(
  {
    error: Type.String({
      description: 'A sentence, in the wording that the client expects',
    }),
    code: Type.Enum(Object.keys(ERRORS), {
      description: `Stable; use it to tell errors apart.\n\n${TABLE.join('\n')}`,
    }),
    ...FAILURE_DETAILS,
  },
  { description: 'Why a request was refused' },
);

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
