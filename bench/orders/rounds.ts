/**
 * Rounds of orders or cancels in a closed loop: the exchange and the reference in turn, with the
 * same requests. How many each gets follows from its speed in the round before.
 *
 * Bound: MAX_ORDERS a round, so that no account reaches its bound of live orders.
 */
import {
  type ClosedRound,
  type ClosedTerms,
  isAccepted,
  isCanceled,
  type LoadRequest,
  runClosedLoop,
} from '../harness/closed-loop.ts';
import { printProgress } from '../harness/print.ts';
import { type Compared, comparePair } from '../harness/turns.ts';
import type { Servers } from './servers.ts';

const CONNECTIONS = 100;
/** The most orders that a request may have. */
export const BATCH = 15;
/** For batches: about as many orders are in flight as on CONNECTIONS with single orders. */
const BATCH_CONNECTIONS = 8;
const MAX_ORDERS = 30_000;
const ROUNDS = 3;
/** Orders of the warm-up. They take about two seconds, in which the runtime compiles the code. */
const WARM_UP = 12_000;
const WARM_UP_BATCHES = 200;

export type ComparedOrders = Compared<ClosedRound>;
type Side = 'exchange' | 'reference';

interface TurnTerms {
  readonly what: string;
  readonly isSuccess: (body: string) => boolean;
  /** Makes the requests of a round, and prepares the servers for them. */
  readonly prepare: (counts: Readonly<Record<Side, number>>) => Promise<readonly LoadRequest[]>;
  readonly seconds: number;
  /** How many orders the reference gets in the warm-up. The exchange gets WARM_UP. */
  readonly referenceWarmUp: number;
  /** Counts what a side has accepted. */
  readonly count: (side: Side, accepted: number) => void;
}

/** How many requests, of `each` orders, take `seconds` at the rate of the round before. */
function countFor(perSecond: number, seconds: number, connections: number, each = 1): number {
  const requests = Math.min((perSecond * seconds) / each, MAX_ORDERS / each);
  return Math.max(Math.floor(requests / connections), 1) * connections;
}

async function takeTurns(servers: Servers, terms: TurnTerms): Promise<ComparedOrders> {
  const { isSuccess, prepare, seconds, count } = terms;
  const counts = { exchange: WARM_UP, reference: terms.referenceWarmUp };
  let requests: readonly LoadRequest[] = [];
  const send = async (side: Side): Promise<ClosedRound> => {
    const own = requests.slice(0, counts[side]);
    const load = { requests: own, isSuccess, connections: CONNECTIONS };
    const round = await runClosedLoop(servers[side], load);
    counts[side] = countFor(round.perSecond, seconds, CONNECTIONS);
    count(side, round.sent - round.errors);
    return round;
  };
  return await comparePair({
    what: `orders: ${terms.what}`,
    rounds: ROUNDS,
    prepare: async () => {
      requests = await prepare(counts);
    },
    ours: () => send('exchange'),
    bare: () => send('reference'),
  });
}

/** Measures POST /order. */
export function runSingles(servers: Servers): Promise<ComparedOrders> {
  const { orders, tally } = servers;
  return takeTurns(servers, {
    what: 'single orders',
    isSuccess: isAccepted,
    prepare: async ({ exchange, reference }) => orders.make(Math.max(exchange, reference)),
    seconds: 2,
    referenceWarmUp: 600,
    count: (side, accepted) => {
      tally[side] += accepted;
    },
  });
}

/** Whether all orders of a batch were accepted. */
export function isBatchAccepted(body: string): boolean {
  return body.split('"success":true').length - 1 === BATCH;
}

function batchTerms(requests: readonly LoadRequest[]): ClosedTerms {
  const connections = BATCH_CONNECTIONS;
  return { requests, connections, isSuccess: isBatchAccepted, each: BATCH };
}

/** Measures POST /orders with batches, at the exchange only. */
export async function runBatches({ exchange, orders, tally }: Servers): Promise<ClosedRound[]> {
  const rounds: ClosedRound[] = [];
  let count = WARM_UP_BATCHES;
  for (let round = 0; round <= ROUNDS; round += 1) {
    printProgress(`orders: batches of ${BATCH}: ${round === 0 ? 'warm-up' : `round ${round}`}`);
    const run = await runClosedLoop(exchange, batchTerms(orders.makeBatches(count, BATCH)));
    tally.exchange += run.sent - run.errors * BATCH;
    if (round > 0) rounds.push(run);
    count = countFor(run.perSecond, 1.5, BATCH_CONNECTIONS, BATCH);
  }
  return rounds;
}

/**
 * Measures DELETE /order. The orders of a round are placed before its clock starts: on the exchange
 * in signed batches, on the reference's books by a message.
 */
export function runCancels(servers: Servers): Promise<ComparedOrders> {
  const { exchange, reference, orders, tally } = servers;
  return takeTurns(servers, {
    what: 'cancels',
    isSuccess: isCanceled,
    prepare: async (counts) => {
      const count = Math.max(counts.exchange, counts.reference);
      const batches = Math.ceil(count / BATCH / BATCH_CONNECTIONS) * BATCH_CONNECTIONS;
      const { requests, resting } = orders.makeRestingBatches(batches, BATCH);
      const { failure } = await runClosedLoop(exchange, batchTerms(requests));
      if (failure !== '') throw new Error(`could not place an order to cancel: ${failure}`);
      await reference.process.call('fill', resting.slice(0, counts.reference));
      tally.exchange += batches * BATCH;
      tally.reference += counts.reference;
      return orders.makeCancels(
        resting.slice(0, count).map(({ id, body }) => ({ id, owner: body.owner })),
      );
    },
    seconds: 1,
    referenceWarmUp: 2_000,
    count: (side, accepted) => {
      if (side === 'exchange') tally.canceled += accepted;
    },
  });
}
