// A delay through the whole store: journal, restart, timer, projection.
import t from 'tap';
import { type CreateMarket, lots, micros } from '../../engine/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import { makeClosedFolder } from './journal/fixture.ts';
import {
  ALICE,
  BOB,
  counterOrder,
  createMarket,
  openAccount,
  openFor,
  order,
  orderIdOf,
  replayFolder,
  until,
} from './store-fixture.ts';

const START_MS = 1_700_000_000_000;
const DELAY_MS = 3_000;

// Safe: `createMarket` is a CreateMarket.
const market: CreateMarket = { ...(createMarket as CreateMarket), takerDelayMs: DELAY_MS };

/** Alice's order rests. Bob's two are delayed; at release the first one fills Alice's entirely. */
const COMMANDS = [
  market,
  openAccount(ALICE),
  openAccount(BOB),
  order(1),
  counterOrder(2, { lots: lots(30) }),
  counterOrder(3, { type: 'FAK', lots: lots(0), budgetMicros: micros(50_000) }),
];

async function statuses(exchange: Exchange): Promise<unknown[]> {
  const orders = await exchange.reader.orders([1, 2, 3].map(orderIdOf));
  return orders.map((order) => [order?.status, order?.filledLots, order?.releaseMs]);
}

const releaseMs = START_MS + DELAY_MS;
const WAITING = [
  ['live', 0, 0],
  ['delayed', 0, releaseMs],
  ['delayed', 0, releaseMs],
];
const RELEASED = [
  ['matched', 10, 0],
  ['live', 10, releaseMs],
  ['unmatched', 0, releaseMs],
];

function notified(exchange: Exchange) {
  return exchange.reader.notifications({ owner: BOB, limit: 10 });
}

t.test('delayed orders wait over a restart and are released on a quiet exchange', async (t) => {
  const dataDir = makeClosedFolder(t, COMMANDS, { timeMs: START_MS });
  let nowMs = releaseMs - 1;
  const exchange = await openFor(t, dataDir, { now: () => nowMs });
  t.same(await statuses(exchange), WAITING);
  t.same(await notified(exchange), []);
  nowMs = releaseMs;
  await until(() => exchange.durableSeq > COMMANDS.length);
  t.same(await statuses(exchange), RELEASED);
  t.match(await notified(exchange), [
    { id: 3, kind: 'cancellation', order: { orderId: orderIdOf(3), closeReason: 'unmatched' } },
    { id: 1, kind: 'fill', filledLots: 10, order: { orderId: orderIdOf(2) } },
  ]);
  const hash = exchange.stateHash();
  await exchange.close();
  t.equal((await replayFolder(dataDir)).stateHash, hash, 'a replay gives the same state');
});
