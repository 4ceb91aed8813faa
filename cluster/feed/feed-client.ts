/**
 * A replica's connection to the core: what comes from there in order, and requests. Invariants:
 * after the end, which is reported once, nothing is handed on and every request is rejected with
 * StoreError `no_core`; an answer is given after the entries that the core had committed by then.
 * Bounds: FEED_BOUNDS.waitingRequests and requestBytes; a further request is refused as
 * `overloaded`.
 */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { StoreError, toError } from '../../persistence/shared/index.ts';
import { decodeEntry, type LogEntry, monotonicMs } from '../log/index.ts';
import { FeedConnection, nextFrame } from './connection.ts';
import type { FeedTls } from './feed-server.ts';
import { answerIn, FEED_BOUNDS, FEED_PACE, FRAME, type Frame, requestHead } from './frames.ts';
import {
  type CoreWelcome,
  NONCE_BYTES,
  type Nonces,
  nonceIn,
  proofOf,
  provenRest,
  type ReplicaHello,
  refusalIn,
  welcomeIn,
} from './handshake.ts';
import { decodeHistory, type HistoryCommands, type HistoryEnd } from './history.ts';

export interface FeedClientEvents {
  readonly onEntry: (entry: LogEntry) => void;
  readonly onHistory: (commands: HistoryCommands) => void;
  /** After commands of the journal: this node has everything up to there. */
  readonly onPosition: (position: HistoryEnd) => void;
  /** A frame of answers to commands. */
  readonly onSubmitted: (body: Buffer) => void;
  /** The core's clock has this time. */
  readonly onTime: (wallMs: number) => void;
  readonly onEnd: (error: Error) => void;
}

export interface FeedClientOptions {
  /** HOST:PORT. */
  readonly address: string;
  readonly secret: Uint8Array;
  readonly tls?: FeedTls | undefined;
  readonly hello: ReplicaHello;
}

interface Pending {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: StoreError) => void;
  readonly bytes: number;
}

/** An answer that came before the entries that it follows. */
interface Early {
  readonly number: number;
  readonly settle: () => void;
}

export class FeedClient {
  readonly welcome: CoreWelcome;
  readonly #connection: FeedConnection;
  #events: FeedClientEvents | undefined;
  readonly #pending = new Map<number, Pending>();
  #early: Early[] = [];
  #lastId = 0;
  #waitingBytes = 0;
  /** The last entry that was handed on. */
  #number: number;
  /** When the newest ping was sent that the core has answered. */
  #currentAtMs: number;
  #heardAtMs = monotonicMs();
  #pinger: NodeJS.Timeout | undefined;
  #end: StoreError | undefined;

  constructor(connection: FeedConnection, welcome: CoreWelcome, number: number) {
    this.#connection = connection;
    this.welcome = welcome;
    this.#number = number;
    this.#currentAtMs = Number.NEGATIVE_INFINITY;
  }

  /** The core was the core at this time or later, by `monotonicMs`. */
  get currentAtMs(): number {
    return this.#currentAtMs;
  }

  /** How long ago anything came from the core. */
  get silenceMs(): number {
    return monotonicMs() - this.#heardAtMs;
  }

  /** Frames are handed on from here on. */
  listen(events: FeedClientEvents): void {
    this.#events = events;
    const ping = (): void => {
      const body = Buffer.alloc(8);
      body.writeDoubleBE(monotonicMs());
      this.#connection.send(FRAME.ping, body);
    };
    this.#pinger = setInterval(ping, FEED_PACE.pingMs).unref();
    ping();
    this.#connection.listen({
      onFrame: (frame) => this.#take(frame),
      onEnd: (error) => this.#ended(error),
    });
  }

  /** Tells the core what this node has synced. */
  noteSynced(entry: number, seq: number): void {
    this.#connection.sendJson(FRAME.synced, { entry, seq });
  }

  /** Sends commands; the answer comes to `onSubmitted`. */
  submit(...parts: readonly Uint8Array[]): void {
    this.#connection.send(FRAME.submits, ...parts);
  }

  /** Rejects with `no_core`, `overloaded` or the error of the core. */
  request(kind: string, body: Uint8Array): Promise<Buffer> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const bytes = body.length;
    const isFull = this.#pending.size >= FEED_BOUNDS.waitingRequests;
    if (isFull || this.#waitingBytes + bytes > FEED_BOUNDS.requestBytes) {
      return Promise.reject(
        new StoreError(
          'overloaded',
          `${this.#pending.size} requests with ${this.#waitingBytes} bytes wait for the core, ` +
            `and ${FEED_BOUNDS.waitingRequests} with ${FEED_BOUNDS.requestBytes} bytes may`,
        ),
      );
    }
    this.#lastId = (this.#lastId + 1) % 2 ** 32;
    const id = this.#lastId;
    this.#waitingBytes += bytes;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, bytes });
      this.#connection.send(FRAME.request, requestHead(id, kind), body);
    });
  }

  /** Stops reading until `resume`: this node can't keep up. */
  pause(): void {
    this.#connection.pause();
  }

  resume(): void {
    if (this.#end === undefined) this.#connection.resume();
  }

  close(error: Error): void {
    this.#connection.destroy(error);
  }

  #take({ kind, body }: Frame): void {
    this.#heardAtMs = monotonicMs();
    switch (kind) {
      case FRAME.entry:
        this.#takeEntry(decodeEntry('an entry of the feed', body));
        break;
      case FRAME.history:
        this.#events?.onHistory(decodeHistory(body));
        break;
      case FRAME.position:
        // Safe: the core proved that it is one, and the frame's checksum is right.
        this.#takePosition(JSON.parse(body.toString()) as HistoryEnd);
        break;
      case FRAME.submitted:
        this.#events?.onSubmitted(body);
        break;
      case FRAME.pong:
        this.#events?.onTime(body.readDoubleBE(16));
        this.#takePong(body.readDoubleBE(0), Number(body.readBigUInt64BE(8)));
        break;
      case FRAME.answer:
        this.#answer(body, (pending, answer) => pending.resolve(Buffer.from(answer)));
        break;
      case FRAME.failure:
        this.#answer(body, (pending, answer) => pending.reject(refusalIn(answer)));
        break;
      case FRAME.refusal:
        this.close(refusalIn(body));
        break;
      default:
        this.close(new StoreError('feed_refused', `the core sent frame ${kind}`));
    }
  }

  #takePosition(position: HistoryEnd): void {
    this.#events?.onPosition(position);
    this.#reach(position.number);
  }

  /** What this node shows is current from the time on at which it sent the ping. */
  #takePong(sentMs: number, number: number): void {
    this.#after(number, () => {
      this.#currentAtMs = Math.max(this.#currentAtMs, sentMs);
    });
  }

  #takeEntry(entry: LogEntry): void {
    this.#events?.onEntry(entry);
    this.#reach(entry.number);
  }

  #reach(number: number): void {
    this.#number = number;
    while ((this.#early[0]?.number ?? Number.POSITIVE_INFINITY) <= number) {
      this.#early.shift()?.settle();
    }
  }

  #answer(frame: Buffer, settle: (pending: Pending, answer: Buffer) => void): void {
    const { id, number, body } = answerIn(frame);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const settleNow = (): void => {
      this.#pending.delete(id);
      this.#waitingBytes -= pending.bytes;
      settle(pending, body);
    };
    this.#after(number, settleNow);
  }

  /** Calls `settle` when this node has all entries up to `number`. */
  #after(number: number, settle: () => void): void {
    if (number <= this.#number) settle();
    else this.#early.push({ number, settle });
  }

  #ended(error: Error): void {
    clearInterval(this.#pinger);
    this.#end = new StoreError('no_core', `the connection to the core was lost: ${error.message}`);
    for (const pending of this.#pending.values()) pending.reject(this.#end);
    this.#pending.clear();
    this.#early = [];
    this.#events?.onEnd(error);
  }
}

/**
 * Connects to a core. Rejects with StoreError `no_core` if there is none at the address, and with
 * `feed_refused`, `log_differs` or others if the two can't work together.
 */
export async function connectFeed(options: FeedClientOptions): Promise<FeedClient> {
  const { secret, hello, address } = options;
  const { socket, transport } = await openSocket(options);
  const connection = new FeedConnection(socket, FEED_BOUNDS.greetingBytes, transport);
  try {
    const { greetingMs } = FEED_PACE;
    const nonce = randomBytes(NONCE_BYTES);
    connection.send(FRAME.greeting, nonce);
    const challenge = await nextFrame(connection, greetingMs, [FRAME.challenge]);
    const nonces: Nonces = [nonce, nonceIn(challenge.body.subarray(0, NONCE_BYTES))];
    provenRest(challenge.body.subarray(NONCE_BYTES), secret, 'core', nonces);
    const said = Buffer.from(JSON.stringify(hello));
    connection.allow(FEED_BOUNDS.frameBytes);
    connection.send(FRAME.hello, proofOf(secret, 'replica', nonces, said), said);
    const answer = await nextFrame(connection, greetingMs, [FRAME.welcome, FRAME.refusal]);
    if (answer.kind === FRAME.refusal) throw refusalIn(answer.body);
    return new FeedClient(connection, welcomeIn(answer.body), hello.position.number);
  } catch (error) {
    connection.destroy(toError(error));
    throw error instanceof StoreError ? error : unreachable(address, toError(error));
  }
}

async function openSocket({ address, tls }: FeedClientOptions) {
  const portAt = address.lastIndexOf(':');
  const host = address.slice(0, portAt).replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.slice(portAt + 1));
  const signal = AbortSignal.timeout(FEED_PACE.connectMs);
  const transport = connect({ host, port });
  let socket: Socket = transport;
  try {
    await once(transport, 'connect', { signal });
    if (tls === undefined) return { socket, transport };
    socket = connectTls({ socket: transport, host, ...tls });
    await once(socket, 'secureConnect', { signal });
    return { socket, transport };
  } catch (error) {
    socket.on('error', () => undefined); // reported already
    socket.destroy();
    transport.destroy();
    throw unreachable(address, toError(error));
  }
}

function unreachable(address: string, error: Error): StoreError {
  return new StoreError(
    'no_core',
    `the core's feed at ${address} does not answer: ${error.message}`,
  );
}
