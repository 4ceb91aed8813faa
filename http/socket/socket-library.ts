/**
 * The only file that imports uWebSockets.js.
 *
 * Bound: `HTTP_BOUNDS.headBytes` of a request's head; the library answers 431 by itself.
 */
import './head-bound.ts';
import {
  App,
  type HttpResponse,
  type HttpRequest as LibraryRequest,
  SSLApp,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  type WebSocket,
  type WebSocketBehavior,
} from 'uWebSockets.js';

export type { HttpResponse, TemplatedApp, WebSocketBehavior };

/** Files of a certificate chain and its private key, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** When the certificate ends, milliseconds since the epoch. */
  readonly endMs: number;
}

/** A request. The library's types do not say that `getQuery` is undefined without a query. */
export interface HttpRequest extends Omit<LibraryRequest, 'getQuery'> {
  getQuery(): string | undefined;
}

/** Publishes to the sockets of a listener. */
export interface SocketApp {
  ws<Data>(pattern: string, behavior: WebSocketBehavior<Data>): unknown;
  publish(topic: string, message: string): unknown;
  numSubscribers(topic: string): number;
}
/** One client's WebSocket. It must not be used after it is closed. */
export type ClientSocket = WebSocket<SocketPeer>;

interface SocketPeer {
  readonly address: string;
  readonly userAgent: string;
}

/** A longer User-Agent of a socket is not kept. */
const USER_AGENT_CHARACTERS = 256;

/** The bounds and handlers of the WebSockets of one path. */
export interface SocketPath {
  /** A client that sends a longer message is disconnected. */
  readonly frameBytes: number;
  /** A client with more unread bytes than this is disconnected at the next message. */
  readonly waitingBytes: number;
  readonly idleSeconds: number;
  /** Returns the client's address, or undefined after answering the request itself. */
  readonly gate: (response: HttpResponse, request: HttpRequest) => string | undefined;
  readonly open: (socket: ClientSocket, address: string) => void;
  /** `bytes` are valid only during the call. */
  readonly message: (socket: ClientSocket, bytes: ArrayBuffer, isBinary: boolean) => void;
  /** Called while publishing: it must not close or publish anything. */
  readonly dropped: (socket: ClientSocket) => void;
  readonly drained: (socket: ClientSocket) => void;
  readonly closed: (socket: ClientSocket) => void;
}

/** Handles clients that open a WebSocket. */
export interface SocketHost {
  /** Called before the listener listens. `gate` refuses clients until it is open. */
  attach(app: SocketApp, gate: SocketPath['gate']): void;
  /** Called before the listener closes all connections. */
  close(): void;
}

/** A socket that accepts connections. */
export type Listener = us_listen_socket;

/**
 * The library's values for a port that no other process may share, and for one that may be; its
 * types lack the values. Only a shared port can be listened on while connections of an earlier
 * listener are open.
 */
const PORT_USE = { exclusive: 1, shared: 0 } as const;

/** The form of `listen` that takes all of host, port and options, which the types lack. */
type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (listener: Listener | false) => void,
) => void;

/** A listener's app: plain HTTP, or TLS if `tls` is given. Throws when its files can't be used. */
export function createApp(tls?: TlsFiles): TemplatedApp {
  if (tls === undefined) return App();
  const { certFile, keyFile } = tls;
  try {
    return SSLApp({ cert_file_name: certFile, key_file_name: keyFile });
  } catch {
    // The library gives no reason.
    throw new Error(
      `TLS can't be set up with the certificate ${certFile} and the key ${keyFile}: they must be ` +
        'readable PEM files, and the key must belong to the certificate',
    );
  }
}

/** Listens on a port; undefined if it can't be used. */
export function listenOn(
  app: TemplatedApp,
  host: string,
  port: number,
  use: keyof typeof PORT_USE = 'exclusive',
): Listener | undefined {
  // Safe: the library reads its arguments by their types and takes these four (a test listens
  // twice on one port); only its declarations leave the form out.
  const listen = app.listen.bind(app) as unknown as Listen;
  let listening: Listener | false = false;
  listen(host, port, PORT_USE[use], (listener) => {
    listening = listener;
  });
  return listening || undefined;
}

export function closeListener(listener: Listener): void {
  us_listen_socket_close(listener);
}

export function portOf(listener: Listener): number {
  return us_socket_local_port(listener);
}

/** Lets clients open WebSockets at a path. Call it before the app listens. */
export function addSocketPath(app: SocketApp, path: string, settings: SocketPath): void {
  const { frameBytes, waitingBytes, idleSeconds, gate, ...handlers } = settings;
  app.ws<SocketPeer>(path, {
    maxPayloadLength: frameBytes,
    maxBackpressure: waitingBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => {
      const address = gate(response, request);
      if (address === undefined) return;
      const agent = request.getHeader('user-agent');
      const userAgent = agent.length > USER_AGENT_CHARACTERS ? '' : agent;
      const key = request.getHeader('sec-websocket-key');
      const protocol = request.getHeader('sec-websocket-protocol');
      const extensions = request.getHeader('sec-websocket-extensions');
      response.upgrade({ address, userAgent }, key, protocol, extensions, context);
    },
    open: (socket) => handlers.open(socket, socket.getUserData().address),
    message: handlers.message,
    dropped: handlers.dropped,
    drain: handlers.drained,
    close: (socket) => {
      // The library does not tell a filter that a connection ended after it became a WebSocket.
      counters.get(app)?.closed();
      handlers.closed(socket);
    },
  });
}

/**
 * All lines of a header, joined by commas. The library returns only the first, which may be the
 * client's own, before the line that a proxy added.
 */
export function allOf(request: HttpRequest, name: string): string {
  const lines: string[] = [];
  request.forEach((key, value) => {
    if (key === name) lines.push(value);
  });
  return lines.join(',');
}

/** Counts connections. One that `opened` refuses is closed at once; `closed` follows each. */
export interface ConnectionCounter {
  opened(): boolean;
  closed(): void;
}

const counters = new WeakMap<SocketApp, ConnectionCounter>();

/** Reports all connections of an app. Call it before the app listens. */
export function watchConnections(
  app: SocketApp & { filter(watch: (response: HttpResponse, change: number) => void): unknown },
  counter: ConnectionCounter,
): void {
  counters.set(app, counter);
  const watch = app.filter.bind(app);
  watch((response, change) => {
    if (change < 0) counter.closed();
    else if (!counter.opened()) response.close();
  });
}
