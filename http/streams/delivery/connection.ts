/**
 * One client's socket.
 *
 * A fault of the sandbox can mute it: the client is then sent nothing but answers to its pings.
 *
 * Invariant: the library's socket is never used after it closed. The library drops a message when
 * too many bytes wait for the client; the hub then cuts the client, so no later message follows.
 */

import { SECOND_MS } from '../../../engine/model/index.ts';
import type { ClientSocket } from '../../socket/socket-library.ts';
import { type ClosingCode, STREAM_FAULTS, StreamError } from './close-codes.ts';
import type { SocketSubject } from './faults.ts';

/** Counts the messages of one socket, or of all sockets of one network, in the current second. */
export class MessageCounter {
  #secondStartMs = Number.NEGATIVE_INFINITY;
  #messages = 0;

  /** Counts work, as a number of messages, and returns how much there was in this second. */
  count(nowMs: number, messages: number): number {
    if (this.isSecondOver(nowMs)) {
      this.#secondStartMs = nowMs;
      this.#messages = 0;
    }
    this.#messages += messages;
    return this.#messages;
  }

  /** Adds the work that a message caused to the count, as a number of messages. */
  charge(messages: number): void {
    this.#messages += messages;
  }

  isSecondOver(nowMs: number): boolean {
    return nowMs - this.#secondStartMs >= SECOND_MS;
  }
}

/** Bytes that subscriptions keep: of a socket, of its network, or of all sockets. */
export interface KeptBytes {
  readonly scope: string;
  readonly limit: number;
  bytes: number;
}

interface Peer {
  /** The client's address; behind a trusted proxy, the address that the proxy names. */
  readonly address: string;
  readonly userAgent: string;
  readonly messages: MessageCounter;
  readonly subscriptionLimit: number;
  /** What they keep counts here; the first is of the socket alone. */
  readonly kept: readonly [KeptBytes, ...KeptBytes[]];
}

/** Decides which messages reach a socket while faults of the sandbox exist (faults.ts). */
export interface MessageGate {
  readonly isOn: boolean;
  /** Whether the next message passes. A fault may mute the connection instead. */
  passes(connection: Connection): boolean;
}

export class Connection {
  readonly peer: Peer;
  readonly #messages = new MessageCounter();
  readonly #gate: MessageGate;
  #socket: ClientSocket | undefined;
  /** What faults compare their scope with; undefined until the socket has a session. */
  subject: (() => SocketSubject) | undefined;
  /** While the socket is muted: the topics that it wants. */
  #mutedTopics: Set<string> | undefined;

  constructor(socket: ClientSocket, peer: Peer, gate: MessageGate) {
    this.#socket = socket;
    this.peer = peer;
    this.#gate = gate;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  get isMuted(): boolean {
    return this.#mutedTopics !== undefined;
  }

  get waitingBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  /** Sends texts. They arrive after everything that was published to the socket's topics before. */
  send(...texts: readonly string[]): void {
    if (this.#mutedTopics !== undefined) return;
    if (this.#gate.isOn && !this.#gate.passes(this)) return;
    const socket = this.#socket;
    // Corked: one system call sends all texts, and the call is most of the cost.
    socket?.cork(() => {
      for (const text of texts) socket.send(text);
    });
  }

  answerPing(text: string): void {
    this.#socket?.send(text);
  }

  /** Subscribes to a topic. Subscribing again changes nothing. */
  subscribe(topic: string): void {
    if (this.#mutedTopics === undefined) this.#socket?.subscribe(topic);
    else this.#mutedTopics.add(topic);
  }

  unsubscribe(topic: string): void {
    if (this.#mutedTopics === undefined) this.#socket?.unsubscribe(topic);
    else this.#mutedTopics.delete(topic);
  }

  unsubscribeAll(): void {
    this.#mutedTopics?.clear();
    for (const topic of this.#socket?.getTopics() ?? []) this.#socket?.unsubscribe(topic);
  }

  /** Whether what is published to a topic reaches the client. */
  hears(topic: string): boolean {
    return this.#socket?.isSubscribed(topic) === true;
  }

  /** Sends the client nothing from now on. */
  mute(): void {
    if (this.#mutedTopics !== undefined) return;
    const topics = new Set(this.#socket?.getTopics());
    this.unsubscribeAll();
    this.#mutedTopics = topics;
  }

  /** Ends `mute`. What was published meanwhile is lost. */
  unmute(): void {
    const topics = this.#mutedTopics ?? [];
    this.#mutedTopics = undefined;
    for (const topic of topics) this.subscribe(topic);
  }

  /**
   * Counts a message that is worth so many, and returns how many the client and its network sent
   * this second.
   */
  countMessage(nowMs: number, worth: number): { readonly own: number; readonly ofAddress: number } {
    const own = this.#messages.count(nowMs, worth);
    return { own, ofAddress: this.peer.messages.count(nowMs, worth) };
  }

  /**
   * Notes how many subscriptions the client has and how many bytes they keep. Throws and notes
   * nothing if they grow beyond a bound.
   */
  keep(subscriptions: number, bytes: number): void {
    const { kept, subscriptionLimit } = this.peer;
    if (subscriptions > subscriptionLimit) {
      const details = { limit: subscriptionLimit, actual: subscriptions };
      throw new StreamError('too_many_subscriptions', details);
    }
    const growth = bytes - kept[0].bytes;
    for (const { scope, limit, bytes: known } of kept) {
      if (growth <= 0 || known + growth <= limit) continue;
      throw new StreamError('subscriptions_too_large', { scope, limit, actual: known + growth });
    }
    for (const total of kept) total.bytes += growth;
  }

  /** Adds the work that a message caused to the counts, as a number of messages. */
  charge(messages: number): void {
    this.#messages.charge(messages);
    this.peer.messages.charge(messages);
  }

  /** The same only for the client's network: a client may ask for its own large state at once. */
  chargeNetwork(messages: number): void {
    this.peer.messages.charge(messages);
  }

  close(code: ClosingCode): void {
    const { closeCode, text } = STREAM_FAULTS[code];
    this.closeWith(closeCode, text);
  }

  closeWith(closeCode: number, text: string): void {
    this.#socket?.end(closeCode, text);
  }

  /** Closes without a close frame, and drops the bytes that wait. */
  cut(): void {
    this.#socket?.close();
  }

  /** Called when the library has closed the socket. */
  forget(): void {
    this.keep(0, 0);
    this.#socket = undefined;
  }
}
