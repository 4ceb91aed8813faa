/** Orders in an open loop, at half and at all of the rate of the closed loop. */
import { isAccepted, type LoadRequest } from '../harness/closed-loop.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { printProgress } from '../harness/print.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import { BATCH, isBatchAccepted } from './rounds.ts';
import type { Servers } from './servers.ts';

const CONNECTIONS = 256;
const ROUNDS = 3;
const SECONDS = 3;
/** The status with which the program refuses orders when it has too many. */
const REFUSED = 503;

interface OpenTerms {
  readonly what: string;
  readonly make: (count: number) => readonly LoadRequest[];
  readonly isSuccess: (body: string) => boolean;
  /** The rate of requests. */
  readonly perSecond: number;
  /** How many orders a request has. */
  readonly each: number;
}

export interface OpenRound {
  readonly what: string;
  /** Orders that were due in a second. */
  readonly perSecond: number;
  /** Latencies of the accepted requests. */
  readonly latencyNs: Percentiles;
  /** Orders. */
  readonly accepted: number;
  /** Requests that were refused because of the load. */
  readonly refused: number;
  /** Requests with any other answer. */
  readonly errors: number;
  /** How late the sender was at most. */
  readonly lateMs: number;
  /** Microseconds of processor time an order, of all threads of the program. */
  readonly serverMicros: number;
}

async function openRound({ exchange, tally }: Servers, terms: OpenTerms): Promise<OpenRound> {
  const { what, make, perSecond, each, isSuccess } = terms;
  printProgress(`orders: ${what}`);
  const requests = make(Math.ceil(perSecond * SECONDS));
  const dueMs = evenly(requests.length, perSecond);
  const before = exchange.processorSeconds();
  const load = { url: exchange.url, connections: CONNECTIONS, requests, dueMs, isSuccess };
  const { statuses, latenciesMs, latestMs } = await runOpenLoop(load);
  const accepted = latenciesMs.filter((_, index) => statuses[index] === 200);
  const refused = statuses.filter((status) => status === REFUSED).length;
  tally.ours += accepted.length * each;
  return {
    what,
    perSecond: perSecond * each,
    latencyNs: percentilesOf([accepted]),
    accepted: accepted.length * each,
    refused,
    errors: statuses.length - accepted.length - refused,
    lateMs: latestMs,
    serverMicros: ((exchange.processorSeconds() - before) * 1e6) / (requests.length * each),
  };
}

/** `full` and `fullBatches` are orders a second of the closed loop. */
export async function runOpenRounds(servers: Servers, full: number, fullBatches: number) {
  const { orders } = servers;
  const make = (count: number) => orders.make(count);
  const single = { make, isSuccess: isAccepted, each: 1 };
  const batch = {
    what: `POST /orders of ${BATCH} at half load`,
    make: (count: number) => orders.makeBatches(count, BATCH),
    isSuccess: isBatchAccepted,
    each: BATCH,
    perSecond: fullBatches / BATCH / 2,
  };
  const half: OpenRound[] = [];
  const halfBatches: OpenRound[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const what = 'POST /order at half load';
    half.push(await openRound(servers, { ...single, what, perSecond: full / 2 }));
    halfBatches.push(await openRound(servers, batch));
  }
  // Last: what it leaves undone would be done in the rounds after it.
  const what = 'POST /order at full load';
  const most = await openRound(servers, { ...single, what, perSecond: full });
  return { half: half, full: [most], halfBatches: halfBatches };
}
