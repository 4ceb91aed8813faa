/**
 * One client's socket.
 *
 * Invariant: the library's socket is never used after it closed. The library drops a message when
 * too many bytes wait for the client; the hub then cuts the client, so no later message follows.
 */
import type { ClientSocket } from '../../socket/index.ts';
import { type ClosingCode, STREAM_FAULTS } from './close-codes.ts';
import { MessageCounter } from './message-counter.ts';

/** The client of a socket. */
interface Peer {
  /** The client's address; behind a trusted proxy, the address that the proxy names. */
  readonly address: string;
  /** Counts the messages of all sockets of the client's network. */
  readonly messages: MessageCounter;
}

export class Connection {
  readonly peer: Peer;
  readonly #messages = new MessageCounter();
  #socket: ClientSocket | undefined;

  constructor(socket: ClientSocket, peer: Peer) {
    this.#socket = socket;
    this.peer = peer;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Bytes that wait for the client. */
  get waitingBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  /** Sends texts. They arrive after everything that was published to the socket's topics before. */
  send(...texts: readonly string[]): void {
    const socket = this.#socket;
    // Corked: one system call sends all texts, and the call is most of the cost.
    socket?.cork(() => {
      for (const text of texts) socket.send(text);
    });
  }

  /** Subscribes to a topic. Subscribing again changes nothing. */
  subscribe(topic: string): void {
    this.#socket?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.#socket?.unsubscribe(topic);
  }

  unsubscribeAll(): void {
    for (const topic of this.#socket?.getTopics() ?? []) this.unsubscribe(topic);
  }

  /** Counts a message, and returns how many the client and its network sent this second. */
  countMessage(nowMs: number): { readonly own: number; readonly ofAddress: number } {
    const own = this.#messages.count(nowMs);
    return { own, ofAddress: this.peer.messages.count(nowMs) };
  }

  /** Adds the work that a message caused to the counts, as a number of messages. */
  charge(messages: number): void {
    this.#messages.charge(messages);
    this.peer.messages.charge(messages);
  }

  /** Closes with a code, after the bytes that wait for the client. */
  close(code: ClosingCode): void {
    const { closeCode, text } = STREAM_FAULTS[code];
    this.#socket?.end(closeCode, text);
  }

  /** Closes without a close frame, and drops the bytes that wait. */
  cut(): void {
    this.#socket?.close();
  }

  /** Called when the library has closed the socket. */
  forget(): void {
    this.#socket = undefined;
  }
}
