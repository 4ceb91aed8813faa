/**
 * All sockets of the public listener, whatever their channel: bounds, keep-alive, slow clients,
 * their end; and the one way out for what is published.
 *
 * Invariant: no client misses a message of a topic and stays. Who reads too slowly gets nothing
 * new, and is closed with a code when it has read what waits for it; if it does not, or if the
 * library had to drop something, it is cut: after that, nothing more is published while its socket
 * is open.
 * Bound: `StreamBounds`.
 */
import { networkOf } from '../../admission/index.ts';
import type { HttpRequest, HttpResponse, SocketApp } from '../../socket/index.ts';
import { addSocketPath, type ClientSocket } from '../../socket/index.ts';
import type { StreamBounds } from './bounds.ts';
import type { Channel, ClientMessage, Session } from './channel.ts';
import { type ClosingCode, faultMessage, StreamError } from './close-codes.ts';
import { Connection } from './connection.ts';
import { MessageCounter } from './message-counter.ts';
import type { StreamMetrics } from './metrics.ts';

/** Gives a client's address, or answers the request with a refusal and gives undefined. */
export type SocketGate = (response: HttpResponse, request: HttpRequest) => string | undefined;

interface HubOptions {
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly monotonicMs: () => number;
}

/** What all sockets of one address share; of IPv6, those of a network of 64 bits. */
interface Neighbours {
  readonly network: string;
  readonly messages: MessageCounter;
  sockets: number;
}

interface Client {
  readonly channel: Channel;
  readonly connection: Connection;
  readonly session: Session;
  readonly neighbours: Neighbours;
  /** Why it is closed when it has read what waits for it, and until when it may. */
  leaving: { readonly code: ClosingCode; readonly untilMs: number } | undefined;
}

const PING = /^ping$/i;
const PING_BYTES = 4;
const PONG = 'PONG';

export class SocketHub {
  readonly #bounds: StreamBounds;
  readonly #metrics: StreamMetrics;
  readonly #monotonicMs: () => number;
  readonly #clients = new Map<ClientSocket, Client>();
  readonly #neighbours = new Map<string, Neighbours>();
  /** Those without sockets: what they sent is counted until its second is over. */
  readonly #departed = new Set<Neighbours>();
  /** Those that the library has dropped a message of. */
  readonly #dropped = new Set<Client>();
  #app: SocketApp | undefined;
  #isClosing = false;

  constructor({ bounds, metrics, monotonicMs }: HubOptions) {
    this.#bounds = bounds;
    this.#metrics = metrics;
    this.#monotonicMs = monotonicMs;
  }

  /** Opens the channels' paths; before the app listens. */
  attach(app: SocketApp, gate: SocketGate, channels: readonly Channel[]): void {
    this.#app = app;
    const { frameBytes, hardWaitingBytes, idleSeconds } = this.#bounds;
    for (const channel of channels) {
      addSocketPath(app, channel.path, {
        frameBytes,
        waitingBytes: hardWaitingBytes,
        idleSeconds,
        gate,
        open: (socket, address) => this.#open(channel, socket, address),
        message: (socket, bytes, isBinary) => this.#receive(socket, bytes, isBinary),
        dropped: (socket) => this.#noteDropped(socket),
        drained: (socket) => this.#drained(socket),
        closed: (socket) => this.#forget(socket),
      });
    }
  }

  /** Whether anybody listens to a topic. */
  hasListeners(topic: string): boolean {
    return this.#app !== undefined && this.#app.numSubscribers(topic) > 0;
  }

  /** Sends a message to everybody who listens to a topic, in the order of these calls. */
  publish(topic: string, text: string): void {
    if (this.#dropped.size > 0) this.#cutDropped();
    this.#metrics.published += 1;
    this.#app?.publish(topic, text);
  }

  /** Sockets by channel. */
  count(channel: Channel): number {
    let count = 0;
    for (const client of this.#clients.values()) if (client.channel === channel) count += 1;
    return count;
  }

  /** Bytes that wait for all clients. */
  get waitingBytes(): number {
    let total = 0;
    for (const { connection } of this.#clients.values()) total += connection.waitingBytes;
    return total;
  }

  /** Closes those who are too slow; to be called often. */
  look(): void {
    this.#cutDropped();
    const nowMs = this.#monotonicMs();
    this.#forgetDeparted(nowMs);
    let total = 0;
    for (const client of this.#clients.values()) {
      const waiting = client.connection.waitingBytes;
      total += waiting;
      if (client.leaving !== undefined) {
        if (nowMs >= client.leaving.untilMs) this.#cut(client);
      } else if (waiting > this.#bounds.softWaitingBytes) this.#end(client, 'too_slow');
    }
    if (total > this.#bounds.allWaitingBytes) this.#cutSlowest(total);
  }

  /** Tells all clients that the exchange stops. */
  close(): void {
    this.#isClosing = true;
    for (const client of [...this.#clients.values()]) this.#close(client, 'going_away');
  }

  #open(channel: Channel, socket: ClientSocket, address: string): void {
    const neighbours = this.#neighboursAt(address);
    const connection = new Connection(socket, { address, messages: neighbours.messages });
    const session = channel.open(connection);
    const client: Client = { channel, connection, session, neighbours, leaving: undefined };
    const { sockets, socketsPerAddress } = this.#bounds;
    neighbours.sockets += 1;
    this.#departed.delete(neighbours);
    const isFull = this.#clients.size >= sockets || neighbours.sockets > socketsPerAddress;
    this.#clients.set(socket, client);
    if (isFull) this.#close(client, 'too_many_sockets');
    else if (this.#isClosing) this.#close(client, 'going_away');
  }

  #neighboursAt(address: string): Neighbours {
    const network = networkOf(address);
    const known = this.#neighbours.get(network);
    if (known !== undefined) return known;
    const fresh: Neighbours = { network, messages: new MessageCounter(), sockets: 0 };
    this.#neighbours.set(network, fresh);
    return fresh;
  }

  #receive(socket: ClientSocket, bytes: ArrayBuffer, isBinary: boolean): void {
    const client = this.#clients.get(socket);
    if (client === undefined || client.leaving !== undefined) return;
    const { connection, session } = client;
    const { own, ofAddress } = connection.countMessage(this.#monotonicMs());
    const { messagesPerSecond, messagesPerSecondPerAddress } = this.#bounds;
    if (own > messagesPerSecond || ofAddress > messagesPerSecondPerAddress) {
      this.#end(client, 'too_many_messages');
      return;
    }
    if (!isBinary && isPing(bytes)) {
      connection.send(PONG);
      return;
    }
    try {
      session.receive(this.#parse(bytes, isBinary));
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#metrics.faults.add(error.code);
      connection.send(faultMessage(error));
    }
  }

  #parse(bytes: ArrayBuffer, isBinary: boolean): ClientMessage {
    if (isBinary) throw new StreamError('message_binary');
    const limit = this.#bounds.messageBytes;
    const actual = bytes.byteLength;
    if (actual > limit) throw new StreamError('message_too_large', { limit, actual });
    const value = parsed(Buffer.from(bytes).toString());
    if (!isObject(value)) throw new StreamError('message_malformed');
    return value;
  }

  #drained(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    if (client?.leaving === undefined) client?.session.drained();
    else if (this.#isNearlyRead(client)) this.#close(client, client.leaving.code);
  }

  #isNearlyRead({ connection }: Client): boolean {
    return connection.waitingBytes <= this.#bounds.pausingBytes;
  }

  /** Now, or when the client has read what waits for it, in front of the code. */
  #end(client: Client, code: ClosingCode): void {
    if (this.#isNearlyRead(client)) {
      this.#close(client, code);
      return;
    }
    client.leaving = { code, untilMs: this.#monotonicMs() + this.#bounds.leavingMs };
    client.connection.unsubscribeAll();
    client.session.closed();
  }

  #close({ connection }: Client, code: ClosingCode): void {
    this.#metrics.closed.add(code);
    connection.close(code);
  }

  #cut({ connection }: Client): void {
    this.#metrics.closed.add('cut');
    connection.cut();
  }

  #noteDropped(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    // Not now: the library is in the middle of its topics.
    if (client !== undefined) this.#dropped.add(client);
  }

  #cutDropped(): void {
    for (const client of this.#dropped) {
      this.#dropped.delete(client);
      this.#cut(client);
    }
  }

  #cutSlowest(total: number): void {
    const waiting = [...this.#clients.values()].map(
      (client) => [client, client.connection.waitingBytes] as const,
    );
    waiting.sort(([, a], [, b]) => b - a);
    let left = total;
    for (const [client, bytes] of waiting) {
      if (left <= this.#bounds.allWaitingBytes) return;
      left -= bytes;
      this.#cut(client);
    }
  }

  /** Not at once: who comes back within the second would begin to count anew. */
  #forgetDeparted(nowMs: number): void {
    for (const neighbours of this.#departed) {
      if (!neighbours.messages.isPast(nowMs)) continue;
      this.#departed.delete(neighbours);
      this.#neighbours.delete(neighbours.network);
    }
  }

  #forget(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    this.#clients.delete(socket);
    // The library has closed one that it dropped something of.
    if (this.#dropped.delete(client)) this.#metrics.closed.add('cut');
    const { connection, session, neighbours, leaving } = client;
    neighbours.sockets -= 1;
    if (neighbours.sockets === 0) this.#departed.add(neighbours);
    connection.forget();
    if (leaving === undefined) session.closed();
  }
}

function isPing(bytes: ArrayBuffer): boolean {
  return bytes.byteLength === PING_BYTES && PING.test(Buffer.from(bytes).toString('latin1'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StreamError('message_malformed');
  }
}

function isObject(value: unknown): value is ClientMessage {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
