/**
 * Orders in an open loop: arrivals spread evenly at a rate whatever the answers do, so percentiles
 * count from when a request was due and nothing is left out while answers stall.
 */
import type { Request } from 'autocannon';
import { sendOpen } from '../harness/open-load.ts';
import { type Percentiles, percentilesOf } from '../harness/statistics.ts';
import type { Target } from './rounds.ts';

/** Sockets: as many requests may be in flight, what is due beyond waits for one. */
const OPEN_CONNECTIONS = 256;
/** What the program answers while it has too much to do. */
const REFUSED = 503;

export interface OpenTerms {
  readonly what: string;
  readonly requests: readonly Request[];
  /** Of requests. */
  readonly perSecond: number;
  /** How many orders a request has. */
  readonly each: number;
  readonly isSuccess: (body: string) => boolean;
}

export interface OpenRound {
  readonly what: string;
  /** Of orders, as they were due. */
  readonly perSecond: number;
  readonly latencyNs: Percentiles;
  /** Orders that were accepted. */
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

export async function runOpen(target: Target, terms: OpenTerms): Promise<OpenRound> {
  const { what, requests, perSecond, each, isSuccess } = terms;
  const dueMs = Float64Array.from(requests, (_, index) => (index * 1_000) / perSecond);
  const before = target.processorSeconds();
  const { url } = target;
  const load = { url, connections: OPEN_CONNECTIONS, requests, dueMs, isSuccess };
  const { statuses, latenciesMs, latestMs } = await sendOpen(load);
  const accepted = latenciesMs.filter((_, index) => statuses[index] === 200);
  const refused = statuses.filter((status) => status === REFUSED).length;
  return {
    what,
    perSecond: perSecond * each,
    latencyNs: percentilesOf([accepted]),
    accepted: accepted.length * each,
    refused,
    errors: statuses.length - accepted.length - refused,
    lateMs: latestMs,
    serverMicros: ((target.processorSeconds() - before) * 1e6) / (requests.length * each),
  };
}
