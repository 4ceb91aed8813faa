/**
 * All sockets of the public listener: their bounds, keep-alive and closing, and the only way to
 * publish a message.
 *
 * Invariant: a client that misses a message of a topic does not stay. A client that reads too
 * slowly gets nothing new, and is closed with a code once it has read what waits for it. If it does
 * not read that in time, or if the library dropped a message, it is cut before anything more is
 * published.
 * Bound: `StreamBounds`.
 */
import { networkOf } from '../../admission/subject.ts';
import { isObject, parsedJson } from '../../codec/index.ts';
import {
  addSocketPath,
  type ClientSocket,
  type HttpRequest,
  type HttpResponse,
  type SocketApp,
} from '../../socket/socket-library.ts';
import type { StreamBounds } from './bounds.ts';
import { type ClosingCode, faultMessage, StreamError } from './close-codes.ts';
import { Connection, type KeptBytes, MessageCounter } from './connection.ts';
import { NO_FAULTS, type StreamFaults } from './faults.ts';
import type { StreamMetrics } from './metrics.ts';
import { SocketFaults } from './socket-faults.ts';
import type { Channel, ClientMessage, Session } from './subscription.ts';

/** Returns a client's address, or refuses the request and returns undefined. */
export type SocketGate = (response: HttpResponse, request: HttpRequest) => string | undefined;

interface HubOptions {
  readonly bounds: StreamBounds;
  readonly metrics: StreamMetrics;
  readonly monotonicMs: () => number;
  readonly faults?: StreamFaults;
}

/** Usage of all sockets of one network: an IPv4 address, or an IPv6 network of 64 bits. */
interface NetworkUsage {
  readonly name: string;
  readonly messages: MessageCounter;
  readonly kept: KeptBytes;
  sockets: number;
}

interface Client {
  readonly channel: Channel;
  readonly connection: Connection;
  readonly session: Session;
  readonly network: NetworkUsage;
  /** Set while a slow client reads what waits for it before it is closed. */
  ending: { readonly code: ClosingCode; readonly untilMs: number } | undefined;
}

const PING = /^ping$/i;
const PING_BYTES = 4;
const PONG = 'PONG';

export class SocketHub {
  readonly #bounds: StreamBounds;
  readonly #metrics: StreamMetrics;
  readonly #monotonicMs: () => number;
  readonly #clients = new Map<ClientSocket, Client>();
  readonly #networks = new Map<string, NetworkUsage>();
  /** Networks without sockets, kept until their counter's second is over (`#dropIdleNetworks`). */
  readonly #idleNetworks = new Set<NetworkUsage>();
  readonly #dropped = new Set<Client>();
  readonly #faults: SocketFaults;
  readonly #kept: KeptBytes;
  #app: SocketApp | undefined;
  #closing: ClosingCode | undefined;

  constructor({ bounds, metrics, monotonicMs, faults = NO_FAULTS }: HubOptions) {
    this.#bounds = bounds;
    this.#metrics = metrics;
    this.#monotonicMs = monotonicMs;
    this.#faults = new SocketFaults(faults, metrics);
    this.#kept = { scope: 'all sockets', limit: bounds.subscriptionBytes, bytes: 0 };
  }

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

  hasListeners(topic: string): boolean {
    return this.#app !== undefined && this.#app.numSubscribers(topic) > 0;
  }

  /** Sends a message to all subscribers of a topic, in the order of these calls. */
  publish(topic: string, text: string): void {
    if (this.#dropped.size > 0) this.#cutDropped();
    if (this.#faults.isOn) this.#meetFaults(topic);
    this.#metrics.published += 1;
    this.#app?.publish(topic, text);
  }

  get size(): number {
    return this.#clients.size;
  }

  count(channel: Channel): number {
    let count = 0;
    for (const client of this.#clients.values()) if (client.channel === channel) count += 1;
    return count;
  }

  get waitingBytes(): number {
    let total = 0;
    for (const { connection } of this.#clients.values()) total += connection.waitingBytes;
    return total;
  }

  /** Closes slow clients and forgets idle networks. The timer of `Streams` calls it. */
  sweep(): void {
    this.#cutDropped();
    const nowMs = this.#monotonicMs();
    this.#faults.sweep();
    this.#dropIdleNetworks(nowMs);
    let total = 0;
    for (const client of this.#clients.values()) {
      const waiting = client.connection.waitingBytes;
      total += waiting;
      if (client.ending !== undefined) {
        if (nowMs >= client.ending.untilMs) this.#cut(client);
      } else if (waiting > this.#bounds.softWaitingBytes) this.#end(client, 'too_slow');
    }
    if (total > this.#bounds.allWaitingBytes) this.#cutSlowest(total);
  }

  /** Closes all sockets, and those that open later. */
  close(code: ClosingCode): void {
    this.#closing = code;
    for (const client of [...this.#clients.values()]) this.#close(client, code);
  }

  #open(channel: Channel, socket: ClientSocket, address: string): void {
    const network = this.#networkAt(address);
    const { subscriptionBytesPerSocket: limit, subscriptionsPerSocket } = this.#bounds;
    const kept = [{ scope: 'socket', limit, bytes: 0 }, network.kept, this.#kept] as const;
    const { messages } = network;
    const { userAgent } = socket.getUserData();
    const subscriptionLimit = subscriptionsPerSocket;
    const peer = { address, userAgent, messages, kept, subscriptionLimit };
    const connection = new Connection(socket, peer, this.#faults);
    const session = channel.open(connection);
    connection.subject = () => session.subject();
    const client: Client = { channel, connection, session, network, ending: undefined };
    const { sockets, socketsPerAddress } = this.#bounds;
    network.sockets += 1;
    this.#idleNetworks.delete(network);
    const isFull = this.#clients.size >= sockets || network.sockets > socketsPerAddress;
    this.#clients.set(socket, client);
    if (isFull) this.#close(client, 'too_many_sockets');
    else if (this.#closing !== undefined) this.#close(client, this.#closing);
  }

  #networkAt(address: string): NetworkUsage {
    const name = networkOf(address);
    const known = this.#networks.get(name);
    if (known !== undefined) return known;
    const { subscriptionBytesPerAddress: limit } = this.#bounds;
    const kept = { scope: 'address', limit, bytes: 0 };
    const network = { name, messages: new MessageCounter(), kept, sockets: 0 };
    this.#networks.set(name, network);
    return network;
  }

  #receive(socket: ClientSocket, bytes: ArrayBuffer, isBinary: boolean): void {
    const client = this.#clients.get(socket);
    if (client === undefined || client.ending !== undefined) return;
    const { connection, session } = client;
    const { messagesPerSecond, messagesPerSecondPerAddress, bytesPerMessage } = this.#bounds;
    const worth = 1 + Math.floor(bytes.byteLength / bytesPerMessage);
    const { own, ofAddress } = connection.countMessage(this.#monotonicMs(), worth);
    if (own > messagesPerSecond || ofAddress > messagesPerSecondPerAddress) {
      this.#end(client, 'too_many_messages');
      return;
    }
    if (!isBinary && isPing(bytes)) {
      connection.answerPing(PONG);
      return;
    }
    try {
      session.receive(this.#parse(bytes, isBinary));
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      if (error.code === 'message_malformed' && hasControls(bytes)) {
        this.#end(client, 'frame_invalid');
        return;
      }
      this.#metrics.faults.add(error.code);
      connection.send(faultMessage(error));
    }
  }

  #parse(bytes: ArrayBuffer, isBinary: boolean): ClientMessage {
    if (isBinary) throw new StreamError('message_binary');
    const limit = this.#bounds.messageBytes;
    const actual = bytes.byteLength;
    if (actual > limit) throw new StreamError('message_too_large', { limit, actual });
    const value = parsedJson(Buffer.from(bytes).toString());
    if (!isObject(value)) throw new StreamError('message_malformed');
    return value;
  }

  #drained(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    if (client?.ending === undefined) client?.session.drained();
    else if (this.#hasReadMost(client)) this.#close(client, client.ending.code);
  }

  #hasReadMost({ connection }: Client): boolean {
    return connection.waitingBytes <= this.#bounds.pausingBytes;
  }

  /** Closes now, or once the client has read what waits for it. */
  #end(client: Client, code: ClosingCode): void {
    if (this.#hasReadMost(client)) {
      this.#close(client, code);
      return;
    }
    client.ending = { code, untilMs: this.#monotonicMs() + this.#bounds.endingMs };
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
    // The client is cut later, because the library is still publishing to the topic.
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

  /** Lets a new fault of the sandbox meet all open sockets, in the order in which they opened. */
  meetAll(): void {
    for (const { connection, ending } of this.#clients.values()) {
      if (ending === undefined) this.#faults.meet(connection);
    }
  }

  /** Ends the mutes that a fault caused. */
  unmute(faultId: string): void {
    this.#faults.unmute(faultId);
  }

  #meetFaults(topic: string): void {
    for (const { connection } of this.#clients.values()) {
      if (connection.hears(topic)) this.#faults.meet(connection);
    }
  }

  /** Keeps a network until its second is over: a reconnect must not reset its message count. */
  #dropIdleNetworks(nowMs: number): void {
    for (const network of this.#idleNetworks) {
      if (!network.messages.isSecondOver(nowMs)) continue;
      this.#idleNetworks.delete(network);
      this.#networks.delete(network.name);
    }
  }

  #forget(socket: ClientSocket): void {
    const client = this.#clients.get(socket);
    if (client === undefined) return;
    this.#clients.delete(socket);
    // The library itself closed the client after it dropped a message.
    if (this.#dropped.delete(client)) this.#metrics.closed.add('cut');
    const { connection, session, network, ending } = client;
    network.sockets -= 1;
    if (network.sockets === 0) this.#idleNetworks.add(network);
    connection.forget();
    if (ending === undefined) session.closed();
  }
}

/**
 * Control characters other than white space. The library removes a mask from each frame, also where
 * there is none, which turns text into control characters
 * (docs/decisions/0029-limits-of-the-socket-library.md).
 */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

function hasControls(bytes: ArrayBuffer): boolean {
  return CONTROL.test(Buffer.from(bytes).toString());
}

function isPing(bytes: ArrayBuffer): boolean {
  return bytes.byteLength === PING_BYTES && PING.test(Buffer.from(bytes).toString('latin1'));
}
