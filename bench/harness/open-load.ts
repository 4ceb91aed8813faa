/**
 * Sends requests at their due times whatever the answers do (an open loop), over kept-alive sockets
 * with one request in flight on each. A request that finds no socket free waits for one, and its
 * latency counts from when it was due: when answers stall nothing is left out (coordinated
 * omission).
 *
 * Sockets are used in turn, for the exchange closes one that is quiet for ten seconds.
 *
 * Bound: as many sockets as are asked for; what waits is the list that was given.
 */
import { connect, type Socket } from 'node:net';
import type { Request } from 'autocannon';

export interface OpenLoad {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly Request[];
  /** When each is due, in ms after the start; never before the one before it. */
  readonly dueMs: Float64Array;
  /** Whether a whole answer of status 200, head and body, is that of a success; else all are. */
  readonly isSuccess?: (answer: string) => boolean;
}

/** By request. */
export interface OpenAnswers {
  /** 0 for a 200 that is no success. */
  readonly statuses: Uint16Array;
  /** From when it was due to its answer. */
  readonly latenciesMs: Float64Array;
  /** How late this process was at most where a socket was free. */
  readonly latestMs: number;
}

/** A socket and the request that is in flight on it, with what has come of its answer. */
interface Lane {
  readonly socket: Socket;
  request: number;
  /** The head and what came with it; all of it when the body is asked for. */
  text: string;
  received: number;
  /** Bytes of the whole answer; 0 while its head is not there. */
  expected: number;
}

const LEAD_MS = 50;
const STATUS_AT = 'HTTP/1.1 '.length;
const HEAD_END = '\r\n\r\n';
const MOST_HEAD = 4_096;
const READ_BYTES = 64 * 1024;

function textOf({ method, path, headers, body }: Request): string {
  const text = String(body ?? '');
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  const length = `content-length: ${Buffer.byteLength(text)}`;
  return [`${method} ${path} HTTP/1.1`, 'host: x', ...lines, length, '', text].join('\r\n');
}

/** Bytes of an answer with its head, as its head says; 0 where that is not all there. */
function lengthOf(answer: string): number {
  const end = answer.indexOf(HEAD_END);
  if (end < 0 && answer.length < MOST_HEAD) return 0;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  if (length === undefined) throw new Error(`an answer tells no length: ${answer.slice(0, end)}`);
  return end + HEAD_END.length + Number(length);
}

/**
 * Whether an answer is whole with this part. Bodies are counted, and read only where somebody asks
 * for them: the sender shares the processors with what it measures.
 */
function takePart(lane: Lane, part: Buffer, isBodyAsked: boolean): boolean {
  const isInHead = lane.expected === 0;
  if (isBodyAsked) lane.text += part.toString('latin1');
  else if (isInHead) lane.text += part.toString('latin1', 0, MOST_HEAD);
  lane.received += part.length;
  if (isInHead) lane.expected = lengthOf(lane.text);
  return lane.expected > 0 && lane.received >= lane.expected;
}

/**
 * All sockets read into one buffer, each part at once: with a buffer for each part the collector
 * stopped the sender for 10 ms every second or two.
 */
function openLane(
  url: URL,
  buffer: Buffer,
  onPart: (lane: Lane, part: Buffer) => void,
): Promise<Lane> {
  return new Promise((resolve, reject) => {
    const callback = (bytes: number): boolean => {
      onPart(lane, buffer.subarray(0, bytes));
      return true;
    };
    const { port, hostname: host } = url;
    const onread = { buffer, callback };
    const socket = connect({ port: Number(port), host, noDelay: true, onread });
    const lane: Lane = { socket, request: -1, text: '', received: 0, expected: 0 };
    socket.once('error', reject);
    socket.once('connect', () => resolve(lane));
  });
}

/** Sends all of them and gives their answers; throws when a connection breaks. */
export async function sendOpen(load: OpenLoad): Promise<OpenAnswers> {
  const { url, connections, requests, dueMs } = load;
  const { isSuccess } = load;
  const lanes: Lane[] = [];
  const buffer = Buffer.alloc(READ_BYTES);
  let take = (_lane: Lane, _part: Buffer): void => {};
  while (lanes.length < connections) {
    // A busy machine may refuse one.
    const lane = await openLane(new URL(url), buffer, (from, part) => take(from, part)).catch(
      () => undefined,
    );
    if (lane !== undefined) lanes.push(lane);
  }
  const texts = requests.map(textOf);
  return await new Promise<OpenAnswers>((resolve, reject) => {
    const free = [...lanes];
    const statuses = new Uint16Array(texts.length);
    const latenciesMs = new Float64Array(texts.length);
    const startMs = performance.now() + LEAD_MS;
    let [next, answered, latestMs] = [0, 0, 0];
    let isBlocked = false;
    const send = (): void => {
      const nowMs = performance.now() - startMs;
      while (next < texts.length && dueMs[next]! <= nowMs) {
        const lane = free.shift();
        if (lane === undefined) {
          isBlocked = true;
          return;
        }
        if (!isBlocked) latestMs = Math.max(latestMs, nowMs - dueMs[next]!);
        lane.request = next;
        lane.socket.write(texts[next]!);
        next += 1;
      }
      isBlocked = false;
    };
    const timer = setInterval(send, 1);
    const finish = (): void => {
      clearInterval(timer);
      for (const { socket } of lanes) socket.removeAllListeners('close').destroy();
      resolve({ statuses, latenciesMs, latestMs });
    };
    take = (lane, part) => {
      if (!takePart(lane, part, isSuccess !== undefined)) return;
      latenciesMs[lane.request] = performance.now() - startMs - dueMs[lane.request]!;
      const status = Number(lane.text.slice(STATUS_AT, STATUS_AT + 3));
      const isGood = isSuccess === undefined || isSuccess(lane.text);
      statuses[lane.request] = status !== 200 || isGood ? status : 0;
      Object.assign(lane, { text: '', received: 0, expected: 0 });
      answered += 1;
      free.push(lane);
      if (answered === texts.length) finish();
      else send();
    };
    for (const lane of lanes) {
      lane.socket.on('close', () => reject(new Error('the exchange closed a connection')));
    }
  });
}
