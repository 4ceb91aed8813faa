/** What is replied: the shape of it, the reply to a failure, and that to a browser's preflight. */
import { strict as assert } from 'node:assert';
import type { RouteDefinition } from '../api/index.ts';
import type { HeaderPrefix } from '../codec/index.ts';
import { HEADER_PREFIXES } from '../codec/index.ts';
import { type ApiError, errorBody, sentenceOf } from '../errors/index.ts';

export interface Reply {
  readonly status: number;
  /**
   * JSON unless `contentType` says otherwise; never empty, for ReplyWriter tells by it who reads.
   * Its bytes must not be changed any more: a client may take them late.
   */
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

/** What a handler returned. */
export function jsonReply(status: number, value: unknown): Reply {
  assert(value !== undefined, 'a handler returns what to send');
  return { status, body: JSON.stringify(value) };
}

/** The reply to a failure. */
export function errorReply(
  error: ApiError,
  prefix: HeaderPrefix,
  route: RouteDefinition | undefined,
): Reply {
  const { status, retryAfterSeconds } = error.entry;
  const extra = route?.failureKeys?.(error, sentenceOf(error, prefix));
  const headers = [...error.headers];
  if (retryAfterSeconds !== undefined) headers.push(['retry-after', String(retryAfterSeconds)]);
  if (Array.isArray(error.details.allowed)) {
    headers.push(['allow', error.details.allowed.join(', ')]);
  }
  const body = JSON.stringify({ ...errorBody(error, prefix), ...extra });
  return { status, body, headers };
}
