/** Implements `Authentication`: the server uses it to learn who sends a request. */
import {
  type Auth,
  type Authentication,
  type AuthHeaders,
  type Caller,
  hasNoHeaders,
  type RouteDefinition,
  type SignedRequest,
} from '../api/index.ts';
import type { Operator, OperatorGate } from '../operators/operator-gate.ts';
import type { Settings } from '../settings/settings.ts';
import type { AuthFault } from '../signing/auth-headers.ts';
import { verifyL1 } from '../signing/l1.ts';
import type { Registry } from '../views/index.ts';
import type { KeyRing } from './key-ring.ts';
import { authenticateL2, headerError } from './levels.ts';

/** L1 authentication of the two credential routes: a wallet's EIP-712 signature (wire 2.2). */
const CODES = {
  missing: 'l1_missing_header',
  malformed: 'l1_malformed_header',
  stale: 'l1_stale_timestamp',
  signature_mismatch: 'l1_bad_signature',
} as const satisfies Record<AuthFault, string>;

const NO_HMAC = new Uint8Array(0);

/** The wallet that signed the headers. Throws the `ApiError` of the first fault. */
function authenticateL1(
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

export interface AuthenticationParts {
  readonly settings: Pick<Settings, 'chainIds' | 'authWindowMs'>;
  readonly keyRing: KeyRing;
  readonly operators: OperatorGate;
  readonly registry: Pick<Registry, 'apiKey'>;
}

export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { settings, keyRing, operators, registry } = parts;

  function byKey(headers: AuthHeaders, request: SignedRequest): Caller {
    return authenticateL2(headers, request, { keyRing, windowMs: settings.authWindowMs });
  }

  /** Wrong builder headers are refused: a builder's order is attributed or not placed. */
  function withBuilder(
    caller: Caller,
    headers: AuthHeaders | undefined,
    request: SignedRequest,
  ): Caller {
    return headers === undefined ? caller : { ...caller, builder: byKey(headers, request).owner };
  }

  function callerOf(
    { auth, role }: Pick<RouteDefinition, 'auth' | 'role'>,
    headers: AuthHeaders,
    request: SignedRequest,
  ): Caller | Operator | undefined {
    switch (auth) {
      case 'l1':
        return authenticateL1(headers, settings, request);
      case 'l2_of_builder':
        return withBuilder(byKey(headers, request), headers.builder, request);
      case 'l2':
      case 'may_l2':
      case 'builder':
      case 'may_builder':
        if (auth === 'may_l2' && hasNoHeaders(headers)) return undefined;
        if (auth === 'may_builder' && !headers.isBuilder) return undefined;
        return byKey(headers, request);
      case 'operator':
        return operators.admit(headers.authorization, role);
      case 'none':
        return undefined;
    }
  }

  function claimedOwner(auth: Auth, { values }: AuthHeaders): string {
    if (auth === 'l1') return values.ADDRESS.toLowerCase();
    return registry.apiKey(values.API_KEY)?.owner ?? '';
  }

  return { callerOf, claimedOwner };
}
