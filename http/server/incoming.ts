/**
 * One request on its way through a listener: the parts that were copied from it, and how it counts.
 *
 * Invariant: `isOver` is set before the response becomes unusable, and is never reset.
 */
import {
  type Authentication,
  type AuthHeaders,
  type Caller,
  type Counted,
  type RequestInfo,
  type RequestTrace,
  type RouteDefinition,
  type Sender,
  type Site,
  type Surface,
  siteOf,
} from '../api/index.ts';
import type { Dialect, HeaderList } from '../codec/index.ts';
import type { Operator } from '../operators/operator-gate.ts';
import type { AddressReader } from '../socket/client-address.ts';
import type { HttpResponse } from '../socket/socket-library.ts';
import type { Framing } from './framing.ts';
import type { ServerClock } from './options.ts';

export interface Incoming {
  readonly response: HttpResponse;
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  userAgent: string;
  site: Site;
  /** Those that the route reads. */
  plainHeaders: Readonly<Record<string, string>>;
  headers: AuthHeaders;
  dialect: Dialect;
  route: RouteDefinition | undefined;
  surface: Surface;
  /** The client's address; '' where nothing needs it. */
  readonly address: string;
  /** By the monotonic clock. */
  readonly arrivedMs: number;
  /** undefined unless the request is sampled. */
  readonly trace: RequestTrace | undefined;
  /** Headers of its answer: rate limits, ignored parameters. */
  further: HeaderList;
  /** How the end of its body is marked. Unless `plain`, the connection is closed afterwards. */
  readonly framing: Framing;
  /** Frees the parts of its body that have arrived. */
  dropBody: () => void;
  /** Aborted or answered: the response may not be touched any more. */
  isOver: boolean;
}

const NO_CALLER = { apiKey: '', owner: '' } as const;

/** The request as the rate limits count it. */
export function countedOf(
  { route, path, surface, query, address }: Incoming,
  caller: Caller | Operator | undefined,
  weight: number,
): Counted {
  const { apiKey, owner } = caller !== undefined && 'apiKey' in caller ? caller : NO_CALLER;
  return { route, path, surface, query, address, apiKey, owner, weight };
}

export const NO_SITE: Site = { host: '', pictureBase: '' };

interface Entrance {
  /** Whether the listener has a certificate. */
  readonly isSecure: boolean;
  readonly addresses: AddressReader;
}

/** For caches: a page of another origin gets other URLs of pictures. */
const VARIES: HeaderList = [['vary', 'Origin']];

export const NO_PLAIN_HEADERS: Readonly<Record<string, string>> = {};

export function readPlainHeaders(incoming: Incoming, header: (name: string) => string): void {
  const names = incoming.route?.readsHeaders;
  if (names === undefined) return;
  incoming.plainHeaders = Object.fromEntries(names.map((name) => [name, header(name)]));
}

/** Notes the site for a route that needs it: each header costs a call of the library. */
export function readSite(
  incoming: Incoming,
  header: (name: string) => string,
  { isSecure, addresses }: Entrance,
): void {
  const { route, response } = incoming;
  if (!route?.readsHost && !route?.showsPictures) return;
  const isProxied = (): boolean =>
    addresses.isProxy(Buffer.from(response.getRemoteAddressAsText()).toString());
  incoming.site = siteOf(
    header,
    () => isSecure || (header('x-forwarded-proto') === 'https' && isProxied()),
  );
  if (route.showsPictures) incoming.further = VARIES;
}

/** The time of a request, by the server's clock and by the wall clock. */
export function timeOf(clock: ServerClock): Pick<RequestInfo, 'nowMs' | 'wallMs'> {
  const nowMs = clock.shownMs();
  return { nowMs, wallMs: nowMs - clock.offsetMs };
}

/** What a handler may know of the request. */
export function infoOf(
  { requestId, dialect, userAgent, site, plainHeaders: headers, surface }: Incoming,
  { nowMs, wallMs }: Pick<RequestInfo, 'nowMs' | 'wallMs'>,
  isStopping: boolean,
): RequestInfo {
  const { host, pictureBase } = site;
  const sent = { requestId, dialect, userAgent, host, pictureBase, headers };
  return { ...sent, nowMs, wallMs, surface, isStopping };
}

/** The sender that its headers claim: enough to refuse an overload early. */
export function senderOf(
  { address, route, headers }: Incoming,
  authentication: Authentication,
): Sender {
  const owner = route === undefined ? '' : authentication.claimedOwner(route.auth, headers);
  return { address, owner };
}
