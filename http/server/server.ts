/**
 * A listener: sockets to checked input to handlers to replies. Everything it knows of an endpoint
 * is its entry in the table of routes.
 *
 * Invariant: what is needed of a request is copied before anything is awaited; a response that was
 * aborted is never touched again; every request gets JSON; an unknown failure is logged under its
 * request id and tells its client nothing else.
 * Bound: `HTTP_BOUNDS` of head, body and requests being handled at once.
 *
 * Not ours to change, for the library does it before it calls us: a request that is pipelined
 * behind one that is still being answered, or whose answer its client has not taken, closes the
 * connection (what was sent first may have been done); 431, 400 (bad framing, or no Host) and 505
 * are not JSON; a request without any header is closed unanswered.
 */
import { strict as assert } from 'node:assert';
import { Type } from 'typebox';
import type {
  Admission,
  Authentication,
  LoadGate,
  Logger,
  RequestObserver,
  SignedRequest,
} from '../api/index.ts';
import {
  type Auth,
  type Caller,
  compileRoute,
  NO_AUTH_HEADERS,
  parseJson,
  RawReply,
  type RouteChecks,
  type RouteDefinition,
  readAuthHeaders,
  servicesFor,
} from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import type { HeaderList } from '../codec/index.ts';
import { ApiError, echo, overloadedBy, toApiError } from '../errors/index.ts';
import type { TlsFiles } from '../socket/index.ts';
import {
  type AddressReader,
  allOf,
  closeListener,
  createAddressReader,
  createApp,
  type HttpRequest,
  type HttpResponse,
  isLoopbackHost,
  type Listener,
  listenOn,
  portOf,
  type SocketHost,
  watchSockets,
} from '../socket/index.ts';
import { BodyReader } from './body.ts';
import { framingOf } from './framing.ts';
import { countedOf, type Incoming, senderOf } from './incoming.ts';
import { errorReply, jsonReply, PREFLIGHT, type Reply } from './reply.ts';
import { ReplyWriter } from './reply-writer.ts';
import { RequestIds } from './request-ids.ts';
import { type Found, Router } from './router.ts';

/** What a listener gets once the exchange runs. */
export interface ServerParts<Services> {
  /** All that its routes may name. */
  readonly services: Services;
  readonly authentication: Authentication;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface ServerOptions<Services extends object = object> {
  readonly routes: readonly RouteDefinition<keyof Services & string>[];
  /** Whether pages of any origin may call it (wire 0.8). */
  readonly cors: boolean;
  readonly log: Logger;
  /** Rate limits; without it nothing is counted. */
  readonly admission?: Admission;
  /** Whether there is time for one more; without it only what is full refuses. */
  readonly loadGate?: LoadGate;
  /** Metrics. */
  readonly observer?: RequestObserver;
  /** WebSockets. */
  readonly sockets?: SocketHost;
  /** Addresses and ranges of proxies whose X-Forwarded-For counts. */
  readonly trustedProxies?: readonly string[];
  readonly tls?: TlsFiles;
  /** Requests being handled at once, where that is not `HTTP_BOUNDS.pendingRequests`. */
  readonly pendingLimit?: number;
  /** Bytes of bodies in part, where that is not `HTTP_BOUNDS.partialBodyBytes`. */
  readonly partialBodyBytes?: number;
  /** Bytes of replies that clients have not taken, where that is not `HTTP_BOUNDS.unreadBytes`. */
  readonly unreadBytes?: number;
}

/** A route with its compiled schemas and its services. */
interface Endpoint {
  readonly route: RouteDefinition;
  readonly checks: RouteChecks;
  /** Whether its schema is another than `NO_BODY`. */
  readonly takesBody: boolean;
  /** Those that it names; none before the listener is open. */
  services: object;
}

type Target = Extract<Found<Endpoint>, { kind: 'route' }>;
type Parts = Omit<ServerParts<unknown>, 'services'>;
type State = 'starting' | 'open' | 'stopping';

const EMPTY_BODY = new Uint8Array(0);
const NO_SERVICES = {};
const NO_LIMITS: HeaderList = [];
const LOOPBACK = '127.0.0.1';
function NOTHING_TO_DROP(): void {}

export class Server<Services extends object = object> {
  readonly #log: Logger;
  readonly #cors: boolean;
  readonly #router = new Router<Endpoint>();
  readonly #app: ReturnType<typeof createApp>;
  readonly #admission: Admission | undefined;
  readonly #loadGate: LoadGate | undefined;
  readonly #observer: RequestObserver | undefined;
  readonly #socketHost: SocketHost | undefined;
  readonly #addresses: AddressReader;
  /** Whether it listens where nobody but this machine can come from. */
  #isLocal = false;
  readonly #pendingLimit: number;
  readonly #bodies: BodyReader;
  /** With what clients have not taken yet. */
  readonly replies: ReplyWriter;
  /** Whether each request gets a line. */
  readonly #logsRequests: boolean;
  /** Whether anybody asks where requests come from. */
  readonly #needsAddress: boolean;
  readonly #ids = new RequestIds();
  #listener: Listener | undefined;
  /** By which the routes get their services when the listener opens. */
  readonly #opened: ((services: Services) => void)[] = [];
  #parts: Parts | undefined;
  #state: State = 'starting';
  #pending = 0;
  #sockets = 0;
  #onIdle: () => void = () => {};

  constructor(options: ServerOptions<Services>) {
    const { routes, cors, log, admission, observer, trustedProxies = [], tls } = options;
    this.#app = createApp(tls);
    this.#log = log;
    this.#logsRequests = log.isLevelEnabled('debug');
    this.#cors = cors;
    this.#admission = admission;
    this.#loadGate = options.loadGate;
    this.#needsAddress = (admission ?? options.loadGate) !== undefined;
    this.#observer = observer;
    this.#socketHost = options.sockets;
    this.#addresses = createAddressReader(trustedProxies);
    this.#pendingLimit = options.pendingLimit ?? HTTP_BOUNDS.pendingRequests;
    this.#bodies = new BodyReader(options.partialBodyBytes ?? HTTP_BOUNDS.partialBodyBytes);
    const unreadBytes = options.unreadBytes ?? HTTP_BOUNDS.unreadBytes;
    this.replies = new ReplyWriter(unreadBytes, () => this.#checkIdle());
    for (const route of routes) {
      const isPublicBatch = route.weight !== undefined && route.auth === 'none';
      assert(!isPublicBatch, 'a public request is counted before its body is there to be weighed');
      const endpoint: Endpoint = {
        route,
        checks: compileRoute(route),
        takesBody: !Type.IsUnknown(route.body),
        services: NO_SERVICES,
      };
      this.#router.add(route, endpoint);
      this.#opened.push((services) => {
        endpoint.services = servicesFor(route, services);
      });
    }
    watchSockets(this.#app, (change) => {
      this.#sockets += change;
    });
    this.#socketHost?.attach(this.#app, (response, request) =>
      this.#admitSocket(response, request),
    );
    this.#app.any('/*', (response, request) => this.#accept(response, request));
  }

  /**
   * Listens, and answers `service_not_ready` until `open`. Gives the real port, which matters when
   * 0 asked for any free one; throws when the port can't be had.
   */
  async listen(host: string, port: number): Promise<number> {
    this.#isLocal = isLoopbackHost(host);
    this.#listener = await listenOn(this.#app, host, port);
    if (this.#listener !== undefined) return portOf(this.#listener);
    throw new Error(
      `Can not listen on ${host}:${port}. Another program has the port, or this machine has no ` +
        'such address, or the port needs more rights. Port 0 takes any free one.',
    );
  }

  /** From now on requests are handled. */
  open({ services, authentication, now }: ServerParts<Services>): void {
    for (const open of this.#opened) open(services);
    this.#parts = { authentication, now };
    this.#state = 'open';
  }

  /** Requests that are being handled. */
  get pending(): number {
    return this.#pending;
  }

  /** Connections that are open. */
  get sockets(): number {
    return this.#sockets;
  }

  /** Takes no more requests, closes all connections once those in flight are answered (bounded). */
  async close(): Promise<void> {
    if (this.#state === 'stopping') return;
    this.#state = 'stopping';
    if (this.#listener !== undefined) closeListener(this.#listener);
    await this.#whenIdle();
    this.#socketHost?.close();
    this.#app.close();
  }

  #whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, HTTP_BOUNDS.closeGraceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#checkIdle();
    });
  }

  /** The synchronous part: copies the request, for it is gone when this returns. */
  #accept(response: HttpResponse, request: HttpRequest): void {
    const incoming: Incoming = {
      response,
      requestId: this.#ids.of(request),
      method: request.getCaseSensitiveMethod(),
      path: request.getUrl(),
      query: request.getQuery() ?? '',
      userAgent: '',
      address: this.#needsAddress ? this.#readAddress(response, request) : '',
      arrivedMs: performance.now(),
      headers: NO_AUTH_HEADERS,
      route: undefined,
      surface: '',
      limits: NO_LIMITS,
      framing: framingOf(request, request.getCaseSensitiveMethod()),
      dropBody: NOTHING_TO_DROP,
      isOver: false,
    };
    response.onAborted(() => {
      const isAnswered = incoming.isOver && !this.replies.drop(response);
      incoming.isOver = true;
      incoming.dropBody();
      if (isAnswered) return;
      this.#observer?.aborted();
      if (this.#logsRequests) this.#logRequest(incoming, 'a request was aborted', {});
    });
    try {
      if (incoming.framing === 'ambiguous') throw new ApiError('ambiguous_body_length');
      if (incoming.method === 'OPTIONS' && this.#cors) this.#reply(incoming, PREFLIGHT);
      else this.#dispatch(incoming, request);
    } catch (failure) {
      this.#fail(incoming, failure);
    }
  }

  /** The address of a client that asks for a socket; undefined for one that was refused. */
  #admitSocket(response: HttpResponse, request: HttpRequest): string | undefined {
    if (this.#state === 'open') return this.#readAddress(response, request);
    const reply = errorReply(new ApiError('service_not_ready'), NO_AUTH_HEADERS.prefix, undefined);
    const requestId = this.#ids.of(request);
    const context = { requestId, cors: this.#cors, isHead: false, isLast: false };
    response.onAborted(() => this.replies.drop(response));
    this.replies.write(response, reply, { ...context, limits: NO_LIMITS });
    return undefined;
  }

  #readAddress(response: HttpResponse, request: HttpRequest): string {
    const { readsHeader } = this.#addresses;
    // Asking the library costs as much as all the rest of a short read, so it is not asked for what
    // can't be otherwise.
    if (this.#isLocal && !readsHeader) return LOOPBACK;
    const peer = Buffer.from(response.getRemoteAddressAsText()).toString();
    return this.#addresses.addressOf(peer, readsHeader ? allOf(request, 'x-forwarded-for') : '');
  }

  #dispatch(incoming: Incoming, request: HttpRequest): void {
    if (this.#state !== 'open' && !this.#isProbe(incoming)) throw new ApiError('service_not_ready');
    const target = this.#find(incoming);
    const endpoint = target.target;
    const { route } = endpoint;
    incoming.route = route;
    incoming.surface = target.surface;
    const parts = this.#parts;
    if (parts === undefined) {
      this.#succeed(incoming, route.whenStarting?.());
      return;
    }
    this.#checkPending(route, this.#pending);
    if (route.auth !== 'none') {
      incoming.headers = readAuthHeaders(route.auth, (name) => request.getHeader(name));
      incoming.userAgent = request.getHeader('user-agent');
    }
    if (route.givesWay) this.#loadGate?.admit(senderOf(incoming, parts.authentication));
    // Whoever is refused is not waited for until all of the body is there.
    if (route.auth === 'none') this.#admit(incoming, undefined, 1);
    else if (!isByKey(route.auth)) this.#admission?.admitAttempt(incoming.address);
    if (!endpoint.takesBody && (route.auth === 'none' || route.auth === 'operator')) {
      this.#handle(incoming, target, EMPTY_BODY, parts);
      return;
    }
    const limit = route.bodyBytes ?? HTTP_BOUNDS.bodyBytes;
    incoming.dropBody = this.#bodies.read(incoming.response, limit, {
      done: (body) => this.#handle(incoming, target, body, parts),
      refused: (error) => this.#fail(incoming, error),
    });
  }

  /** Before anything is spent on a request: refusing must cost far less than serving. */
  #checkPending({ whenStarting }: RouteDefinition, others: number): void {
    if (whenStarting !== undefined || others < this.#pendingLimit) return;
    throw overloadedBy('pendingRequests', this.#pendingLimit, others);
  }

  #lookUp({ method, path }: Incoming): Found<Endpoint> {
    return this.#router.find(method === 'HEAD' ? 'GET' : method, path);
  }

  #isProbe(incoming: Incoming): boolean {
    const found = this.#lookUp(incoming);
    return found.kind === 'route' && found.target.route.whenStarting !== undefined;
  }

  #find(incoming: Incoming): Target {
    const { method, path } = incoming;
    const found = this.#lookUp(incoming);
    if (found.kind === 'route') return found;
    this.#admit(incoming, undefined, 1);
    const asked = { method: echo(method), path: echo(path) };
    if (found.kind === 'other_methods') {
      throw new ApiError('method_not_allowed', { ...asked, allowed: found.allowed });
    }
    throw new ApiError('route_unknown', { ...asked, routes: this.#router.list() });
  }

  /** From the whole request to its answer. The body is valid until the first await. */
  #handle(incoming: Incoming, target: Target, body: Uint8Array, parts: Parts): void {
    this.#pending += 1;
    let result: unknown;
    try {
      // Again, for its body may have been long on its way.
      this.#checkPending(target.target.route, this.#pending - 1);
      result = this.#run(incoming, target, body, parts);
    } catch (failure) {
      this.#fail(incoming, failure);
      this.#leave();
      return;
    }
    if (!(result instanceof Promise)) {
      this.#succeed(incoming, result);
      this.#leave();
      return;
    }
    result
      .then(
        (value: unknown) => this.#succeed(incoming, value),
        (failure: unknown) => this.#fail(incoming, failure),
      )
      .finally(() => this.#leave());
  }

  #run(incoming: Incoming, found: Target, body: Uint8Array, parts: Parts): unknown {
    const { method, path, headers, query, requestId, userAgent } = incoming;
    const { route, checks, services } = found.target;
    const nowMs = parts.now();
    const paths = found.path === path ? [path] : [found.path, path];
    const signed = { method, paths, body, nowMs };
    // Again, for its body may have been long on its way; a claim that fails is no longer one.
    if (route.givesWay) this.#loadGate?.admit(senderOf(incoming, parts.authentication));
    const caller = this.#authenticate(incoming, route, signed, parts.authentication);
    const checkedBody = this.#countedBody(incoming, found.target, caller, body);
    const isStopping = this.#state === 'stopping';
    this.#observer?.received(performance.now() - incoming.arrivedMs);
    return route.handler({
      params: checks.params(found.params),
      query: checks.query(query),
      body: checkedBody,
      caller,
      request: {
        requestId,
        nowMs,
        prefix: headers.prefix,
        userAgent,
        surface: found.surface,
        isStopping,
      },
      services,
    });
  }

  /**
   * Wrong credentials are counted against the address that sends them. Keys are cheap to check, so
   * a right one is never refused for the failures of others behind its address: only a wrong one is
   * told 429 in place of 401. A wallet's signature is dear, and its request counts by address: one
   * that is over its limit is not checked.
   */
  #authenticate(
    incoming: Incoming,
    route: RouteDefinition,
    signed: SignedRequest,
    authentication: Authentication,
  ): Caller | undefined {
    if (route.auth === 'none') return undefined;
    const { headers, address } = incoming;
    if (!isByKey(route.auth)) this.#admission?.admitAttempt(address);
    if (route.auth === 'l1') this.#admission?.check(countedOf(incoming, undefined, 1));
    try {
      const caller = authentication.callerOf(route.auth, headers, signed);
      return caller && { ...caller, address };
    } catch (failure) {
      const isUnproved = failure instanceof ApiError && failure.entry.status === 401;
      if (isUnproved) {
        this.#admission?.admitAttempt(address);
        this.#admission?.countFailure(address);
      }
      throw failure;
    }
  }

  /** The checked body; counts the request, if it was not public: a wrong batch as one. */
  #countedBody(
    incoming: Incoming,
    { route, checks, takesBody }: Endpoint,
    caller: Caller | undefined,
    body: Uint8Array,
  ): unknown {
    const read = (): unknown => (takesBody ? checks.body(parseJson(textOf(body))) : undefined);
    if (route.weight === undefined) {
      if (route.auth !== 'none') this.#admit(incoming, caller, 1);
      return read();
    }
    this.#admission?.check(countedOf(incoming, caller, 1));
    let weight = 1;
    try {
      const checked = read();
      weight = route.weight(checked);
      return checked;
    } finally {
      this.#admit(incoming, caller, weight);
    }
  }

  #admit(incoming: Incoming, caller: Caller | undefined, weight: number): void {
    if (this.#admission === undefined) return;
    incoming.limits = this.#admission.admit(countedOf(incoming, caller, weight));
  }

  #succeed(incoming: Incoming, value: unknown): void {
    try {
      const status = incoming.route?.status ?? 200;
      this.#reply(incoming, value instanceof RawReply ? value : jsonReply(status, value));
    } catch (failure) {
      this.#fail(incoming, failure);
    }
  }

  #fail(incoming: Incoming, failure: unknown): void {
    const { requestId, method, path, route, headers } = incoming;
    const known = toApiError(failure);
    if (known === undefined) {
      const asked = { requestId, method: echo(method), path: echo(path) };
      this.#log.error({ err: failure, ...asked }, 'a request failed');
    }
    const error = known ?? new ApiError('internal_error', { requestId });
    const { row, field } = error.details;
    if (error.code === 'too_many_requests') this.#observer?.limited(String(row));
    if (error.code === 'overloaded') this.#observer?.overloaded(String(field));
    this.#reply(incoming, errorReply(error, headers.prefix, route), error.code);
  }

  #reply(incoming: Incoming, reply: Reply, code = ''): void {
    if (incoming.framing === 'plain') this.#write(incoming, reply, code);
    // What was sent behind it meets one that is not answered yet, and closes the connection.
    else setImmediate(() => this.#write(incoming, reply, code));
  }

  #write(incoming: Incoming, reply: Reply, code: string): void {
    if (incoming.isOver) return;
    incoming.isOver = true;
    const { response, requestId, method, limits, route, framing } = incoming;
    const startMs = performance.now();
    const [isHead, isLast] = [method === 'HEAD', framing !== 'plain'];
    this.replies.write(response, reply, { requestId, cors: this.#cors, isHead, isLast, limits });
    const endMs = performance.now();
    this.#observer?.answered(route, reply.status, endMs - incoming.arrivedMs, endMs - startMs);
    if (!this.#logsRequests) return;
    const { status } = reply;
    this.#logRequest(incoming, 'a request', code === '' ? { status } : { status, code });
  }

  /** Without the query: it may hold what is nobody's business. */
  #logRequest(incoming: Incoming, message: string, outcome: object): void {
    const { requestId, method, path, arrivedMs } = incoming;
    const durationMs = performance.now() - arrivedMs;
    const line = { requestId, method: echo(method), path: echo(path), ...outcome, durationMs };
    this.#log.debug(line, message);
  }

  #leave(): void {
    this.#pending -= 1;
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#pending === 0 && this.replies.isIdle) this.#onIdle();
  }
}

/** Whether callers prove themselves by an API key. */
function isByKey(auth: Auth): boolean {
  return auth === 'l2' || auth === 'builder' || auth === 'may_builder';
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString();
}
