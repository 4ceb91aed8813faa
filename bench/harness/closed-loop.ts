/**
 * HTTP load by autocannon in a closed loop: each connection has one request in flight and sends the
 * next one when the answer comes.
 */
import autocannon from 'autocannon';
import { threadSeconds } from '../../persistence/index.ts';
import { ownMicros, processorSeconds } from './processor-time.ts';
import type { Round } from './turns.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The server that gets the load. */
export interface Target {
  readonly url: string;
  readonly pid: number;
}

export interface ClosedTerms {
  /** A multiple of `connections`. Each is sent once. */
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  readonly isSuccess: (body: string) => boolean;
  /** How many orders a request has. */
  readonly each?: number;
}

/** If a request has several orders, rates and processor times are per order. */
export interface ClosedRound extends Round {
  /** Bodies that are no success, broken connections, timeouts. */
  readonly errors: number;
  /** The first body that is not a success; '' for none. */
  readonly failure: string;
  readonly sent: number;
  /** `micros` by thread, where their names are known. */
  readonly threadMicros: Readonly<Record<string, number>>;
  /** Microseconds of processor time of autocannon, in this process. */
  readonly loadMicros: number;
}

export function isAccepted(body: string): boolean {
  return body.includes('"success":true');
}

export function isCanceled(body: string): boolean {
  return body.includes('"canceled":["');
}

/** Sends all requests as fast as they are answered. */
export async function runClosedLoop(target: Target, terms: ClosedTerms): Promise<ClosedRound> {
  const { requests, connections, isSuccess, each = 1 } = terms;
  const share = requests.length / connections;
  if (!Number.isInteger(share)) throw new Error('requests must be a multiple of connections');
  const serverBefore = processorSeconds(target.pid);
  const threadsBefore = threadSeconds(target.pid);
  const loadBefore = ownMicros();
  let [clients, answers, first, last, failure] = [0, 0, 0, 0, ''];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url: target.url,
      connections,
      amount: requests.length,
      timeout: 30,
      setupClient: (client) => {
        client.setRequests(requests.slice(clients * share, (clients + 1) * share));
        clients += 1;
      },
      verifyBody: (body) => {
        const isGood = isSuccess(String(body));
        if (!isGood) failure ||= String(body);
        return isGood;
      },
    };
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    // Autocannon has encoded all requests now; it sends them in the next turn of the event loop.
    first = performance.now();
    instance.on('response', () => {
      last = performance.now();
      answers += 1;
    });
  });
  const sent = requests.length * each;
  const threads = [...threadSeconds(target.pid)].map(([thread, seconds]) => {
    return [thread, ((seconds - (threadsBefore.get(thread) ?? 0)) * 1e6) / sent] as const;
  });
  return {
    perSecond: (answers * each * 1e3) / (last - first),
    errors: result.errors + result.timeouts + result.mismatches,
    failure,
    sent,
    micros: ((processorSeconds(target.pid) - serverBefore) * 1e6) / sent,
    threadMicros: Object.fromEntries(threads),
    loadMicros: (ownMicros() - loadBefore) / sent,
  };
}

/** Reads one path for some seconds, with several requests in flight on each connection. */
export async function repeatRead(
  target: Target,
  path: string,
  terms: { readonly connections: number; readonly pipelined: number; readonly seconds: number },
) {
  const before = processorSeconds(target.pid);
  const result = await autocannon({
    url: `${target.url}${path}`,
    connections: terms.connections,
    pipelining: terms.pipelined,
    duration: terms.seconds,
    workers: 1,
  });
  const failures = result.errors + result.timeouts + result.non2xx;
  if (failures > 0) throw new Error(`${target.url}${path}: ${failures} requests failed`);
  const count = result.requests.total;
  const micros = ((processorSeconds(target.pid) - before) * 1e6) / count;
  return { perSecond: count / result.duration, micros };
}
