/**
 * The network of a simulation, for streams: the server's sockets as the library gives them, and at
 * their other end clients that read at their own pace. Invariant: what is sent on one
 * connection arrives in order, or the connection breaks; nothing arrives after it broke. Bound: as
 * the settings of a path say, `waitingBytes`.
 */
import type { SocketApp } from '../../http/socket/socket-library.ts';
import type { Random } from '../engine/random/random.ts';
import type { SimClock } from './sim-clock.ts';

/** What a path's handlers are, as far as they are called here. */
interface Behavior {
  readonly maxBackpressure?: number;
  open?(socket: SimSocket): void;
  message?(socket: SimSocket, bytes: ArrayBuffer, isBinary: boolean): void;
  dropped?(socket: SimSocket, bytes: ArrayBuffer, isBinary: boolean): void;
  drain?(socket: SimSocket): void;
  close?(socket: SimSocket, code: number, reason: ArrayBuffer): void;
}

/** What a client hears. */
export interface SimListener {
  heard(text: string): void;
  /** It was ended with a code, or broke (0). */
  closed(code: number): void;
}

const NOTHING = new ArrayBuffer(0);

/** One connection; both ends of it. */
export class SimSocket {
  readonly #app: SimApp;
  readonly #behavior: Behavior;
  readonly #listener: SimListener;
  readonly #topics = new Set<string>();
  /** Messages of the server that have not arrived yet. */
  #waiting: string[] = [];
  #waitingBytes = 0;
  #endCode: number | undefined;
  #isOpen = true;
  #isReading = false;
  /** How long the client takes between two reads. */
  paceMs = 0;

  constructor(app: SimApp, behavior: Behavior, listener: SimListener) {
    this.#app = app;
    this.#behavior = behavior;
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isQuiet(): boolean {
    return !this.#isOpen || (this.#waiting.length === 0 && this.#endCode === undefined);
  }

  // What the program calls.
  getUserData(): { readonly address: string } {
    return { address: '192.0.2.1' };
  }

  getBufferedAmount(): number {
    return this.#waitingBytes;
  }

  cork(run: () => void): this {
    run();
    return this;
  }

  send(text: string): number {
    if (!this.#isOpen || this.#endCode !== undefined) return 2;
    if (this.#waitingBytes > (this.#behavior.maxBackpressure ?? Number.POSITIVE_INFINITY)) {
      this.#behavior.dropped?.(this, NOTHING, false);
      return 2;
    }
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    this.#readSoon();
    return 1;
  }

  subscribe(topic: string): boolean {
    this.#topics.add(topic);
    return true;
  }

  unsubscribe(topic: string): boolean {
    return this.#topics.delete(topic);
  }

  getTopics(): string[] {
    return [...this.#topics];
  }

  isSubscribed(topic: string): boolean {
    return this.#topics.has(topic);
  }

  /** Behind what waits. */
  end(code: number): void {
    this.#endCode = code;
    this.#topics.clear();
    this.#readSoon();
  }

  close(): void {
    this.break();
  }

  // What the client does.
  say(message: unknown): void {
    const text = JSON.stringify(message);
    this.#app.clock.after(this.#app.random.below(5), () => {
      if (!this.#isOpen || this.#endCode !== undefined) return;
      const bytes = new TextEncoder().encode(text);
      this.#behavior.message?.(this, bytes.buffer, false);
    });
  }

  /** The connection is gone, with everything on its way. */
  break(code = 0): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#topics.clear();
    this.#app.forget(this);
    this.#behavior.close?.(this, code, NOTHING);
    this.#listener.closed(code);
  }

  #readSoon(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#app.clock.after(this.paceMs + this.#app.random.below(3), () => this.#read());
  }

  #read(): void {
    this.#isReading = false;
    if (!this.#isOpen) return;
    const count = this.paceMs > 0 ? 1 : 1 + this.#app.random.below(20);
    for (const text of this.#waiting.splice(0, count)) {
      this.#waitingBytes -= text.length;
      this.#listener.heard(text);
    }
    if (this.#waiting.length > 0) this.#readSoon();
    else if (this.#endCode !== undefined) this.break(this.#endCode);
    else this.#behavior.drain?.(this);
  }
}

export class SimApp {
  readonly clock: SimClock;
  readonly random: Random;
  readonly #paths = new Map<string, Behavior>();
  readonly #sockets = new Set<SimSocket>();
  /** Looks at, and may keep back, what is published. */
  readonly #onPublish: (topic: string, text: string) => boolean;

  constructor(clock: SimClock, random: Random, onPublish: SimApp['publishes']) {
    this.clock = clock;
    this.random = random;
    this.#onPublish = onPublish;
  }

  /** Whether a message goes out. */
  get publishes(): (topic: string, text: string) => boolean {
    return this.#onPublish;
  }

  /** Only these three of the library's app are called by streams. */
  get face(): SocketApp {
    const face = {
      ws: (path: string, behavior: Behavior) => this.#paths.set(path, behavior),
      publish: (topic: string, text: string) => this.#publish(topic, text),
      numSubscribers: (topic: string) => this.#listenersOf(topic).length,
    };
    // Safe: these are all the methods of the type; their further parameters are not used.
    return face as unknown as SocketApp;
  }

  get isQuiet(): boolean {
    return [...this.#sockets].every((socket) => socket.isQuiet);
  }

  connect(path: string, listener: SimListener): SimSocket {
    const behavior = this.#paths.get(path);
    if (behavior === undefined) throw new Error(`nobody serves ${path}`);
    const socket = new SimSocket(this, behavior, listener);
    this.#sockets.add(socket);
    behavior.open?.(socket);
    return socket;
  }

  /** The server is gone. */
  breakAll(): void {
    for (const socket of [...this.#sockets]) socket.break();
  }

  forget(socket: SimSocket): void {
    this.#sockets.delete(socket);
  }

  #publish(topic: string, text: string): boolean {
    if (!this.#onPublish(topic, text)) return false;
    for (const socket of this.#listenersOf(topic)) socket.send(text);
    return true;
  }

  #listenersOf(topic: string): SimSocket[] {
    return [...this.#sockets].filter((socket) => socket.isSubscribed(topic));
  }
}
