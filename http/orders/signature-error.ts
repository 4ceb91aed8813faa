/**
 * The error of a refused signature, with what is needed to find the cause: the recovered and the
 * expected address, and the domains that were tried (wire 3.2).
 */
import { SECOND_MS } from '../../engine/model/index.ts';
import type { ErrorCode } from '../errors/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import type { OrderVerificationCode, RefusedOrder } from '../signing/index.ts';
import { SEARCH_MS, SEARCHES } from '../signing/index.ts';

const CODES = {
  order_version_mismatch: 'order_version_mismatch',
  malformed_order: 'invalid_order_payload',
  malformed_signature: 'malformed_signature',
  signer_mismatch: 'signer_mismatch',
  maker_mismatch: 'maker_mismatch',
  wallet_not_yours: 'wallet_not_yours',
  search_limited: 'too_many_requests',
  signature_mismatch: 'signature_mismatch',
  wrong_exchange: 'wrong_exchange',
} as const satisfies Record<OrderVerificationCode, ErrorCode>;

/** The signature may be good: the error says when to send the same order again. */
function limitedError({ field, recovered }: RefusedOrder, waitMs: number): ApiError {
  const retryAfterSeconds = Math.ceil(waitMs / SECOND_MS);
  return new ApiError(
    'too_many_requests',
    {
      field: `order.${field}`,
      limit: SEARCHES,
      windowSeconds: (SEARCHES * SEARCH_MS) / SECOND_MS,
      scope: 'orders of an owner whose signatures must be tried under every domain',
      row: 'domain-searches',
      retryAfterSeconds,
      recovered,
    },
    [['retry-after', String(retryAfterSeconds)]],
  );
}

export function signatureError(refused: RefusedOrder): ApiError {
  const { code, field, actual, expected, recovered, waitMs } = refused;
  if (waitMs !== undefined) return limitedError(refused, waitMs);
  return new ApiError(CODES[code], {
    field: `order.${field}`,
    limit: expected,
    actual: echo(actual),
    ...(recovered.length === 0 ? {} : { recovered }),
  });
}
