/**
 * L1 authentication of the two credential routes: a wallet's EIP-712 signature (wire 2.2).
 */

import type { AuthHeaders, Caller, SignedRequest } from '../api/index.ts';
import type { Settings } from '../settings/index.ts';
import type { AuthFault } from '../signing/index.ts';
import { verifyL1 } from '../signing/index.ts';
import { headerError } from './header-error.ts';

const CODES = {
  missing: 'l1_missing_header',
  malformed: 'l1_malformed_header',
  stale: 'l1_stale_timestamp',
  signature_mismatch: 'l1_bad_signature',
} as const satisfies Record<AuthFault, string>;

const NO_HMAC = new Uint8Array(0);

/** The wallet that signed the headers. Throws the `ApiError` of the first fault. */
export function authenticateL1(
  headers: AuthHeaders,
  { chainIds, authWindowMs }: Pick<Settings, 'chainIds' | 'authWindowMs'>,
  { nowMs, wallMs }: Pick<SignedRequest, 'nowMs' | 'wallMs'>,
): Caller {
  const { ADDRESS, TIMESTAMP, NONCE, SIGNATURE } = headers.values;
  const window = { nowMs, wallMs, windowMs: authWindowMs };
  const verification = verifyL1(
    {
      address: ADDRESS || undefined,
      timestamp: TIMESTAMP || undefined,
      nonce: NONCE || undefined,
      signature: SIGNATURE || undefined,
    },
    { chainIds, ...window },
  );
  if (!verification.ok) throw headerError(CODES, verification, headers, window);
  const { address: owner, nonce } = verification;
  return { owner, apiKey: '', purpose: 'trading', nonce, hmac: NO_HMAC };
}
