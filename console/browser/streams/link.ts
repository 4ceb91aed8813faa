/**
 * One connection of the page to a stream: it opens when it is wanted, notices silence, and connects
 * again after a jittered wait that grows.
 *
 * Invariant: at most one socket is listened to. What an earlier socket still sends is ignored.
 * Bound: one timer; waits of at most `longestRetryMs`.
 */
import { type ReadonlySignal, signal } from '@preact/signals';
import { PAGE_TIMES } from './bounds.ts';
import type { Environment, Socket } from './environment.ts';
import type { StreamMessage } from './messages.ts';
import type { MessageTap } from './tap.ts';

export type LinkState =
  /** The page follows nothing on this stream. */
  | { readonly kind: 'idle' }
  /** The first connection is not open yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** No message came for a while, or missed messages are on their way. */
  | { readonly kind: 'stale'; readonly sinceMs: number; readonly cause: 'silence' | 'repair' }
  | {
      readonly kind: 'disconnected';
      readonly sinceMs: number;
      /** The next attempt. If it is past, the attempt is being made. */
      readonly retryAtMs: number;
      readonly closeCode: number;
      /** Why, in the words of the exchange; '' without any. */
      readonly reason: string;
    }
  /** The exchange does not want this client. There is no further attempt. */
  | { readonly kind: 'refused'; readonly sinceMs: number; readonly reason: string };

export interface LinkChannel {
  readonly path: string;
  /** Sends what a new connection begins with. */
  opened(): void;
  /** Throws if the message is not what the stream sends; the link then connects again. */
  received(message: StreamMessage): void;
  /** Called when a connection ends. Nothing more comes from it. */
  ended(): void;
  /** Whether the exchange sends heartbeats now. Otherwise a PONG shows that the link is alive. */
  expectsMessages(): boolean;
  /** Whether a close means that another attempt would end in the same way. */
  isRefusal(closeCode: number, reason: string): boolean;
}

const OPEN = 1;
const PING = 'PING';

export class Link {
  readonly #channel: LinkChannel;
  readonly #environment: Environment;
  readonly #tap: MessageTap;
  readonly #state = signal<LinkState>({ kind: 'idle' });
  #socket: Socket | undefined;
  #cancelTimer = () => {};
  #failedAttempts = 0;
  #openedMs = 0;
  #heardMs = 0;
  #pingedMs = 0;

  constructor(channel: LinkChannel, environment: Environment, tap: MessageTap) {
    this.#channel = channel;
    this.#environment = environment;
    this.#tap = tap;
  }

  get state(): ReadonlySignal<LinkState> {
    return this.#state;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === OPEN;
  }

  /** Connects, unless it has a connection or waits for one. */
  start(): void {
    const { kind } = this.#state.peek();
    if (kind !== 'idle' && kind !== 'refused') return;
    this.#failedAttempts = 0;
    this.#state.value = { kind: 'connecting' };
    this.#open();
  }

  /** Disconnects until the next `start`. */
  stop(): void {
    this.#drop();
    this.#state.value = { kind: 'idle' };
  }

  /** Ends the wait for the next attempt, for example when the machine is online again. */
  retryNow(): void {
    const { kind } = this.#state.peek();
    if (kind !== 'disconnected' || this.#socket !== undefined) return;
    this.#cancelTimer();
    this.#open();
  }

  /** Leaves a connection that sent something wrong, and makes another one. */
  restart(reason: string): void {
    this.#note(reason);
    this.#drop();
    this.#disconnected(0, reason);
  }

  /** Sends a message on an open connection. `shown` is the message without its secrets. */
  send(message: object, shown = message): void {
    this.#tap.note(this.#channel.path, 'out', JSON.stringify(shown));
    this.#socket?.send(JSON.stringify(message));
  }

  #note(text: string): void {
    this.#tap.note(this.#channel.path, 'event', text);
  }

  #open(): void {
    const socket = this.#environment.openSocket(this.#channel.path);
    this.#socket = socket;
    this.#openedMs = this.#environment.nowMs();
    this.#heardMs = this.#openedMs;
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#note('connected');
      this.#channel.opened();
      this.#ping();
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(String(data));
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#closed(code, reason);
    };
    this.#watch();
  }

  #receive(text: string): void {
    this.#tap.note(this.#channel.path, 'in', text);
    if (text === 'PONG') {
      if (!this.#channel.expectsMessages()) this.#heard();
      return;
    }
    this.#heard();
    try {
      // Safe: the channel reads the fields that it expects, or throws.
      this.#channel.received(JSON.parse(text) as StreamMessage);
    } catch (error) {
      this.restart(`The message was not understood: ${(error as Error).message}`);
    }
  }

  #heard(): void {
    this.#heardMs = this.#environment.nowMs();
    if (this.#state.peek().kind !== 'live') this.#state.value = { kind: 'live' };
  }

  #closed(closeCode: number, reason: string): void {
    this.#note(`closed ${closeCode} ${reason}`.trim());
    this.#drop();
    if (this.#channel.isRefusal(closeCode, reason)) {
      this.#state.value = { kind: 'refused', sinceMs: this.#environment.nowMs(), reason };
    } else this.#disconnected(closeCode, reason);
  }

  #disconnected(closeCode: number, reason: string): void {
    const nowMs = this.#environment.nowMs();
    if (nowMs - this.#openedMs >= PAGE_TIMES.steadyMs) this.#failedAttempts = 0;
    const waitMs = this.#retryWaitMs();
    this.#failedAttempts += 1;
    const state = this.#state.peek();
    const sinceMs = 'sinceMs' in state ? state.sinceMs : nowMs;
    const retryAtMs = nowMs + waitMs;
    this.#state.value = { kind: 'disconnected', sinceMs, retryAtMs, closeCode, reason };
    this.#cancelTimer = this.#environment.after(waitMs, () => this.#open());
  }

  /** Between half of the wait and all of it, so that the pages of a venue do not come at once. */
  #retryWaitMs(): number {
    const { firstRetryMs, longestRetryMs } = PAGE_TIMES;
    const longest = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failedAttempts);
    return Math.round(longest * (0.5 + this.#environment.random() / 2));
  }

  #watch(): void {
    this.#cancelTimer = this.#environment.after(PAGE_TIMES.watchMs, () => {
      const nowMs = this.#environment.nowMs();
      if (nowMs - this.#heardMs >= PAGE_TIMES.silenceMs) this.#silent();
      else {
        if (this.isOpen && nowMs - this.#pingedMs >= PAGE_TIMES.pingMs) this.#ping();
        this.#watch();
      }
    });
  }

  /** Leaves a connection that says nothing any more; a new one asks for what was missed. */
  #silent(): void {
    this.#note(`no message for ${PAGE_TIMES.silenceMs / 1000} seconds`);
    const state = this.#state.peek();
    const sinceMs = 'sinceMs' in state ? state.sinceMs : this.#heardMs;
    this.#drop();
    this.#state.value = { kind: 'stale', sinceMs, cause: 'silence' };
    this.#open();
  }

  #ping(): void {
    this.#pingedMs = this.#environment.nowMs();
    this.#tap.note(this.#channel.path, 'out', PING);
    this.#socket?.send(PING);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#cancelTimer();
    if (socket === undefined) return;
    socket.close();
    this.#channel.ended();
  }
}
