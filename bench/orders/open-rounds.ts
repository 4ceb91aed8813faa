/** Orders in an open loop, at half the rate of the closed loop and at its full rate. */
import { isAccepted, type LoadRequest } from '../harness/closed-loop.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import { printProgress } from '../harness/print.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { BATCH, isBatchAccepted } from './rounds.ts';
import type { Servers } from './servers.ts';

const CONNECTIONS = 256;
const ROUNDS = 3;
/** So few that each order finds an idle exchange. */
const LONE_PER_SECOND = 50;
const SECONDS = 3;
/** The status with which the exchange refuses orders when it has too many. */
const REFUSED = 503;

interface OpenTerms {
  readonly what: string;
  readonly make: (count: number) => readonly LoadRequest[];
  readonly isSuccess: (body: string) => boolean;
  /** Orders due in a second. */
  readonly perSecond: number;
  /** How many orders each request has. */
  readonly each: number;
  /** Whether a latency begins when a request is sent, not when it is due. */
  readonly fromSent?: boolean;
}

async function openRound({ exchange, tally }: Servers, terms: OpenTerms) {
  const { what, make, perSecond, each, isSuccess, fromSent = false } = terms;
  printProgress(`orders: ${what}`);
  const requests = make(Math.ceil((perSecond / each) * SECONDS));
  const dueMs = evenly(requests.length, perSecond / each);
  const before = exchange.processorSeconds();
  const load = { url: exchange.url, connections: CONNECTIONS, requests, dueMs, isSuccess };
  const { statuses, latenciesMs, unsentMs, latestMs } = await runOpenLoop(load);
  const seconds = exchange.processorSeconds() - before;
  const acceptedMs = latenciesMs
    .map((ms, index) => (fromSent ? ms - unsentMs[index]! : ms))
    .filter((_, index) => statuses[index] === 200);
  const refused = statuses.filter((status) => status === REFUSED).length;
  tally.exchange += acceptedMs.length * each;
  return {
    what,
    perSecond,
    /** Of the accepted requests. */
    latencyNs: percentilesOf([acceptedMs]),
    /** Requests that were refused because of the load. */
    refused,
    /** Requests with any other answer. */
    errors: statuses.length - acceptedMs.length - refused,
    /** How late the sender was at most. */
    lateMs: latestMs,
    /** Processor time for one order, in microseconds, of all threads of the exchange. */
    micros: (seconds * 1e6) / (requests.length * each),
  };
}
export type OpenRound = Awaited<ReturnType<typeof openRound>>;

/**
 * Orders so far apart that none waits for another. The time until the sender wakes for one, a
 * millisecond at most, is as long as the answer takes and is left out.
 */
export function runLone(servers: Servers): Promise<OpenRound> {
  const make = (count: number) => servers.orders.make(count);
  const terms = { make, isSuccess: isAccepted, perSecond: LONE_PER_SECOND, each: 1 };
  return openRound(servers, { what: 'a lone POST /order', fromSent: true, ...terms });
}

/** `full`, `fullBatches`: orders a second in the closed loop, one by one and in batches. */
export async function runOpenRounds(servers: Servers, full: number, fullBatches: number) {
  const { orders } = servers;
  const single = { make: (count: number) => orders.make(count), isSuccess: isAccepted, each: 1 };
  const halfSingle = { ...single, what: 'POST /order at half load', perSecond: full / 2 };
  const halfBatch = {
    what: `POST /orders of ${BATCH} at half load`,
    make: (count: number) => orders.makeBatches(count, BATCH),
    isSuccess: isBatchAccepted,
    each: BATCH,
    perSecond: fullBatches / 2,
  };
  const half: OpenRound[] = [];
  const halfBatches: OpenRound[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    half.push(await openRound(servers, halfSingle));
    halfBatches.push(await openRound(servers, halfBatch));
  }
  // Full load comes last, because the work that it leaves behind would slow later rounds.
  const what = 'POST /order at full load';
  const atFullLoad = await openRound(servers, { ...single, what, perSecond: full });
  return { half, full: [atFullLoad], halfBatches };
}
