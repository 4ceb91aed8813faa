import type { Auth, AuthHeaders, Caller } from '../api/index.ts';
import type { Services } from '../services/index.ts';
import { authenticateL1 } from './level-one.ts';
import { authenticateL2, type SignedRequest } from './level-two.ts';

/**
 * Who is asking; undefined on public routes, and where a builder may ask and none did. Throws the
 * `ApiError` of what is wrong with the credentials.
 */
export function authenticate(
  auth: Auth,
  headers: AuthHeaders,
  request: SignedRequest & { readonly nowMs: number },
  { settings, keyRing, operatorGate }: Services,
): Caller | undefined {
  const { nowMs, ...signed } = request;
  switch (auth) {
    case 'l1':
      return authenticateL1(headers, settings, nowMs);
    case 'l2':
    case 'builder':
    case 'may_builder':
      if (auth === 'may_builder' && !headers.isBuilder) return undefined;
      return authenticateL2(headers, signed, { keyRing, nowMs, windowMs: settings.authWindowMs });
    case 'operator':
      operatorGate.admit(headers.authorization);
      return undefined;
    case 'none':
      return undefined;
  }
}
