/**
 * The error for refused auth headers. If the timestamp is outside the window, the error has the
 * server's time and the window, so that the user of a wrong clock sees the cause.
 */
import { type AuthHeaders, headerName } from '../api/index.ts';
import { ApiError, type ErrorCode, type ErrorDetails, echo } from '../errors/index.ts';
import type { AuthFault, AuthRefusal, FreshnessWindow } from '../signing/index.ts';

/** `recovered`: the signer of a wallet's signature on each chain. */
type Refusal = AuthRefusal & { readonly recovered?: readonly object[] };

export function headerError(
  codes: Readonly<Record<AuthFault, ErrorCode>>,
  { code, actual, expected, recovered, ...refusal }: Refusal,
  headers: AuthHeaders,
  { nowMs, windowMs, wallMs = nowMs }: FreshnessWindow,
): ApiError {
  const field = headerName(headers, refusal.field.toUpperCase());
  const details: ErrorDetails =
    code === 'stale'
      ? {
          limit: `${windowMs / 1000} seconds around the server's time`,
          actual: headers.values.TIMESTAMP,
          serverTimeMs: nowMs,
          ...(wallMs === nowMs ? {} : { wallTimeMs: wallMs }),
          windowMs,
        }
      : { limit: expected, actual: echo(actual) };
  const signers = code === 'signature_mismatch' && recovered !== undefined ? { recovered } : {};
  return new ApiError(codes[code], { field, ...details, ...signers });
}
