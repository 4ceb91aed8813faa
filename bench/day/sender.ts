/**
 * Sends a trading day at its due times, whatever the answers do (an open loop), over kept-alive
 * sockets with one request in flight on each. A request that finds no socket free waits for one,
 * and its latency counts from when it was due, so nothing is left out when answers stall
 * (coordinated omission).
 *
 * Invariant: answers are told once each, whole. Bound: SECONDS_AHEAD of requests are kept, made by
 * another thread, and what waits because answers stall.
 */
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { DaySecond, MakerInput, MakerWish } from './maker.ts';
import type { LaneName, Read } from './plan.ts';

const SECONDS_AHEAD = 4;
const SOCKETS = 256;
const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;

/** One answer, and what was asked. */
export interface DayAnswer {
  readonly lane: LaneName;
  readonly read: Read | '';
  readonly items: number;
  /** After the opening began. */
  readonly dueMs: number;
  readonly latencyMs: number;
  readonly status: number;
  readonly body: Buffer;
}

export interface DaySending {
  readonly url: string;
  readonly input: MakerInput;
  readonly seconds: number;
  /** When the opening begins, since the epoch. */
  readonly startMs: number;
  readonly onAnswer: (answer: DayAnswer) => void;
  readonly onResolution: (resolution: DaySecond['resolutions'][number]) => void;
}

interface Line {
  readonly socket: Socket;
  second: DaySecond | undefined;
  request: number;
  parts: Buffer[];
  received: number;
  /** Bytes of the whole answer; 0 until its head is there. */
  wanted: number;
}

/** How the sender itself did. */
export interface SenderFigures {
  readonly requests: number;
  /** How late this process was at most where a socket was free. */
  readonly latestMs: number;
  /** The most requests that waited for a socket. */
  readonly mostWaiting: number;
  /** Processor time of making and signing, of all of it. */
  readonly makerMs: number;
}

function openLine(url: URL): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      resolve({ socket, second: undefined, request: 0, parts: [], received: 0, wanted: 0 });
    });
  });
}

/** Adds what came; gives the whole answer once it is there. */
function readAnswer(line: Line, chunk: Buffer): Buffer | undefined {
  line.parts.push(chunk);
  line.received += chunk.length;
  if (line.wanted > line.received) return undefined;
  const bytes = line.parts.length === 1 ? chunk : Buffer.concat(line.parts);
  if (line.wanted === 0) {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const head = bytes.toString('latin1', 0, end);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`an answer without length: ${head}`);
    line.wanted = end + HEAD_END.length + Number(length);
    if (line.wanted > line.received) return undefined;
  }
  [line.parts, line.received, line.wanted] = [[], 0, 0];
  return bytes;
}

export class DaySender {
  readonly #sending: DaySending;
  readonly #maker: Worker;
  readonly #lines = new Set<Line>();
  /** Those without a request, the longest quiet first. */
  readonly #free: Line[] = [];
  readonly #seconds: DaySecond[] = [];
  /** Where `performance.now()` was at the beginning of the opening. */
  #zeroMs = 0;
  #asked = 0;
  #next = 0;
  #unanswered = 0;
  #requests = 0;
  #isBlocked = false;
  #latestMs = 0;
  #mostWaiting = 0;
  #makerMs = 0;
  #finish: () => void = () => {};
  #fail: (error: Error) => void = () => {};

  constructor(sending: DaySending) {
    this.#sending = sending;
    const file = new URL('./maker.ts', import.meta.url);
    this.#maker = new Worker(file, { workerData: sending.input });
  }

  /** Sends everything; resolves when all of it is answered. */
  async run(): Promise<SenderFigures> {
    const { url, startMs } = this.#sending;
    const finished = new Promise<void>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    while (this.#lines.size < SOCKETS) {
      // A busy machine may refuse one.
      const line = await openLine(new URL(url)).catch(() => undefined);
      if (line !== undefined) this.#adopt(line);
    }
    this.#maker.on('error', this.#fail);
    this.#maker.on('message', (second: DaySecond) => this.#take(second));
    for (let ahead = 0; ahead < SECONDS_AHEAD; ahead += 1) this.#ask();
    this.#zeroMs = performance.now() + startMs - Date.now();
    const timer = setInterval(() => this.#send(), 1);
    await finished.finally(() => clearInterval(timer));
    for (const { socket } of this.#lines) socket.removeAllListeners('close').destroy();
    await this.#maker.terminate();
    return {
      requests: this.#requests,
      latestMs: this.#latestMs,
      mostWaiting: this.#mostWaiting,
      makerMs: this.#makerMs,
    };
  }

  #ask(): void {
    if (this.#asked === this.#sending.seconds) return;
    this.#asked += 1;
    const wish: MakerWish = { startMs: this.#sending.startMs };
    this.#maker.postMessage(wish);
  }

  #take(second: DaySecond): void {
    this.#seconds.push(second);
    this.#unanswered += second.ends.length;
    this.#requests += second.ends.length;
    this.#makerMs += second.workMs;
    for (const resolution of second.resolutions) {
      const waitMs = this.#zeroMs + resolution.dueMs - performance.now();
      setTimeout(() => this.#sending.onResolution(resolution), waitMs);
    }
  }

  #send(): void {
    const nowMs = performance.now() - this.#zeroMs;
    for (;;) {
      const second = this.#seconds[0];
      if (second === undefined) {
        this.#endIfDone();
        return;
      }
      if (this.#next === second.ends.length) {
        this.#seconds.shift();
        this.#next = 0;
        this.#ask();
        continue;
      }
      const dueMs = second.dueMs[this.#next]!;
      if (dueMs > nowMs) break;
      const line = this.#free.shift();
      if (line === undefined) {
        this.#isBlocked = true;
        const waiting = second.dueMs.filter((due) => due <= nowMs).length - this.#next;
        this.#mostWaiting = Math.max(this.#mostWaiting, waiting);
        return;
      }
      if (!this.#isBlocked) this.#latestMs = Math.max(this.#latestMs, nowMs - dueMs);
      line.second = second;
      line.request = this.#next;
      const from = this.#next === 0 ? 0 : second.ends[this.#next - 1]!;
      line.socket.write(second.bytes.subarray(from, second.ends[this.#next]));
      this.#next += 1;
    }
    this.#isBlocked = false;
  }

  #endIfDone(): void {
    if (this.#asked === this.#sending.seconds && this.#unanswered === 0) this.#finish();
  }

  #listen(line: Line): void {
    line.socket.on('data', (chunk) => {
      const bytes = readAnswer(line, chunk);
      if (bytes === undefined) return;
      this.#tell(line, bytes);
      this.#free.push(line);
      if (this.#isBlocked) this.#send();
    });
    line.socket.on('error', this.#fail);
    line.socket.on('close', () => {
      this.#lost(line).catch(this.#fail);
    });
  }

  /** One that was quiet for ten seconds may be closed; another takes its place. */
  async #lost(line: Line): Promise<void> {
    const place = this.#free.indexOf(line);
    if (place < 0) throw new Error('the exchange closed a connection with a request on it');
    this.#free.splice(place, 1);
    this.#lines.delete(line);
    this.#adopt(await openLine(new URL(this.#sending.url)));
  }

  #adopt(line: Line): void {
    this.#lines.add(line);
    this.#free.push(line);
    this.#listen(line);
  }

  #tell({ second, request }: Line, bytes: Buffer): void {
    if (second === undefined) throw new Error('an answer that nobody asked for');
    this.#unanswered -= 1;
    const dueMs = second.dueMs[request]!;
    this.#sending.onAnswer({
      lane: second.lanes[request]!,
      read: second.reads[request]!,
      items: second.items[request]!,
      dueMs,
      latencyMs: performance.now() - this.#zeroMs - dueMs,
      status: Number(bytes.toString('latin1', STATUS_AT, STATUS_AT + 3)),
      body: bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length),
    });
  }
}
