/**
 * Writes a reply: always JSON, always with a request id, in one piece.
 *
 * Invariant: nothing is written to a response that was aborted or answered; the caller sees to it.
 */
import { STATUS_CODES } from 'node:http';
import { HEADER_PREFIXES } from './auth/header-names.ts';
import { type ApiError, errorBody, sentenceOf } from './errors.ts';
import type { HeaderPrefix, RouteDefinition } from './route.ts';
import type { LimitHeaders } from './server-hooks.ts';
import type { HttpResponse } from './socket-library.ts';

export interface Reply {
  readonly status: number;
  /** JSON unless `contentType` says otherwise; empty for a preflight. */
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Of a large body, and of nobody else: given back when the reply was written. */
  readonly memory?: readonly ArrayBuffer[];
}

const BUILDER_AND_PLAIN_HEADERS = [
  'ADDRESS',
  'API_KEY',
  'PASSPHRASE',
  'TIMESTAMP',
  'SIGNATURE',
  'NONCE',
  'REFERRAL',
  'BUILDER_API_KEY',
  'BUILDER_PASSPHRASE',
  'BUILDER_TIMESTAMP',
  'BUILDER_SIGNATURE',
] as const;

/** The answer to a browser that asks whether it may send a request (wire 0.8). */
export const PREFLIGHT: Reply = {
  status: 204,
  body: '',
  headers: [
    ['access-control-allow-methods', 'GET, POST, PUT, DELETE, OPTIONS'],
    [
      'access-control-allow-headers',
      [
        'content-type',
        'x-chain-id',
        'x-request-id',
        ...HEADER_PREFIXES.flatMap((prefix) =>
          BUILDER_AND_PLAIN_HEADERS.map((name) => `${prefix}_${name}`),
        ),
      ].join(', '),
    ],
    ['access-control-max-age', '86400'],
  ],
};

/** The status line of every status, made once. */
const STATUS_LINES = new Map<number, string>(
  Object.entries(STATUS_CODES).map(([status, words]) => [Number(status), `${status} ${words}`]),
);

export interface ReplyContext {
  readonly requestId: string;
  /** Whether pages of any origin may read the reply. */
  readonly cors: boolean;
  /** Whether the client asked for the head of the reply alone. */
  readonly isHead: boolean;
  /** Whether the connection is closed after it. */
  readonly isLast: boolean;
  /** Where the client stands with its rate limits. */
  readonly limits: LimitHeaders;
}

/** Ends a response. */
export const writeReply = (response: HttpResponse, reply: Reply, context: ReplyContext): void => {
  const { status, body, contentType = 'application/json', headers = [] } = reply;
  response.cork(() => {
    // The library says 200 by itself, and each call to it costs as much as some of our own checks.
    if (status !== 200) response.writeStatus(STATUS_LINES.get(status) ?? String(status));
    if (status !== 204) response.writeHeader('content-type', contentType);
    response.writeHeader('x-request-id', context.requestId);
    if (context.cors) {
      response.writeHeader('access-control-allow-origin', '*');
      // All of them: no answer depends on credentials that a browser adds by itself.
      response.writeHeader('access-control-expose-headers', '*');
    }
    for (const [name, value] of context.limits) response.writeHeader(name, value);
    for (const [name, value] of headers) response.writeHeader(name, value);
    if (context.isHead && !context.isLast) {
      // With a length as its argument the library writes the head and leaves the response open, and
      // the next request of the connection is dropped.
      response.writeHeader('content-length', String(Buffer.byteLength(body)));
      response.endWithoutBody();
    } else response.end(context.isHead ? '' : body, context.isLast);
  });
  // The library has written or copied it. The collector counts such memory and, left to find it by
  // itself, would stop this thread for milliseconds after every few dozen large answers.
  for (const part of reply.memory ?? []) part.transfer(0);
};

/** The reply to a failure. */
export const errorReply = (
  error: ApiError,
  prefix: HeaderPrefix,
  route: RouteDefinition | undefined,
): Reply => {
  const { status, retryAfterSeconds } = error.entry;
  const extra = route?.failureKeys?.(error, sentenceOf(error, prefix));
  const headers = [...error.headers];
  if (retryAfterSeconds !== undefined) headers.push(['retry-after', String(retryAfterSeconds)]);
  if (Array.isArray(error.details.allowed)) {
    headers.push(['allow', error.details.allowed.join(', ')]);
  }
  const body = JSON.stringify({ ...errorBody(error, prefix), ...extra });
  return { status, body, headers };
};
