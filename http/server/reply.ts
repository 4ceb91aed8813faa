/** Replies: of a value, of a failure, and to a browser's preflight request. */
import { strict as assert } from 'node:assert';
import type { RouteDefinition } from '../api/index.ts';
import type { Dialect } from '../codec/index.ts';
import { HEADER_PREFIXES } from '../codec/index.ts';
import {
  type ApiError,
  DEFAULT_RETRY_SECONDS,
  dataFailure,
  errorBody,
  isRetryable,
  sentenceOf,
} from '../errors/index.ts';

export interface Reply {
  readonly status: number;
  /**
   * JSON unless `contentType` says otherwise. Never empty: ReplyWriter needs a byte to see whether
   * the client reads. Bytes must not be changed later, because a client may read them late.
   */
  readonly body: string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** Memory of a large body that nothing else uses: freed when the reply is written. */
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

/** The answer to a browser's preflight request (wire 0.8). */
export const PREFLIGHT: Reply = {
  status: 200,
  body: '{}',
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

export function jsonReply(status: number, value: unknown): Reply {
  assert(value !== undefined, 'a handler returns a value');
  return { status, body: JSON.stringify(value) };
}

/** What the form of a failure depends on, besides the failure. */
export interface FailureForm {
  readonly dialect: Dialect;
  readonly route?: RouteDefinition | undefined;
  /** The trace id, on paths of Data API v2. */
  readonly traceId?: string | undefined;
}

export function errorReply(error: ApiError, { dialect, route, traceId }: FailureForm): Reply {
  const { status } = error.entry;
  const wait = traceId !== undefined && isRetryable(error) ? DEFAULT_RETRY_SECONDS : undefined;
  const retryAfterSeconds = error.entry.retryAfterSeconds ?? wait;
  const sentence = sentenceOf(error, dialect);
  const extra =
    traceId === undefined
      ? route?.failureKeys?.(error, sentence)
      : dataFailure(error, sentence, traceId);
  const headers = [...error.headers];
  const hasOwnWait = headers.some(([name]) => name === 'retry-after');
  if (retryAfterSeconds !== undefined && !hasOwnWait) {
    headers.push(['retry-after', String(retryAfterSeconds)]);
  }
  if (Array.isArray(error.details.allowed)) {
    headers.push(['allow', error.details.allowed.join(', ')]);
  }
  const body = JSON.stringify({ ...errorBody(error, dialect), ...extra });
  return { status, body, headers };
}
