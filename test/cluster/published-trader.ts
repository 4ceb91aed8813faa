/**
 * The published client, unchanged, trades at one gateway and watches at the other one while the
 * core is killed.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Chain,
  type ClobClient,
  type OrderResponse,
  OrderType,
  Side,
} from '@polymarket/clob-client-v2';
import { StreamClient } from '../http/streams/stream-client.ts';
import { newTrader } from '../published-client.ts';
import { type Fault, type FaultPlace, takeover, takeoverWords } from './fault.ts';

const ORDERS = 12;
const KILLED_AFTER = 4;
const PAUSE_MS = 200;
const PATIENCE_MS = 30_000;
const SIZE = 10;

/** A market of which no other client of this test knows. */
async function quietMarket(
  client: ClobClient,
  known: readonly string[],
): Promise<[string, string]> {
  const { data } = await client.getSimplifiedMarkets();
  for (const market of data) {
    if (market.neg_risk || !market.accepting_orders || known.includes(market.condition_id))
      continue;
    const [yes, no] = market.tokens.map((token: { token_id: string }) => token.token_id);
    if ((await client.getTickSize(yes)) === '0.01') return [yes, no];
  }
  throw new Error('the built-in catalog has no such market');
}

type Signed = Awaited<ReturnType<ClobClient['createOrder']>>;

/** Sends the same order again until it is answered; returns how often it was sent. */
async function post(client: ClobClient, order: Signed): Promise<{ id: string; tries: number }> {
  const lastMs = performance.now() + PATIENCE_MS;
  for (let tries = 1; ; tries += 1) {
    const answer: OrderResponse = await client.postOrder(order, OrderType.GTC);
    if (answer.success === true) return { id: answer.orderID, tries };
    assert.ok(performance.now() < lastMs, `the order is never answered: ${JSON.stringify(answer)}`);
    await sleep(PAUSE_MS);
  }
}

/** Reads until the exchange answers: while there is no core, it answers 425. */
async function read<Result>(ask: () => Promise<Result>, isDone: (result: Result) => boolean) {
  const lastMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const result = await ask();
    if (isDone(result)) return result;
    assert.ok(performance.now() < lastMs, `never read as it must: ${JSON.stringify(result)}`);
    await sleep(PAUSE_MS);
  }
}

async function trade({ world, cluster }: FaultPlace): Promise<string> {
  const [here, there] = [cluster.gateway(0).url, cluster.gateway(1).url];
  const ada = await newTrader('Ada', here, Chain.POLYGON);
  const ben = await newTrader('Ben', there, Chain.POLYGON);
  const adaThere = ada.clientAt(there);
  const known = world.scene.traded.map(({ conditionId }) => conditionId);
  const [yes, no] = await quietMarket(ada.client, known);
  const watching = await StreamClient.open(there);
  watching.send({ type: 'market', assets_ids: [yes, no] });
  await watching.take(2);
  const ids: string[] = [];
  let tries = 0;
  let taking: Promise<unknown> | undefined;
  let words = '';
  for (let count = 1; count <= ORDERS; count += 1) {
    if (count === KILLED_AFTER) {
      taking = takeover(world, async () => {
        await (await cluster.leader()).child.kill();
      }).then(async (seen) => {
        words = takeoverWords(seen);
        await world.revive(seen.old);
      });
    }
    const price = (10 + count) / 100;
    const order = await ada.client.createOrder(
      { tokenID: yes, side: Side.BUY, size: SIZE, price },
      {},
    );
    const posted = await post(ada.client, order);
    ids.push(posted.id);
    tries += posted.tries;
  }
  await taking;
  assert.equal(new Set(ids).size, ORDERS);
  const open = await read(
    () => adaThere.getOpenOrders(),
    (orders) => Array.isArray(orders) && orders.length === ORDERS,
  );
  assert.deepEqual(new Set(open.map(({ id }) => id)), new Set(ids), 'each order once, also there');
  await watching.until(() => bidsOf(watching, yes).size === ORDERS);
  const best = (10 + ORDERS) / 100;
  const crossing = { tokenID: no, side: Side.BUY, size: SIZE, price: 1 - best };
  await post(ben.client, await ben.client.createOrder(crossing, {}));
  const trades = await read(
    () => ada.client.getTrades(),
    (found) => Array.isArray(found) && found.length > 0,
  );
  assert.deepEqual(
    trades.map(({ size, price }) => `${size}@${price}`),
    // As the taker bought it: NO at the complement of the best bid.
    [`${SIZE}@${crossing.price}`],
  );
  watching.close();
  return `${ORDERS} orders by ${tries} requests, each there once at both gateways; ${words}`;
}

/** The bids that the stream has shown so far. */
function bidsOf({ messages }: StreamClient, tokenId: string): Set<string> {
  const bids = new Set<string>();
  for (const { price_changes: changes = [] } of messages) {
    for (const { asset_id: id, side, price, size } of changes as readonly Record<
      string,
      string
    >[]) {
      if (id !== tokenId || side !== 'BUY' || price === undefined) continue;
      if (size === '0') bids.delete(price);
      else bids.add(price);
    }
  }
  return bids;
}

export const PUBLISHED_CLIENT: Fault = {
  name: 'published-client',
  what: 'a published client trades at one gateway and watches at the other; the core is killed',
  act: trade,
};
