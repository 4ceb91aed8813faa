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
import type { Operator, OperatorGate } from '../operators/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Registry } from '../views/index.ts';
import type { KeyRing } from './key-ring.ts';
import { authenticateL1 } from './level-one.ts';
import { authenticateL2 } from './level-two.ts';

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
