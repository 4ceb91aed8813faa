/**
 * Rounds of orders or cancels in a closed loop: the exchange, the reference and the floor in turn,
 * with the same requests. The number of requests for the exchange and for the reference follows
 * from the speed of each in the round before. The floor gets as many as the exchange.
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
import { type Spread, spreadBy } from '../harness/statistics.ts';
import type { Servers } from './servers.ts';

export const CONNECTIONS = 100;
/** The most orders that a request may have. */
export const BATCH = 15;
/** Fewer than CONNECTIONS, so that batches put about as many orders in flight. */
const BATCH_CONNECTIONS = 8;
const MAX_ORDERS = 30_000;
const ROUNDS = 3;
const SIDES = ['ours', 'reference', 'floor'] as const;
type Side = (typeof SIDES)[number];
type Turn = Readonly<Record<Side, ClosedRound>>;

/** The exchange or the floor, compared with the reference. */
export interface Compared {
  readonly rounds: readonly ClosedRound[];
  readonly perSecond: Spread;
  /** Answers per second, divided by those of the reference. */
  readonly ratio: Spread;
  /** Processor time of one answer of the reference, divided by that of this side. */
  readonly work: Spread;
}

export interface Turns {
  readonly ours: Compared;
  readonly floor: Compared;
  readonly reference: readonly ClosedRound[];
  readonly referencePerSecond: Spread;
}

interface TurnTerms {
  readonly what: string;
  readonly isSuccess: (body: string) => boolean;
  /** Makes `count` requests, and prepares the servers for them. */
  readonly prepare: (count: number, referenceCount: number) => Promise<readonly LoadRequest[]>;
  readonly seconds: number;
  /** The number of requests in the warm-up. */
  readonly warmUp: { readonly ours: number; readonly reference: number };
  /** Called after each round, including the warm-up, which is round 0. */
  readonly onTurn: (turn: Turn, round: number) => void | Promise<void>;
}

/** The number of requests that take `seconds` at the rate of the round before. */
export function countFor(perSecond: number, seconds: number, each = 1): number {
  const connections = each === 1 ? CONNECTIONS : BATCH_CONNECTIONS;
  const requests = Math.min((perSecond * seconds) / each, MAX_ORDERS / each);
  return Math.max(Math.floor(requests / connections), 1) * connections;
}

async function takeTurns(servers: Servers, terms: TurnTerms): Promise<Turns> {
  const targets = { ours: servers.exchange, reference: servers.reference, floor: servers.floor };
  const turns: Turn[] = [];
  let { ours, reference } = terms.warmUp;
  for (let round = 0; round <= ROUNDS; round += 1) {
    printProgress(`orders: ${terms.what}: ${round === 0 ? 'warm-up' : `round ${round}`}`);
    const requests = await terms.prepare(Math.max(ours, reference), reference);
    const counts = { ours, reference, floor: ours };
    const closed: Omit<ClosedTerms, 'requests'> = {
      connections: CONNECTIONS,
      isSuccess: terms.isSuccess,
    };
    const done: Partial<Record<Side, ClosedRound>> = {};
    const first = round % SIDES.length;
    for (const side of [...SIDES.slice(first), ...SIDES.slice(0, first)]) {
      const own = requests.slice(0, counts[side]);
      done[side] = await runClosedLoop(targets[side], { ...closed, requests: own });
    }
    const turn = done as Turn; // each side had its turn
    await terms.onTurn(turn, round);
    if (round > 0) turns.push(turn);
    ours = countFor(turn.ours.perSecond, terms.seconds);
    reference = countFor(turn.reference.perSecond, terms.seconds);
  }
  const compared = (side: 'ours' | 'floor'): Compared => ({
    rounds: turns.map((turn) => turn[side]),
    perSecond: spreadBy(turns, (turn) => turn[side].perSecond),
    ratio: spreadBy(turns, (turn) => turn[side].perSecond / turn.reference.perSecond),
    work: spreadBy(turns, (turn) => turn.reference.serverMicros / turn[side].serverMicros),
  });
  return {
    ours: compared('ours'),
    floor: compared('floor'),
    reference: turns.map((turn) => turn.reference),
    referencePerSecond: spreadBy(turns, (turn) => turn.reference.perSecond),
  };
}

/** Measures POST /order. `onWarm` is called after the warm-up. */
export function runSingles(servers: Servers, onWarm: () => Promise<void>): Promise<Turns> {
  const { orders, tally } = servers;
  return takeTurns(servers, {
    what: 'single orders',
    isSuccess: isAccepted,
    prepare: async (count) => orders.make(count),
    seconds: 2,
    // About two seconds for each side: the runtime compiles during that time.
    warmUp: { ours: 12_000, reference: 600 },
    onTurn: async (turn, round) => {
      for (const side of SIDES) tally[side] += turn[side].sent - turn[side].errors;
      if (round === 0) await onWarm();
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
  let count = 200;
  for (let round = 0; round <= ROUNDS; round += 1) {
    printProgress(`orders: batches of ${BATCH}: ${round === 0 ? 'warm-up' : `round ${round}`}`);
    const run = await runClosedLoop(exchange, batchTerms(orders.makeBatches(count, BATCH)));
    tally.ours += run.sent - run.errors * BATCH;
    if (round > 0) rounds.push(run);
    count = countFor(run.perSecond, 1.5, BATCH);
  }
  return rounds;
}

/**
 * Measures DELETE /order. The orders of a round are placed before its clock starts: on the exchange
 * in signed batches, on the reference's books by a message. The floor keeps no orders.
 */
export function runCancels(servers: Servers): Promise<Turns> {
  const { exchange, reference, orders, tally } = servers;
  return takeTurns(servers, {
    what: 'cancels',
    isSuccess: isCanceled,
    prepare: async (count, referenceCount) => {
      const batches = Math.ceil(count / BATCH / BATCH_CONNECTIONS) * BATCH_CONNECTIONS;
      const { requests, resting } = orders.makeRestingBatches(batches, BATCH);
      const { failure } = await runClosedLoop(exchange, batchTerms(requests));
      if (failure !== '') throw new Error(`could not place an order to cancel: ${failure}`);
      await reference.process.call('fill', resting.slice(0, referenceCount));
      tally.ours += batches * BATCH;
      tally.reference += referenceCount;
      const own = resting.slice(0, count);
      return orders.makeCancels(own.map(({ id, body }) => ({ id, owner: body.owner })));
    },
    seconds: 1,
    warmUp: { ours: 12_000, reference: 2_000 },
    onTurn: ({ ours, floor }) => {
      tally.oursCanceled += ours.sent - ours.errors;
      tally.floor += floor.sent - floor.errors;
    },
  });
}
