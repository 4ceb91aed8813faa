/**
 * One request on its way through a listener: what was copied of it, for the socket library takes
 * its memory back at once, and how it is counted.
 *
 * Invariant: `isOver` is set before its response can no longer be touched, and never taken back.
 */
import type {
  Authentication,
  AuthHeaders,
  Caller,
  Counted,
  RouteDefinition,
  Sender,
  Surface,
} from '../api/index.ts';
import type { HeaderList } from '../codec/index.ts';
import type { HttpResponse } from '../socket/index.ts';
import type { Framing } from './framing.ts';

/** One request: what was copied of it, and where its answer goes. */
export interface Incoming {
  readonly response: HttpResponse;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  userAgent: string;
  headers: AuthHeaders;
  route: RouteDefinition | undefined;
  surface: Surface;
  /** Of the client; '' where nobody asks for it. */
  readonly address: string;
  /** Of the monotonic clock. */
  readonly arrivedMs: number;
  limits: HeaderList;
  /** Where its body ends; but for a plain one, nothing more of the connection is read. */
  readonly framing: Framing;
  /** Lets go of what has come of its body. */
  dropBody: () => void;
  /** Aborted or answered: the response may not be touched any more. */
  isOver: boolean;
}

/** As the rate limits count it. */
export function countedOf(
  { route, path, surface, query, address }: Incoming,
  caller: Caller | undefined,
  weight: number,
): Counted {
  const { apiKey = '', owner = '' } = caller ?? {};
  return { route, path, surface, query, address, apiKey, owner, weight };
}

/** Who sends it, as its headers claim: good enough to refuse the ones that send too much. */
export function senderOf(
  { address, route, headers }: Incoming,
  authentication: Authentication,
): Sender {
  const owner = route === undefined ? '' : authentication.claimedOwner(route.auth, headers);
  return { address, owner };
}
