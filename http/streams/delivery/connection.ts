/**
 * One client's socket.
 *
 * Invariant: the library's socket is never touched once it is closed; a message that the library
 * dropped, because too much waits for the client, is the last one: the client is cut.
 */
import type { ClientSocket } from '../../socket/index.ts';
import { type ClosingCode, STREAM_FAULTS } from './close-codes.ts';
import { MessageCounter } from './message-counter.ts';

/** Who a socket belongs to. */
interface Peer {
  /** Of the client, behind a trusted proxy the one that it names. */
  readonly address: string;
  /** Of all sockets of its network. */
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

  /** After everything that was published before to what it listens to. */
  send(...texts: readonly string[]): void {
    const socket = this.#socket;
    // In one piece, as far as it goes: each call to the system costs more than the rest.
    socket?.cork(() => {
      for (const text of texts) socket.send(text);
    });
  }

  /** Everything published to a topic from now on; a second time is no harm. */
  subscribe(topic: string): void {
    this.#socket?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.#socket?.unsubscribe(topic);
  }

  /** Listens to nothing any more. */
  unsubscribeAll(): void {
    for (const topic of this.#socket?.getTopics() ?? []) this.unsubscribe(topic);
  }

  /** Counts a message of the client: how many it sent, and its network, in this second. */
  countMessage(nowMs: number): { readonly own: number; readonly ofAddress: number } {
    const own = this.#messages.count(nowMs);
    return { own, ofAddress: this.peer.messages.count(nowMs) };
  }

  /** Counts what a message made us do as so many messages more. */
  charge(messages: number): void {
    this.#messages.charge(messages);
    this.peer.messages.charge(messages);
  }

  /** Tells the client why, after what waits for it. */
  close(code: ClosingCode): void {
    const { closeCode, text } = STREAM_FAULTS[code];
    this.#socket?.end(closeCode, text);
  }

  /** Without a word: there is no room for one. */
  cut(): void {
    this.#socket?.close();
  }

  /** The library has closed the socket. */
  forget(): void {
    this.#socket = undefined;
  }
}
