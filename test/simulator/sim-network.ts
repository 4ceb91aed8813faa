/**
 * The network of a simulation, for streams: sockets with the methods of the library's sockets, and
 * at their other end clients that read at their own pace. Invariant: messages of one connection
 * arrive in order until it breaks, and none after. Bound: `maxBackpressure` of the path, in bytes
 * that wait for a client.
 */

import type { Random } from '../../http/codec/random.ts';
import type { SocketApp } from '../../http/socket/socket-library.ts';
import type { SimClock } from './sim-clock.ts';

/** The handlers of a path that the simulation calls. */
interface Behavior {
  readonly maxBackpressure?: number;
  open?(socket: SimSocket): void;
  message?(socket: SimSocket, bytes: ArrayBuffer, isBinary: boolean): void;
  dropped?(socket: SimSocket, bytes: ArrayBuffer, isBinary: boolean): void;
  drain?(socket: SimSocket): void;
  close?(socket: SimSocket, code: number, reason: ArrayBuffer): void;
}

/** Called at the client's end of a connection. */
export interface SimListener {
  heard(text: string): void;
  /** The server ended the connection with a code, or it broke (0). */
  closed(code: number): void;
}

const NOTHING = new ArrayBuffer(0);

/** Both ends of one connection. */
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

  // Methods that the program calls.
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

  /** Closes the connection after the messages that wait. */
  end(code: number): void {
    this.#endCode = code;
    this.#topics.clear();
    this.#readSoon();
  }

  close(): void {
    this.break();
  }

  // Methods that the client calls.
  say(message: unknown): void {
    const text = JSON.stringify(message);
    this.#app.clock.after(this.#app.random.below(5), () => {
      if (!this.#isOpen || this.#endCode !== undefined) return;
      const bytes = new TextEncoder().encode(text);
      this.#behavior.message?.(this, bytes.buffer, false);
    });
  }

  /** Breaks the connection; messages underway are lost. */
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
  /** Called with each published message; false drops it. */
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

  /** The three methods of the library's app that streams call. */
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

  /** Breaks all connections, because the server is gone. */
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
