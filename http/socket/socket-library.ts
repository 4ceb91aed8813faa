/**
 * The one file that imports uWebSockets.js, with the settings it reads from the environment.
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
} from 'uWebSockets.js';

export type { HttpResponse };

/** Files of a certificate chain and its private key, both PEM. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A request, with what the library's declarations miss: without a query there is none. */
export interface HttpRequest extends Omit<LibraryRequest, 'getQuery'> {
  getQuery(): string | undefined;
}

/** What publishes to the sockets of a listener. */
export type SocketApp = Pick<TemplatedApp, 'ws' | 'publish' | 'numSubscribers'>;
/** One client's WebSocket. It must not be touched any more once it is closed. */
export type ClientSocket = WebSocket<{ readonly address: string }>;

/** What becomes of the WebSockets of one path. */
export interface SocketPath {
  /** Longer messages of a client are not read: its connection is cut. */
  readonly frameBytes: number;
  /** A message for which this many bytes already wait is dropped, and the connection cut. */
  readonly waitingBytes: number;
  readonly idleSeconds: number;
  /** Gives the client's address; undefined when it has answered the request itself. */
  readonly gate: (response: HttpResponse, request: HttpRequest) => string | undefined;
  readonly open: (socket: ClientSocket, address: string) => void;
  /** The bytes are gone when it returns. */
  readonly message: (socket: ClientSocket, bytes: ArrayBuffer, isBinary: boolean) => void;
  /** Called in the middle of publishing: nothing may be closed or published here. */
  readonly dropped: (socket: ClientSocket) => void;
  readonly drained: (socket: ClientSocket) => void;
  readonly closed: (socket: ClientSocket) => void;
}

/** Who takes the clients that ask for a WebSocket. */
export interface SocketHost {
  /** Before the listener listens. The gate refuses clients while it is not open. */
  attach(app: SocketApp, gate: SocketPath['gate']): void;
  /** The listener is about to close all connections: the last word. */
  close(): void;
}

/** A socket that takes connections. */
export type Listener = us_listen_socket;

/** The library's constant for a port that no other process may share; its types lack the value. */
const EXCLUSIVE_PORT = 1;

/** The form of `listen` that takes all of host, port and options, which the types lack. */
type Listen = (
  host: string,
  port: number,
  options: number,
  callback: (listener: Listener | false) => void,
) => void;

/** A listener's app; with files, one that speaks TLS alone. Throws when they can't be used. */
export function createApp(tls?: TlsFiles): TemplatedApp {
  if (tls === undefined) return App();
  const { certFile, keyFile } = tls;
  try {
    return SSLApp({ cert_file_name: certFile, key_file_name: keyFile });
  } catch {
    // The library says no more than that it failed.
    throw new Error(
      `TLS can't be set up with the certificate ${certFile} and the key ${keyFile}: they must be ` +
        'readable PEM files, and the key that of the certificate',
    );
  }
}

/** Takes connections on a port of its own; undefined when the port can't be had. */
export function listenOn(
  app: TemplatedApp,
  host: string,
  port: number,
): Promise<Listener | undefined> {
  return new Promise((resolve) => {
    // Safe: the library reads its arguments by their types and takes these four (a test listens
    // twice on one port); only its declarations leave the form out.
    const listen = app.listen.bind(app) as unknown as Listen;
    listen(host, port, EXCLUSIVE_PORT, (listener) => resolve(listener || undefined));
  });
}

export function closeListener(listener: Listener): void {
  us_listen_socket_close(listener);
}

/** The real port, which matters when 0 asked for any free one. */
export function portOf(listener: Listener): number {
  return us_socket_local_port(listener);
}

/** Lets clients open WebSockets at a path; before the app listens. */
export function addSocketPath(app: SocketApp, path: string, settings: SocketPath): void {
  const { frameBytes, waitingBytes, idleSeconds, gate, ...handlers } = settings;
  app.ws<{ readonly address: string }>(path, {
    maxPayloadLength: frameBytes,
    maxBackpressure: waitingBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: idleSeconds,
    sendPingsAutomatically: true,
    upgrade: (response, request, context) => {
      const address = gate(response, request);
      if (address === undefined) return;
      const key = request.getHeader('sec-websocket-key');
      const protocol = request.getHeader('sec-websocket-protocol');
      const extensions = request.getHeader('sec-websocket-extensions');
      response.upgrade({ address }, key, protocol, extensions, context);
    },
    open: (socket) => handlers.open(socket, socket.getUserData().address),
    message: handlers.message,
    dropped: handlers.dropped,
    drain: handlers.drained,
    close: handlers.closed,
  });
}

/**
 * All lines of a header in one: the library gives the first alone, and a proxy that adds a line of
 * its own leaves the client's before it.
 */
export function allOf(request: HttpRequest, name: string): string {
  const lines: string[] = [];
  request.forEach((key, value) => {
    if (key === name) lines.push(value);
  });
  return lines.join(',');
}

/** Tells of each connection that opens (1) or closes (-1). */
export function watchSockets(app: TemplatedApp, tell: (change: 1 | -1) => void): void {
  const watch = app.filter.bind(app);
  watch((_, change) => tell(change > 0 ? 1 : -1));
}
