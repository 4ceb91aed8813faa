/**
 * A listener whose certificate can be replaced while it runs. The library can't exchange the
 * certificate of an app, so each certificate has an app of its own: the newest one listens, and
 * earlier ones serve the connections that they have
 * (docs/decisions/0029-limits-of-the-socket-library.md).
 *
 * Invariant: a certificate that can't be used changes nothing. An earlier app without connections
 * is closed. Bound: MOST_APPS; beyond it the oldest app is closed with its connections.
 */
import {
  closeListener,
  createApp,
  type Listener,
  listenOn,
  portOf,
  type SocketApp,
  type TemplatedApp,
  type TlsFiles,
  type WebSocketBehavior,
} from './socket-library.ts';

const MOST_APPS = 4;

interface Generation {
  readonly app: TemplatedApp;
  connections: number;
}

type SetUp = (generation: Generation) => void;

export class RenewableApp implements SocketApp {
  /** The newest last. */
  #generations: Generation[] = [];
  /** What each app needs before it listens, in order. */
  readonly #setUps: SetUp[] = [];
  /** What happens to WebSockets, by pattern. */
  readonly #behaviors = new Map<string, WebSocketBehavior<unknown>>();
  /** The certificate of new connections, if there is one. */
  #tls: TlsFiles | undefined;
  #listener: Listener | undefined;
  #place = { host: '', port: 0 };

  /** Throws if the files can't be used. */
  constructor(tls?: TlsFiles) {
    this.#tls = tls;
    this.#use((generation) => {
      const watch = generation.app.filter.bind(generation.app);
      watch((_, change) => {
        // The library does not report the end of a connection that became a WebSocket.
        if (change > 0) generation.connections += 1;
        else this.#left(generation);
      });
    });
    this.#add(createApp(tls));
  }

  get #newest(): Generation {
    return this.#generations.at(-1)!;
  }

  /** Whether it has a certificate. */
  get isSecure(): boolean {
    return this.#tls !== undefined;
  }

  /** When the certificate of new connections ends, milliseconds since the epoch. */
  get certificateEndMs(): number | undefined {
    return this.#tls?.endMs;
  }

  any(pattern: string, handler: Parameters<TemplatedApp['any']>[1]): void {
    this.#use(({ app }) => app.any(pattern, handler));
  }

  filter(watch: Parameters<TemplatedApp['filter']>[0]): void {
    this.#use(({ app }) => app.filter(watch));
  }

  /**
   * A second call for a pattern replaces the handlers of the first, but not its bounds: sockets
   * that are open then must be unknown to the new handlers, or closed.
   */
  ws<Data>(pattern: string, behavior: WebSocketBehavior<Data>): void {
    const isNew = !this.#behaviors.has(pattern);
    // Safe: what one behavior stores in a socket is read by it alone.
    this.#behaviors.set(pattern, behavior as WebSocketBehavior<unknown>);
    if (!isNew) return;
    const current = (): WebSocketBehavior<Data> => this.#behaviors.get(pattern) ?? behavior;
    this.#use((generation) => {
      generation.app.ws<Data>(pattern, {
        ...behavior,
        upgrade: (...details) => current().upgrade?.(...details),
        open: (...details) => current().open?.(...details),
        message: (...details) => current().message?.(...details),
        dropped: (...details) => current().dropped?.(...details),
        drain: (...details) => current().drain?.(...details),
        close: (...details) => {
          current().close?.(...details);
          this.#left(generation);
        },
      });
    });
  }

  publish(topic: string, message: string): void {
    for (const { app } of this.#generations) app.publish(topic, message);
  }

  numSubscribers(topic: string): number {
    let count = 0;
    for (const { app } of this.#generations) count += app.numSubscribers(topic);
    return count;
  }

  /**
   * Returns the port, or undefined if it can't be used. A listener with a certificate shares its
   * port, so that its successor can listen too; but no other program may have the port before.
   */
  listen(host: string, port: number): number | undefined {
    const app = this.#newest.app;
    const first = listenOn(app, host, port);
    if (first === undefined || !this.isSecure) {
      this.#listener = first;
      return first && portOf(first);
    }
    this.#place = { host, port: portOf(first) };
    closeListener(first);
    this.#listener = listenOn(app, host, this.#place.port, 'shared');
    return this.#listener && this.#place.port;
  }

  stopListening(): void {
    if (this.#listener !== undefined) closeListener(this.#listener);
    this.#listener = undefined;
  }

  /** New connections get the certificate of these files. Throws, and changes nothing, if not. */
  renew(tls: TlsFiles): void {
    const before = { listener: this.#listener, generation: this.#newest };
    if (before.listener === undefined || !this.isSecure) {
      throw new Error('a certificate can be renewed only while a listener with TLS is open');
    }
    const app = createApp(tls);
    this.#add(app);
    const listener = listenOn(app, this.#place.host, this.#place.port, 'shared');
    if (listener === undefined) {
      this.#close(this.#newest);
      throw new Error(`the port ${this.#place.port} can't be listened on again`);
    }
    this.#listener = listener;
    this.#tls = tls;
    closeListener(before.listener);
    this.#closeIdle(before.generation);
    if (this.#generations.length > MOST_APPS) this.#close(this.#generations[0]!);
  }

  close(): void {
    for (const { app } of this.#generations.splice(0)) app.close();
  }

  #use(setUp: SetUp): void {
    this.#setUps.push(setUp);
    for (const generation of this.#generations) setUp(generation);
  }

  #add(app: TemplatedApp): void {
    const generation: Generation = { app, connections: 0 };
    for (const setUp of this.#setUps) setUp(generation);
    this.#generations.push(generation);
  }

  #left(generation: Generation): void {
    generation.connections -= 1;
    // Later: the library is still closing the connection.
    if (generation !== this.#newest) setImmediate(() => this.#closeIdle(generation));
  }

  #closeIdle(generation: Generation): void {
    if (generation.connections === 0) this.#close(generation);
  }

  #close(generation: Generation): void {
    const index = this.#generations.indexOf(generation);
    if (index === -1) return;
    this.#generations.splice(index, 1);
    generation.app.close();
  }
}
