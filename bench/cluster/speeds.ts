/** Orders a second and latencies of a cluster, beside one process on SQLite in the same run. */
import {
  type ClosedRound,
  isAccepted,
  type LoadRequest,
  runClosedLoop,
  type Target,
} from '../harness/closed-loop.ts';
import type { Exchange } from '../harness/exchange.ts';
import { evenly, runOpenLoop } from '../harness/open-loop.ts';
import type { Orders } from '../harness/orders.ts';
import { printProgress } from '../harness/print.ts';
import { processorSeconds } from '../harness/processor-time.ts';
import { percentilesOf } from '../harness/statistics.ts';
import { comparePair } from '../harness/turns.ts';
import type { Venue } from './venue.ts';

/** Orders in flight: each connection has one. */
export const IN_FLIGHT = [1, 4, 16, 100] as const;
const WARM_UP_PER_CONNECTION = 40;
const OPEN_CONNECTIONS = 256;
const OPEN_SECONDS = 3;

export interface Alone {
  readonly exchange: Exchange;
  readonly orders: Orders;
}

export interface SpeedTerms {
  readonly rounds: number;
  readonly seconds: number;
}

export interface ClusterRound extends ClosedRound {
  /** Processor time of the gateway for one order. */
  readonly gatewayMicros: number;
}

/** One side of a comparison. It sends what takes about `seconds` at the speed of the last round. */
class Side {
  readonly #connections: number;
  readonly #seconds: number;
  readonly #orders: Orders;
  #count: number;

  constructor(orders: Orders, connections: number, seconds: number) {
    this.#orders = orders;
    this.#connections = connections;
    this.#seconds = seconds;
    this.#count = WARM_UP_PER_CONNECTION * connections;
  }

  async send(target: Target): Promise<ClosedRound> {
    const requests: readonly LoadRequest[] = this.#orders.make(this.#count);
    const connections = this.#connections;
    const round = await runClosedLoop(target, { requests, connections, isSuccess: isAccepted });
    const share = Math.max(1, Math.floor((round.perSecond * this.#seconds) / connections));
    this.#count = share * connections;
    return round;
  }
}

async function withGatewayTime(venue: Venue, side: Side): Promise<ClusterRound> {
  const { pid } = venue.gateway.child;
  const before = processorSeconds(pid);
  const round = await side.send(await venue.target());
  const gatewayMicros = ((processorSeconds(pid) - before) * 1e6) / round.sent;
  return { ...round, gatewayMicros };
}

/** Orders a second with some of them in flight, each side in turn. */
export async function compareSpeeds(venue: Venue, alone: Alone, inFlight: number, t: SpeedTerms) {
  const ours = new Side(venue.orders, inFlight, t.seconds);
  const bare = new Side(alone.orders, inFlight, t.seconds);
  return await comparePair<ClusterRound>({
    what: `cluster: ${inFlight} in flight`,
    rounds: t.rounds,
    ours: () => withGatewayTime(venue, ours),
    bare: async () => ({ ...(await bare.send(alone.exchange)), gatewayMicros: Number.NaN }),
  });
}
export type ComparedSpeeds = Awaited<ReturnType<typeof compareSpeeds>>;

/** Latencies at a fixed rate. */
export async function latencies(url: string, orders: Orders, perSecond: number) {
  printProgress(`cluster: latency at ${Math.round(perSecond)} orders a second`);
  const requests = orders.make(Math.ceil(perSecond * OPEN_SECONDS));
  const dueMs = evenly(requests.length, perSecond);
  const connections = OPEN_CONNECTIONS;
  const load = { url, connections, requests, dueMs, isSuccess: isAccepted };
  const { statuses, latenciesMs } = await runOpenLoop(load);
  const accepted = latenciesMs.filter((_, index) => statuses[index] === 200);
  return { latencyNs: percentilesOf([accepted]), refused: requests.length - accepted.length };
}
