/**
 * A listener. It takes a request from the socket to its handler and writes the answer:
 *
 * 1. `#accept` copies the request and checks how its body ends;
 * 2. `#dispatch` finds the route, refuses under overload or over a rate limit, and reads the body;
 * 3. `#run` authenticates the caller (an operator: in step 2), refuses what only a sandbox has,
 *    checks input, calls the handler;
 * 4. the `Answerer` makes the reply of the result or failure, writes, measures and logs it.
 *
 * Everything it knows about an endpoint is the endpoint's route definition.
 *
 * Invariant: a request is copied before anything is awaited, because its memory is reused. A
 * response that was aborted is never touched again. Failures are answered in JSON. An unexpected
 * failure is logged under its request id, and its client learns only that id.
 * Bound: `HTTP_BOUNDS` of head, body and requests that are handled at once.
 *
 * The socket library decides some things before it calls us. A request that is pipelined behind one
 * that is not answered yet, or whose answer the client has not read, closes the connection (the
 * first one may have been carried out). The answers 431, 400 (bad framing, or no Host) and 505 are
 * not JSON. A connection whose request has no header at all is closed without an answer.
 */
import {
  type Admission,
  type Caller,
  ignoredHeader,
  type LoadGate,
  NO_AUTH_HEADERS,
  parseJson,
  type RequestObserver,
  type RouteDefinition,
  readAuthHeaders,
  readDialect,
  servicesFor,
  type Tracer,
} from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { DEFAULT_DIALECT, type Dialect, type HeaderList } from '../codec/index.ts';
import { ApiError, echo, overloadedBy } from '../errors/index.ts';
import type { Operator } from '../operators/operator-gate.ts';
import {
  type AddressReader,
  createAddressReader,
  isLoopbackHost,
} from '../socket/client-address.ts';
import { RenewableApp } from '../socket/renewable-app.ts';
import {
  allOf,
  type HttpRequest,
  type HttpResponse,
  type SocketHost,
  type TlsFiles,
  watchConnections,
} from '../socket/socket-library.ts';
import { Answerer, NOT_READY_PAGE, RequestIds, refuseForeignPage } from './answerer.ts';
import { authenticate, type Gate } from './authenticate.ts';
import { BodyReader, whenComplete } from './body.ts';
import { Connections } from './connection-bound.ts';
import { handshakeFault, type RequestHead, readRequestHead } from './framing.ts';
import {
  countedOf,
  type Incoming,
  infoOf,
  NO_PLAIN_HEADERS,
  NO_SITE,
  readPlainHeaders,
  readSite,
  senderOf,
  timeOf,
} from './incoming.ts';
import type { ServerOptions, ServerParts } from './options.ts';
import { errorReply, PREFLIGHT } from './reply.ts';
import { ReplyWriter } from './reply-writer.ts';
import { createEndpoint, type Endpoint, type Found, isCheapToCheck, Router } from './router.ts';

/** The others sign path and body with an HMAC. */
const WITHOUT_HMAC: readonly string[] = ['none', 'l1', 'operator'];

type Target = Extract<Found<Endpoint>, { kind: 'route' }>;
type Parts = Gate & Omit<ServerParts<unknown>, 'services'>;
type State = 'starting' | 'open' | 'stopping';

const EMPTY_BODY = new Uint8Array(0);
const NO_HEADERS: HeaderList = [];
const LOOPBACK = '127.0.0.1';
function NOTHING_TO_DROP(): void {}

export class Server<Services extends object = object> {
  readonly #cors: boolean;
  readonly #dialect: Dialect;
  readonly #router = new Router<Endpoint>();
  readonly #app: RenewableApp;
  readonly #admission: Admission | undefined;
  readonly #loadGate: LoadGate | undefined;
  readonly #observer: RequestObserver | undefined;
  readonly #tracer: Tracer | undefined;
  #socketHost: SocketHost | undefined;
  readonly #addresses: AddressReader;
  /** Whether only this machine can reach it. */
  #isLocal = false;
  #port = 0;
  readonly #hasSandbox: boolean;
  readonly #pendingLimit: number;
  readonly #bodies: BodyReader;
  readonly replies: ReplyWriter;
  readonly connections: Connections;
  readonly #answers: Answerer;
  /** Whether rate limits or overload protection need the client's address. */
  readonly #needsAddress: boolean;
  readonly #ids = new RequestIds();
  readonly #endpoints = new Map<RouteDefinition<keyof Services & string>, Endpoint>();
  #parts: Parts | undefined;
  #state: State = 'starting';
  /** How often it was suspended. */
  #suspensions = 0;
  #pending = 0;
  /** The requests that `#onIdle` does not wait for. */
  #spared = 0;
  #onIdle: () => void = () => {};

  constructor(options: ServerOptions<Services>) {
    const { routes, cors, log, admission, observer, trustedProxies = [], tls } = options;
    this.#app = new RenewableApp(tls);
    this.#cors = cors;
    this.#dialect = options.dialect ?? DEFAULT_DIALECT;
    this.#admission = admission;
    this.#loadGate = options.loadGate;
    this.#needsAddress = (admission ?? options.loadGate) !== undefined;
    this.#observer = observer;
    this.#tracer = options.tracer;
    this.#addresses = createAddressReader(trustedProxies);
    this.#hasSandbox = options.hasSandbox ?? false;
    this.#pendingLimit = options.pendingLimit ?? HTTP_BOUNDS.pendingRequests;
    this.#bodies = new BodyReader(options.partialBodyBytes ?? HTTP_BOUNDS.partialBodyBytes);
    const unreadBytes = options.unreadBytes ?? HTTP_BOUNDS.unreadBytes;
    this.connections = new Connections(options.connections ?? Number.POSITIVE_INFINITY, (most) =>
      log.warn(`${most} connections are open, and new ones are closed: see connection-bound.ts`),
    );
    this.replies = new ReplyWriter(unreadBytes, () => this.#checkIdle());
    this.#answers = new Answerer({ replies: this.replies, log, cors, observer });
    for (const route of routes) {
      const endpoint = createEndpoint(route);
      this.#endpoints.set(route, endpoint);
      this.#router.add(route, endpoint);
    }
    watchConnections(this.#app, this.connections);
    if (options.sockets !== undefined) this.useSockets(options.sockets);
    this.#app.any('/*', (response, request) => this.#accept(response, request));
  }

  /**
   * Listens, and answers `service_not_ready` until `open`. Returns the port, which the system
   * chooses if `port` is 0. Throws when the port can't be used.
   */
  async listen(host: string, port: number): Promise<number> {
    this.#isLocal = isLoopbackHost(host);
    const listening = this.#app.listen(host, port);
    this.#port = listening ?? 0;
    if (listening !== undefined) return listening;
    throw new Error(
      `Cannot listen on ${host}:${port}. Another program has the port, or this machine has no ` +
        'such address, or the port needs more rights. Port 0 takes any free one.',
    );
  }

  /** The port on which it listens; 0 before. */
  get port(): number {
    return this.#port;
  }

  /**
   * New connections get another certificate, and open ones keep theirs. Throws, and changes
   * nothing, if the files can't be used.
   */
  renewTls(tls: TlsFiles): void {
    this.#app.renew(tls);
  }

  /** When the certificate of new connections ends, ms since the epoch; undefined without TLS. */
  get certificateEndMs(): number | undefined {
    return this.#app.certificateEndMs;
  }

  /** Starts to handle requests. */
  open({ services, ...parts }: ServerParts<Services>): void {
    for (const [route, endpoint] of this.#endpoints) {
      endpoint.services = servicesFor(route, services);
    }
    this.#parts = { ...parts, admission: this.#admission };
    this.#state = 'open';
  }

  /** From now on, sockets are those of `host`. Those of an earlier host must be closed. */
  useSockets(host: SocketHost): void {
    this.#socketHost = host;
    host.attach(this.#app, (response, request) => this.#admitSocket(response, request));
  }

  /**
   * Refuses new requests as before `open`, which may then be called again, with other services.
   * Resolves when those in flight are answered, except for `spared` ones, or when the grace is
   * over. Any that are answered later are refused, unless their route says that it
   * `outlivesServices`.
   */
  async suspend(spared: number): Promise<void> {
    this.#state = 'starting';
    this.#parts = undefined;
    await this.#whenIdle(HTTP_BOUNDS.suspendGraceMs, spared);
    this.#suspensions += 1;
  }

  /** Requests that are being handled. */
  get pending(): number {
    return this.#pending;
  }

  /** Refuses new requests, and closes when those in flight are answered or the grace is over. */
  async close(): Promise<void> {
    if (this.#state === 'stopping') return;
    this.#state = 'stopping';
    this.#app.stopListening();
    await this.#whenIdle(HTTP_BOUNDS.closeGraceMs, 0);
    this.#socketHost?.close();
    this.#app.close();
  }

  #whenIdle(graceMs: number, spared: number): Promise<void> {
    this.#spared = spared;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#checkIdle();
    });
  }

  /** Copies the request, whose memory the library takes back when this returns. */
  #accept(response: HttpResponse, request: HttpRequest): void {
    const arrivedMs = performance.now();
    const method = request.getCaseSensitiveMethod();
    const { framing, hosts, header } = readRequestHead(request);
    const requestId = this.#ids.of(header('x-request-id'));
    const incoming: Incoming = {
      response,
      requestId,
      method,
      path: request.getUrl(),
      query: request.getQuery() ?? '',
      userAgent: '',
      site: NO_SITE,
      plainHeaders: NO_PLAIN_HEADERS,
      address: this.#needsAddress ? this.#readAddress(response, request) : '',
      arrivedMs,
      trace: this.#tracer?.begin(requestId, arrivedMs, () => header('traceparent')),
      headers: NO_AUTH_HEADERS,
      dialect: this.#dialect,
      route: undefined,
      surface: '',
      further: NO_HEADERS,
      framing,
      dropBody: NOTHING_TO_DROP,
      isOver: false,
    };
    response.onAborted(() => {
      const isAnswered = incoming.isOver && !this.replies.drop(response);
      incoming.isOver = true;
      incoming.dropBody();
      if (isAnswered) return;
      this.#answers.aborted(incoming);
    });
    try {
      if (framing === 'ambiguous') throw new ApiError('ambiguous_body_length');
      if (hosts > 1)
        throw new ApiError('ambiguous_host', { field: 'Host', limit: 1, actual: hosts });
      if (method === 'OPTIONS' && this.#cors) this.#answers.reply(incoming, PREFLIGHT);
      else this.#dispatch(incoming, header);
    } catch (failure) {
      this.#answers.fail(incoming, failure);
    }
  }

  /** The address of a client that opens a WebSocket; undefined if it was refused. */
  #admitSocket(response: HttpResponse, request: HttpRequest): string | undefined {
    const isOpen = this.#state === 'open' && (this.#parts?.state?.isCurrent ?? true);
    const fault = isOpen ? handshakeFault(request) : new ApiError('service_not_ready');
    if (fault === undefined) return this.#readAddress(response, request);
    const reply = errorReply(fault, { dialect: this.#dialect });
    const requestId = this.#ids.of(request.getHeader('x-request-id'));
    const context = { requestId, cors: this.#cors, isHead: false, isLast: false };
    response.onAborted(() => this.replies.drop(response));
    this.replies.write(response, reply, { ...context, further: NO_HEADERS });
    return undefined;
  }

  #readAddress(response: HttpResponse, request: HttpRequest): string {
    const { readsHeader } = this.#addresses;
    // The library's call costs as much as the rest of a short read, and here the answer is known.
    if (this.#isLocal && !readsHeader) return LOOPBACK;
    const peer = Buffer.from(response.getRemoteAddressAsText()).toString();
    return this.#addresses.addressOf(peer, readsHeader ? allOf(request, 'x-forwarded-for') : '');
  }

  #dispatch(incoming: Incoming, header: RequestHead['header']): void {
    if (this.#state !== 'open' && !this.#isProbe(incoming)) {
      if (!header('accept').includes('text/html')) throw new ApiError('service_not_ready');
      this.#answers.reply(incoming, NOT_READY_PAGE, 'service_not_ready');
      return;
    }
    const target = this.#publicInstead(this.#find(incoming), header);
    const endpoint = target.target;
    const { route } = endpoint;
    incoming.route = route;
    incoming.surface = target.surface;
    incoming.trace?.routed(route);
    const parts = this.#parts;
    if (parts === undefined) {
      this.#answers.succeed(incoming, route.whenStarting?.());
      return;
    }
    parts.state?.check(route);
    this.#checkPending(route, this.#pending);
    if (!this.#cors) refuseForeignPage(route, { header, isLocal: this.#isLocal });
    readPlainHeaders(incoming, header);
    readSite(incoming, header, { isSecure: this.#app.isSecure, addresses: this.#addresses });
    if (route.auth !== 'none') {
      incoming.headers = readAuthHeaders(route.auth, header);
      incoming.dialect = incoming.headers.dialect ?? this.#dialect;
      incoming.userAgent = header('user-agent');
    } else if (route.byDialect) {
      incoming.dialect = readDialect(header) ?? this.#dialect;
    }
    if (route.givesWay) this.#loadGate?.admit(senderOf(incoming, parts.authentication));
    // Refuse before the body has arrived.
    if (route.auth === 'none') this.#admit(incoming, undefined, 1);
    else if (!isCheapToCheck(route.auth)) this.#admission?.admitAttempt(incoming.address);
    // An operator does not sign the body, so the token is checked before the body takes room.
    if (route.auth === 'operator') {
      const head = { method: incoming.method, paths: [], body: EMPTY_BODY, ...timeOf(parts.clock) };
      authenticate(incoming, route, head, parts);
    }
    incoming.trace?.passed('admission');
    const isUnsigned = route.auth === 'none' || route.auth === 'operator';
    if (!endpoint.takesBody && isUnsigned && incoming.framing !== 'chunked') {
      this.#handle(incoming, target, EMPTY_BODY, parts);
      return;
    }
    const limit = route.bodyBytes ?? HTTP_BOUNDS.bodyBytes;
    incoming.dropBody = this.#bodies.read(incoming.response, limit, {
      done: (body) => whenComplete(incoming, () => this.#handle(incoming, target, body, parts)),
      refused: (error) => this.#answers.fail(incoming, error),
    });
  }

  /** Called before anything is spent on a request: refusing must be far cheaper than serving. */
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
    throw new ApiError('route_unknown', { ...asked, routes: this.#router.nearest(path) });
  }

  /** The public route for this path, if the listener has it and no auth headers came. */
  #publicInstead(found: Target, header: (name: string) => string): Target {
    const { auth, publicPath } = found.target.route;
    if (publicPath === undefined || found.surface === 'clob') return found;
    if (readAuthHeaders(auth, header).dialect !== undefined) return found;
    const instead = this.#router.find('GET', publicPath);
    return instead.kind === 'route' ? instead : found;
  }

  /** Handles a request with its whole body, which is valid until the first await. */
  #handle(incoming: Incoming, target: Target, body: Uint8Array, parts: Parts): void {
    this.#pending += 1;
    const suspensions = this.#suspensions;
    let result: unknown;
    try {
      if (parts !== this.#parts) throw new ApiError('service_not_ready');
      // Again, because the body may have taken long to arrive.
      parts.state?.check(target.target.route);
      this.#checkPending(target.target.route, this.#pending - 1);
      result = this.#run(incoming, target, body, parts);
    } catch (failure) {
      this.#answers.fail(incoming, failure);
      this.#leave();
      return;
    }
    if (!(result instanceof Promise)) {
      this.#answers.succeed(incoming, result);
      this.#leave();
      return;
    }
    result.then(
      (value: unknown) => {
        const isStale = suspensions !== this.#suspensions;
        if (!isStale || target.target.route.outlivesServices) {
          this.#answers.succeed(incoming, value);
        } else this.#answers.fail(incoming, new ApiError('service_not_ready'));
        this.#leave();
      },
      (failure: unknown) => {
        this.#answers.fail(incoming, failure);
        this.#leave();
      },
    );
  }

  #run(incoming: Incoming, found: Target, body: Uint8Array, parts: Parts): unknown {
    const { method, path, query } = incoming;
    const { route, checks, services } = found.target;
    const { trace } = incoming;
    trace?.passed('body');
    const time = timeOf(parts.clock);
    const paths = found.path === path ? [path] : [found.path, path];
    const signed = { method, paths, body, ...time };
    // Again, because the body may have taken long to arrive.
    if (route.givesWay) this.#loadGate?.admit(senderOf(incoming, parts.authentication));
    const caller = authenticate(incoming, route, signed, parts);
    trace?.passed('authentication');
    // The HMAC does not separate path and body: it could be the end of another request's path.
    if (!found.target.takesBody && body.length > 0 && !WITHOUT_HMAC.includes(route.auth)) {
      throw new ApiError('invalid_payload', { field: 'body', limit: 0, actual: body.length });
    }
    if (route.sandbox && !this.#hasSandbox) throw new ApiError('sandbox_only');
    const checkedBody = this.#countedBody(incoming, found.target, caller, body);
    const isStopping = this.#state === 'stopping';
    this.#observer?.received(performance.now() - incoming.arrivedMs);
    const params = checks.params(found.params);
    const { values, ignored } = checks.query(query);
    if (ignored.length > 0) incoming.further = [...incoming.further, ...ignoredHeader(ignored)];
    const input = {
      params,
      query: values,
      body: checkedBody,
      caller,
      request: infoOf(incoming, time, isStopping),
      services,
    };
    trace?.passed('validation');
    if (parts.interceptor?.isActive !== true) return route.handler(input);
    return parts.interceptor.handle({ route, input, method, path: found.path, answer: incoming });
  }

  /** The checked body. Counts the request if its route is not public; an invalid batch as one. */
  #countedBody(
    incoming: Incoming,
    { route, checks, takesBody }: Endpoint,
    caller: Caller | Operator | undefined,
    body: Uint8Array,
  ): unknown {
    const read = (): unknown => (takesBody ? checks.body(parseJson(body)) : undefined);
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

  #admit(incoming: Incoming, caller: Caller | Operator | undefined, weight: number): void {
    if (this.#admission === undefined) return;
    const limits = this.#admission.admit(countedOf(incoming, caller, weight));
    incoming.further = [...incoming.further, ...limits];
  }

  #leave(): void {
    this.#pending -= 1;
    this.#checkIdle();
  }

  #checkIdle(): void {
    if (this.#pending <= this.#spared && this.replies.isIdle) this.#onIdle();
  }
}
