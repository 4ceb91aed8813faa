/** Finds out who sent a request, and counts wrong credentials. */
import type {
  Admission,
  Authentication,
  Caller,
  RouteDefinition,
  SignedRequest,
} from '../api/index.ts';
import { ApiError } from '../errors/index.ts';
import type { Operator } from '../operators/operator-gate.ts';
import { countedOf, type Incoming } from './incoming.ts';
import { isCheapToCheck } from './router.ts';

/** What the check needs of a listener. */
export interface Gate {
  readonly authentication: Authentication;
  /** undefined without rate limits. */
  readonly admission: Admission | undefined;
}

/**
 * Who sent a request; undefined where the route asks for no credentials, or none came and it needs
 * none. Wrong credentials count against the address that sends them. Keys and the operator's token
 * are cheap to check, so a correct one is never refused for the failures of others behind its
 * address: only a wrong one gets 429 in place of 401. A wallet's signature is costly to check and
 * counts by address, so an address over its limit is refused first.
 */
export function authenticate(
  incoming: Incoming,
  route: RouteDefinition,
  signed: SignedRequest,
  { authentication, admission }: Gate,
): Caller | Operator | undefined {
  if (route.auth === 'none') return undefined;
  const { headers, address, trace } = incoming;
  if (!isCheapToCheck(route.auth)) admission?.admitAttempt(address);
  if (route.auth === 'l1') admission?.check(countedOf(incoming, undefined, 1));
  try {
    const caller = authentication.callerOf(route, headers, signed);
    return caller && { ...caller, address, trace };
  } catch (failure) {
    const isUnproved = failure instanceof ApiError && failure.entry.status === 401;
    if (isUnproved) {
      admission?.admitAttempt(address);
      admission?.countFailure(address);
    }
    throw failure;
  }
}
