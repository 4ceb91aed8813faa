/**
 * Keeps pages of other sites away from a listener that only its own pages may use.
 *
 * A browser adds no credentials of the operator by itself, so a foreign page could do nothing that
 * needs the token even without these checks. They are here so that this does not depend on how the
 * token is sent, and so that no other site can show the operator's page as its own: a name of that
 * site may lead to this machine (DNS rebinding), and the page would then run in its origin.
 */
import { hostNameOf, isForeignPage, type RouteDefinition } from '../api/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { isLoopbackHost } from '../socket/index.ts';

interface Entrance {
  readonly header: (name: string) => string;
  /** Whether only this machine can reach the listener. */
  readonly isLocal: boolean;
}

/**
 * Throws `foreign_origin` for a request that a page of another origin makes, and `foreign_host` for
 * a page that is asked for by a name that is not this machine's. Requests with a token may use any
 * name, because no browser sends them for another site; so may probes of health.
 */
export function refuseForeignPage(
  { auth, whenStarting }: Pick<RouteDefinition, 'auth' | 'whenStarting'>,
  { header, isLocal }: Entrance,
): void {
  const [origin, host] = [header('origin'), header('host')];
  if (isForeignPage(origin, host)) {
    throw new ApiError('foreign_origin', {
      field: 'Origin',
      limit: echo(host),
      actual: echo(origin),
    });
  }
  const isPage = auth === 'none' && whenStarting === undefined;
  if (isPage && isLocal && !isLoopbackHost(hostNameOf(host))) {
    throw new ApiError('foreign_host', { field: 'Host', actual: echo(host) });
  }
}
