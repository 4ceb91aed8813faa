/** POST /orders with batches of 15, ours alone: a closed loop at full load. */

import { printProgress } from '../harness/print.ts';
import { BATCH_CONNECTIONS, type ClosedRound, countFor, runClosed } from './rounds.ts';
import type { Venues } from './venues.ts';

/** The most orders that a request may have. */
export const BATCH = 15;
const ROUNDS = 3;
const SECONDS = 1.5;
const WARM_UP_BATCHES = 200;

export function isBatchPlaced(body: string): boolean {
  let [count, at] = [0, body.indexOf(SUCCESS)];
  while (at >= 0) {
    count += 1;
    at = body.indexOf(SUCCESS, at + SUCCESS.length);
  }
  return count === BATCH;
}
const SUCCESS = '"success":true';

export async function runBatches({ server, orders, tally }: Venues): Promise<ClosedRound[]> {
  const rounds: ClosedRound[] = [];
  let count = WARM_UP_BATCHES;
  for (let round = 0; round <= ROUNDS; round += 1) {
    printProgress(`orders: batches of ${BATCH}: ${round === 0 ? 'warm-up' : `round ${round}`}`);
    const requests = orders.makeBatches(count, BATCH);
    const terms = { requests, isSuccess: isBatchPlaced, each: BATCH };
    const run = await runClosed(server, { ...terms, connections: BATCH_CONNECTIONS });
    tally.ours += run.sent - run.errors * BATCH;
    if (round > 0) rounds.push(run);
    count = countFor(run.perSecond, SECONDS, BATCH);
  }
  return rounds;
}
