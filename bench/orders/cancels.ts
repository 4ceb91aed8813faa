/**
 * DELETE /order in a closed loop, ours beside the reference and the floor. The orders of a round
 * are placed before it and not counted: on ours in signed batches, on the reference's books by a
 * message. The floor has none: it knows no orders.
 */
import type { Request } from 'autocannon';
import { BATCH, isBatchPlaced } from './batches.ts';
import { BATCH_CONNECTIONS, runClosed, type Turns, takeTurns } from './rounds.ts';
import { isCanceled, targetsOf, type Venues } from './venues.ts';

const ROUNDS = 3;
const SECONDS = 1;
/** Some second of each. */
const WARM_UP = { ours: 12_000, reference: 2_000 };

/** Rests so many orders on both, and gives the cancels of them. */
async function placeAndCancel(
  { server, reference, orders, tally }: Venues,
  count: number,
  referenceCount: number,
): Promise<readonly Request[]> {
  const batches = Math.ceil(count / BATCH / BATCH_CONNECTIONS) * BATCH_CONNECTIONS;
  const { requests, resting } = orders.makeRestingBatches(batches, BATCH);
  const { failure } = await runClosed(server, {
    requests,
    isSuccess: isBatchPlaced,
    each: BATCH,
    connections: BATCH_CONNECTIONS,
  });
  if (failure !== '') throw new Error(`an order that is to be cancelled failed: ${failure}`);
  const [mine, others] = [resting.slice(0, count), resting.slice(0, referenceCount)];
  await reference.fill(others);
  tally.ours += batches * BATCH;
  tally.reference += others.length;
  return orders.makeCancels(mine.map(({ id, body }) => ({ id, owner: body.owner })));
}

export function runCancels(venues: Venues): Promise<Turns> {
  return takeTurns({
    what: 'cancels',
    targets: targetsOf(venues),
    isSuccess: isCanceled,
    prepare: (count, referenceCount) => placeAndCancel(venues, count, referenceCount),
    rounds: ROUNDS,
    seconds: SECONDS,
    warmUp: WARM_UP,
    onTurn: ({ ours, floor }) => {
      venues.tally.oursCanceled += ours.sent - ours.errors;
      venues.tally.floor += floor.sent - floor.errors;
    },
  });
}
