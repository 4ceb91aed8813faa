/**
 * HTTP load in an open loop: each request is sent when it is due, however slow the answers are,
 * over kept-alive sockets with one request in flight on each. A request that finds no free socket
 * waits for one, and its latency counts from when it was due. So a stall of the server is counted
 * against every request that was due meanwhile (no coordinated omission).
 */
import { connect, type Socket } from 'node:net';
import type { LoadRequest } from './closed-loop.ts';
import { lengthOf, textOf } from './http-text.ts';

export interface DueRequest {
  readonly request: LoadRequest;
  /** Time after the start; at least that of the request before it. */
  readonly dueMs: number;
}

export interface OpenAnswer {
  /** Index of the request in the order in which requests were added. */
  readonly index: number;
  readonly status: number;
  readonly latencyMs: number;
  /** The part of the latency before it was sent: the sender wakes every millisecond. */
  readonly unsentMs: number;
  /** Head and body; only the first bytes if the loop does not keep bodies. */
  readonly text: string;
}

export interface OpenTerms {
  readonly url: string;
  readonly connections: number;
  /** Whether to decode bodies. Decoding takes processor time from the server that is measured. */
  readonly keepsBodies?: boolean;
  readonly onAnswer: (answer: OpenAnswer) => void;
}

/** A socket, the request in flight on it, and the part of its answer that has arrived. */
interface Lane {
  readonly socket: Socket;
  index: number;
  dueMs: number;
  sentMs: number;
  text: string;
  received: number;
  /** Bytes of the whole answer; 0 while its head is incomplete. */
  expected: number;
}

const LEAD_MS = 50;
const STATUS_AT = 'HTTP/1.1 '.length;
const MAX_HEAD_BYTES = 4_096;
const READ_BYTES = 64 * 1024;

export class OpenLoop {
  readonly #terms: OpenTerms;
  readonly #lanes = new Set<Lane>();
  readonly #free: Lane[] = [];
  readonly #queue: { readonly text: string; readonly dueMs: number; readonly index: number }[] = [];
  /** Index of the next request to send. `add` drops the requests before it. */
  #next = 0;
  // All sockets read into one buffer. With a buffer for each part the garbage collector stopped
  // the sender for 10 ms every second or two.
  readonly #buffer = Buffer.alloc(READ_BYTES);
  #timer: NodeJS.Timeout | undefined;
  #startMs = 0;
  #added = 0;
  #isBlocked = false;
  #onIdle: () => void = () => {};
  #onError: (error: Error) => void = () => {};
  readonly #failed = new Promise<never>((_, reject) => {
    this.#onError = reject;
  });
  #unanswered = 0;
  /** How late a request was sent at most, in ms. Waiting for a free socket does not count. */
  latestMs = 0;

  private constructor(terms: OpenTerms) {
    this.#terms = terms;
    // Callers of `idle` and `failed` get the error; it must not end the process before.
    this.#failed.catch(() => {});
  }

  static async connect(terms: OpenTerms): Promise<OpenLoop> {
    const loop = new OpenLoop(terms);
    // A busy machine may refuse a connection, so another attempt follows.
    while (loop.#lanes.size < terms.connections) await loop.#connectLane().catch(() => {});
    return loop;
  }

  /** Encodes requests and adds them to the end of the queue. */
  add(requests: readonly DueRequest[]): void {
    this.#queue.splice(0, this.#next);
    this.#next = 0;
    for (const { request, dueMs } of requests) {
      this.#queue.push({ text: textOf(request), dueMs, index: this.#added });
      this.#added += 1;
    }
    this.#unanswered += requests.length;
  }

  /** Begins to send: `dueMs` counts from this time, given in ms of `performance.now()`. */
  start(startMs: number): void {
    this.#startMs = startMs;
    this.#timer = setInterval(() => this.#send(), 1);
  }

  /** Resolves when everything that was added is answered. Rejects when a connection breaks. */
  idle(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      if (this.#unanswered === 0) resolve();
    });
    return Promise.race([idle, this.#failed]);
  }

  /** Rejects when a connection breaks, and never resolves. */
  failed(): Promise<never> {
    return this.#failed;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#lanes) socket.removeAllListeners('close').destroy();
  }

  #connectLane(): Promise<void> {
    return new Promise((resolve, reject) => {
      const callback = (bytes: number): boolean => {
        this.#take(lane, this.#buffer.subarray(0, bytes));
        return true;
      };
      const { port, hostname: host } = new URL(this.#terms.url);
      const onread = { buffer: this.#buffer, callback };
      const socket = connect({ port: Number(port), host, noDelay: true, onread });
      const idle = { index: -1, dueMs: 0, sentMs: 0, text: '', received: 0, expected: 0 };
      const lane: Lane = { socket, ...idle };
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.on('close', () => this.#replace(lane));
        this.#lanes.add(lane);
        this.#free.push(lane);
        resolve();
      });
    });
  }

  /** Replaces a socket that the exchange closed because it was idle. */
  #replace(lane: Lane): void {
    this.#lanes.delete(lane);
    const place = this.#free.indexOf(lane);
    if (place < 0)
      this.#onError(new Error('the exchange closed a connection with a request in flight'));
    else {
      this.#free.splice(place, 1);
      this.#connectLane().catch(this.#onError);
    }
  }

  #send(): void {
    const nowMs = performance.now() - this.#startMs;
    for (;;) {
      const next = this.#queue[this.#next];
      if (next === undefined || next.dueMs > nowMs) break;
      const lane = this.#free.shift();
      if (lane === undefined) {
        this.#isBlocked = true;
        return;
      }
      this.#next += 1;
      if (!this.#isBlocked) this.latestMs = Math.max(this.latestMs, nowMs - next.dueMs);
      lane.index = next.index;
      lane.dueMs = next.dueMs;
      lane.sentMs = performance.now() - this.#startMs;
      lane.socket.write(next.text);
    }
    this.#isBlocked = false;
  }

  #take(lane: Lane, part: Buffer): void {
    const isInHead = lane.expected === 0;
    if (this.#terms.keepsBodies) lane.text += part.toString('latin1');
    else if (isInHead) lane.text += part.toString('latin1', 0, MAX_HEAD_BYTES);
    lane.received += part.length;
    if (isInHead) lane.expected = lengthOf(lane.text);
    if (lane.expected === 0 || lane.received < lane.expected) return;
    const { index, text, dueMs, sentMs } = lane;
    const latencyMs = performance.now() - this.#startMs - dueMs;
    const status = Number(text.slice(STATUS_AT, STATUS_AT + 3));
    Object.assign(lane, { text: '', received: 0, expected: 0 });
    this.#free.push(lane);
    this.#unanswered -= 1;
    this.#terms.onAnswer({ index, status, latencyMs, unsentMs: sentMs - dueMs, text });
    if (this.#unanswered === 0) this.#onIdle();
    else this.#send();
  }
}

export interface OpenRun {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  readonly dueMs: Float64Array;
  /** Whether an answer of status 200 is a success; by default all of them are. */
  readonly isSuccess?: (answer: string) => boolean;
}

/** Statuses and latencies, indexed by request. */
export interface OpenAnswers {
  /** 0 for an answer of status 200 that is not a success. */
  readonly statuses: Uint16Array;
  readonly latenciesMs: Float64Array;
  /** The part of each latency before the request was sent. */
  readonly unsentMs: Float64Array;
  readonly latestMs: number;
}

/** Sends a list of requests and resolves when all are answered. */
export async function runOpenLoop(run: OpenRun): Promise<OpenAnswers> {
  const { url, connections, requests, dueMs, isSuccess } = run;
  const statuses = new Uint16Array(requests.length);
  const latenciesMs = new Float64Array(requests.length);
  const unsentMs = new Float64Array(requests.length);
  const keepsBodies = isSuccess !== undefined;
  const loop = await OpenLoop.connect({
    url,
    connections,
    keepsBodies,
    onAnswer: ({ index, status, latencyMs, text, ...answer }) => {
      latenciesMs[index] = latencyMs;
      unsentMs[index] = answer.unsentMs;
      statuses[index] = status !== 200 || (isSuccess?.(text) ?? true) ? status : 0;
    },
  });
  loop.add(requests.map((request, at) => ({ request, dueMs: dueMs[at]! })));
  loop.start(performance.now() + LEAD_MS);
  await loop.idle().finally(() => loop.close());
  return { statuses, latenciesMs, unsentMs, latestMs: loop.latestMs };
}

/** Due times of requests at an even rate, in ms after the start. */
export function evenly(count: number, perSecond: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => (index * 1_000) / perSecond);
}
