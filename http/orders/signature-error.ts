/**
 * A refused signature as an error that says what a person needs to find the mistake: the address
 * that was recovered, the one that was expected, and the domains that were tried (wire 3.2).
 */

import type { ErrorCode } from '../error-table.ts';
import { ApiError } from '../errors.ts';
import { echo } from '../schema-fault.ts';
import type { OrderVerificationCode, RefusedOrder } from '../signing/verify-order.ts';

const CODES = {
  order_version_mismatch: 'order_version_mismatch',
  malformed_order: 'invalid_order_payload',
  malformed_signature: 'malformed_signature',
  signer_mismatch: 'signer_mismatch',
  maker_mismatch: 'maker_mismatch',
  wallet_not_yours: 'wallet_not_yours',
  signature_mismatch: 'signature_mismatch',
  wrong_exchange: 'wrong_exchange',
} as const satisfies Record<OrderVerificationCode, ErrorCode>;

export const signatureError = ({
  code,
  field,
  actual,
  expected,
  recovered,
}: RefusedOrder): ApiError =>
  new ApiError(CODES[code], {
    field: `order.${field}`,
    limit: expected,
    actual: echo(actual),
    ...(recovered.length === 0 ? {} : { recovered }),
  });
