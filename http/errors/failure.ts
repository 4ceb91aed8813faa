/**
 * The body of a failure as a schema, for the documentation and for answers that hold failures. Its
 * codes are those of errors.json; errors.md explains its details. On paths of Data API v2 it has
 * the form `error`, `code`, `retryable` and `trace_id`, with `parameter` where one is at fault, and
 * the details of other failures (`field`, `limit`, `actual`) beside them.
 */
import { Type } from 'typebox';
import { type ApiError, ERRORS, type ErrorEntry } from './errors.ts';

function rowOf([code, { status, docs }]: [string, ErrorEntry]): string {
  return `| \`${code}\` | ${status} | ${docs.replaceAll('|', '\\|')} |`;
}

const TABLE = ['| code | status | when |', '|---|---|---|', ...Object.entries(ERRORS).map(rowOf)];

function text(description: string) {
  return Type.Optional(Type.String({ description }));
}
function whole(description: string) {
  return Type.Optional(Type.Integer({ description }));
}
function other(description: string) {
  return Type.Optional(Type.Unknown({ description }));
}

/** The details of failures; errors.md has the same names. */
export const FAILURE_DETAILS = {
  field: text('The part at fault: a path into the body, a parameter or a header'),
  limit: other('The required value: a number, a range, or words'),
  actual: other('The given value; long values are cut'),
  asset: text('`cash` or the token id'),
  required: text('The amount that the order needs, a decimal'),
  available: text('The free amount of the account, a decimal'),
  held: text('The amount that open orders hold, a decimal'),
  position: whole('The index of the first character of a body that is not JSON'),
  reason: text('Why the value is refused'),
  recovered: other('Each domain or chain that was tried, with the signer recovered there'),
  serverTimeMs: whole("The server's clock"),
  windowMs: whole("How far a timestamp may be from the server's clock"),
  scope: text('The requests that count together'),
  row: text('The name of the limit in GET /limits'),
  windowSeconds: Type.Optional(Type.Number({ description: 'The length of the window' })),
  retryAfterSeconds: whole('How long to wait'),
  retry_after_seconds: whole('As Retry-After, under the name that the public venue uses'),
  profile: text('The profile whose rule the order breaks (docs/profiles.md)'),
  orders: text('What the venue calls such orders'),
  makerDecimals: whole('The most decimals of `makerAmount`'),
  takerDecimals: whole('The most decimals of `takerAmount`'),
  crossed: text('The side of the book that a post-only order would cross'),
  orderHash: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: "The order's id, once its signature is checked",
    }),
  ),
  revokedAt: text('When the key was revoked, ISO 8601'),
  nextNonce: text('The first nonce without a revoked key'),
  heartbeat_id: text('The id that the next heartbeat must carry'),
  error_msg: text('The sentence of a wrong heartbeat, which the official SDK reads'),
  method: text('The method of the request'),
  path: text('The path of the request'),
  routes: other('The routes whose paths begin most like this one'),
  allowed: other('The methods of the path'),
  type: text('The kind of failure, as catalog clients name it'),
  requestId: text('The id of the request in the log'),
} as const;

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
