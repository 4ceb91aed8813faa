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

/** A socket and the request that is in flight on it. */
interface Lane {
  readonly socket: Socket;
  request: number;
  answer: string;
}

const LEAD_MS = 50;
const STATUS_AT = 'HTTP/1.1 '.length;

const textOf = ({ method, path, headers, body }: Request): string => {
  const text = String(body ?? '');
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  const length = `content-length: ${Buffer.byteLength(text)}`;
  return [`${method} ${path} HTTP/1.1`, 'host: x', ...lines, length, '', text].join('\r\n');
};

/** Whether an answer is there: its head ends, and as many bytes follow as it says. */
const isWhole = (answer: string): boolean => {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, end))?.[1];
  return length !== undefined && Buffer.byteLength(answer) >= end + 4 + Number(length);
};

const openLane = (url: URL): Promise<Lane> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname, noDelay: true });
    socket.setEncoding('utf8');
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, request: -1, answer: '' }));
  });

/** Sends all of them and gives their answers; throws when a connection breaks. */
export async function sendOpen(load: OpenLoad): Promise<OpenAnswers> {
  const { url, connections, requests, dueMs } = load;
  const isSuccess = load.isSuccess ?? (() => true);
  const lanes: Lane[] = [];
  while (lanes.length < connections) {
    // A busy machine may refuse one.
    const lane = await openLane(new URL(url)).catch(() => undefined);
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
    for (const lane of lanes) {
      lane.socket.on('data', (text: string) => {
        lane.answer += text;
        if (!isWhole(lane.answer)) return;
        const status = Number(lane.answer.slice(STATUS_AT, STATUS_AT + 3));
        statuses[lane.request] = status !== 200 || isSuccess(lane.answer) ? status : 0;
        latenciesMs[lane.request] = performance.now() - startMs - dueMs[lane.request]!;
        lane.answer = '';
        answered += 1;
        free.push(lane);
        if (answered === texts.length) finish();
        else send();
      });
      lane.socket.on('close', () => reject(new Error('the exchange closed a connection')));
    }
  });
}
