/**
 * The listener of the feed, open from the start of a core or standby to its end, and the handshake
 * with replicas. While the node is not the core, replicas are told so. Bounds:
 * FEED_BOUNDS.greetings connections without a proof, each for FEED_PACE.greetingMs.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { StoreError, toError } from '../../persistence/shared/index.ts';
import { FeedConnection, nextFrame } from './connection.ts';
import type { FeedCore } from './feed-core.ts';
import { FEED_BOUNDS, FEED_PACE, FRAME } from './frames.ts';
import { helloIn, NONCE_BYTES, type Nonces, nonceIn, proofOf, provenRest } from './handshake.ts';

/** PEM texts. */
export interface FeedTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface FeedServerOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: Uint8Array;
  readonly tls?: FeedTls | undefined;
  /** The feed of this node if it is the core. */
  readonly core: () => FeedCore | undefined;
  /** A gateway looks for the core here, and this node is none. */
  readonly onSeeker: () => void;
  /** A connection was refused: no replica of this cluster, or one that can't be used. */
  readonly onRefused: (error: Error, peer: string) => void;
}

export class FeedServer {
  readonly #options: FeedServerOptions;
  readonly #server: Server;
  readonly #tlsServer: TlsServer | undefined;
  readonly #sockets = new Set<Socket>();
  #greetings = 0;

  constructor(options: FeedServerOptions) {
    const { tls } = options;
    this.#options = options;
    const accept = (socket: Socket): void => this.#accept(socket);
    const demands = { requestCert: true, rejectUnauthorized: true };
    this.#tlsServer = tls && createTlsServer({ ...tls, ...demands }, accept);
    this.#server = this.#tlsServer ?? createServer(accept);
    this.#server.on('tlsClientError', (error, socket) => {
      options.onRefused(error, socket.remoteAddress ?? '?');
    });
  }

  /** New connections use these certificates. */
  renew(tls: FeedTls): void {
    this.#tlsServer?.setSecureContext(tls);
  }

  /** Returns the port. Throws StoreError `feed_refused` if it can't listen there. */
  async listen(): Promise<number> {
    const { host, port } = this.#options;
    this.#server.listen(port, host);
    try {
      await once(this.#server, 'listening');
    } catch (error) {
      throw new StoreError(
        'feed_refused',
        `the feed can't listen on ${host}:${port} (${toError(error).message}): choose another ` +
          '--feed-host or --feed-port, or stop the program that uses it',
      );
    }
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise<void>((done) => {
      this.#server.close(() => done());
    });
  }

  #accept(socket: Socket): void {
    if (this.#greetings >= FEED_BOUNDS.greetings) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    this.#greetings += 1;
    const transport = this.#options.tls === undefined ? socket : undefined;
    const connection = new FeedConnection(socket, FEED_BOUNDS.greetingBytes, transport);
    this.#greet(connection)
      .catch((error: unknown) => this.#refuse(connection, toError(error)))
      .finally(() => {
        this.#greetings -= 1;
      });
  }

  async #greet(connection: FeedConnection): Promise<void> {
    const { secret, core, onSeeker } = this.#options;
    const { greetingMs } = FEED_PACE;
    const greeting = await nextFrame(connection, greetingMs, [FRAME.greeting]);
    const nonces: Nonces = [nonceIn(greeting.body), randomBytes(NONCE_BYTES)];
    connection.send(FRAME.challenge, nonces[1], proofOf(secret, 'core', nonces));
    const { body } = await nextFrame(connection, greetingMs, [FRAME.hello]);
    const hello = helloIn(provenRest(body, secret, 'replica', nonces));
    const feed = core();
    if (feed === undefined) {
      if (hello.role === 'gateway') onSeeker();
      throw new StoreError('no_core', 'this node is not the core of the cluster');
    }
    feed.attach(connection, hello);
  }

  #refuse(connection: FeedConnection, error: Error): void {
    if (!(error instanceof StoreError)) {
      // The other side has gone, or a mistake of ours: it is reported, and ends this connection.
      this.#options.onRefused(error, connection.peer);
      connection.destroy(error);
      return;
    }
    if (error.code !== 'no_core') this.#options.onRefused(error, connection.peer);
    connection.sendJson(FRAME.refusal, { code: error.code, message: error.message });
    connection.finish(error);
  }
}
