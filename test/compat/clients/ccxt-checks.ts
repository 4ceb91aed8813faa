/**
 * Every method that ccxt says its client of prediction markets has, and what it does here. The
 * checks run in this order: the first ones load the markets, and the sockets that one check opens
 * serve those after it.
 */
import { Side } from '@polymarket/clob-client-v2';
import type { Test } from 'tap';
import { place } from '../stage.ts';
import type { CcxtScene } from './ccxt-scene.ts';
import type { Check } from './checks.ts';

type Run = Check<CcxtScene>['run'];
type CcxtCheck = Check<CcxtScene>;

const ORDER_ID = /^0x[0-9a-f]{64}$/;

function can(name: string, run: Run, note = ''): CcxtCheck {
  return { name, can: true, note, run };
}

function cannot(name: string, note: string, run: Run): CcxtCheck {
  return { name, can: false, note, run };
}

/** Places a bid far from the best prices, and returns its id. */
async function farBid({ client, stage }: CcxtScene, price = 0.02): Promise<string> {
  const { id } = await client.createOrder(stage.yes, 'limit', 'buy', 10, price);
  return id ?? '';
}

/** Buys 5 of Alice's offer, and returns the order's id. */
async function buyFive({ client, stage }: CcxtScene): Promise<string> {
  const { id } = await client.createOrder(stage.yes, 'market', 'buy', 5, 0.55);
  return id ?? '';
}

async function findsEvents(t: Test, { client, stage }: CcxtScene): Promise<void> {
  const { catalog } = stage.exchange.running.services.exchange;
  const { eventSlug = '' } = catalog.lookup.marketByCondition(stage.conditionId) ?? {};
  const [event] = await client.fetchEvents({ slug: eventSlug });
  t.match(event, { slug: eventSlug, markets: [{ id: stage.conditionId }] });
  const title = `${event?.title}`;
  const found = await client.fetchEvents({ query: title });
  t.ok(
    found.some(({ slug }) => slug === eventSlug),
    'by words',
  );
  const { id, title: again } = await client.fetchEvent(`${event?.id}`);
  t.match({ id, again }, { id: event?.id, again: title });
}

const markets: readonly CcxtCheck[] = [
  can('fetchTime', async (t, { client }) => {
    const time = (await client.fetchTime()) ?? 0;
    t.ok(Math.abs(time - Date.now()) < 60_000);
  }),
  can('fetchStatus', async (t, { client }) => {
    t.match(await client.fetchStatus(), { status: 'ok' });
  }),
  can('fetchMarkets', async (t, { client, stage }) => {
    const found = await client.fetchMarkets();
    t.match(
      found.find((market) => market?.id === stage.conditionId),
      {
        active: true,
        precision: { price: 0.01 },
        limits: { amount: { min: 5 } },
        outcomes: [{ outcomeId: stage.yes }, { outcomeId: stage.no }],
      },
    );
  }),
  can('fetchEvents', findsEvents),
  can('fetchEvent', findsEvents),
];

const prices: readonly CcxtCheck[] = [
  can('fetchTicker', async (t, { client, stage }) =>
    t.match(await client.fetchTicker(stage.yes), {
      outcomeId: stage.yes,
      ...{ bid: 0.45, bidVolume: 50, ask: 0.55, askVolume: 50, last: 0.55, average: 0.5 },
    }),
  ),
  can('fetchTickers', async (t, { client, stage }) => {
    const tickers = Object.values(await client.fetchTickers([stage.yes, stage.no]));
    t.match(tickers, [
      { outcomeId: stage.yes, last: 0.55 },
      { outcomeId: stage.no, last: 0.45 },
    ]);
  }),
  can('fetchOrderBook', async (t, { client, stage }) =>
    t.match(await client.fetchOrderBook(stage.yes), { bids: [[0.45, 50]], asks: [[0.55, 50]] }),
  ),
  can('fetchOHLCV', async (t, { client, stage }) =>
    t.match((await client.fetchOHLCV(stage.yes, '1m')).at(-1), [Number, Number, Number, 0.5, 0.5]),
  ),
  can('fetchTrades', async (t, { client, stage }) =>
    t.match(await client.fetchTrades(stage.yes), [
      { id: ORDER_ID, outcomeId: stage.yes, side: 'buy', price: 0.55, amount: 10 },
    ]),
  ),
  can('fetchOpenInterest', async (t, { client, stage }) =>
    t.match(await client.fetchOpenInterest(stage.yes), { openInterestValue: 200 }),
  ),
  can('fetchTradingFee', async (t, { client, stage }) =>
    t.match(await client.fetchTradingFee(stage.yes), { maker: 0, taker: 0 }),
  ),
];

const orders: readonly CcxtCheck[] = [
  can('fetchBalance', async (t, { client }) =>
    t.match(await client.fetchBalance(), { USDC: { free: 10_000, total: 10_000 } }),
  ),
  can('createOrder', async (t, { client, stage }) => {
    const { yes } = stage;
    const bid = await client.createOrder(yes, 'limit', 'buy', 10, 0.03);
    t.match(bid, { id: ORDER_ID, status: 'open', outcomeId: yes });
    const bought = await client.createOrder(yes, 'market', 'buy', 5, 0.55);
    t.match(bought, { status: 'closed', info: { takingAmount: '5', makingAmount: '2.75' } });
    const dear = client.createOrder(yes, 'limit', 'buy', 999_999, 0.5);
    await t.rejects(dear, { name: 'InsufficientFunds' }, 'refusals become its own errors');
  }),
  can(
    'createMarketBuyOrderWithCost',
    async (t, { client, stage }) => {
      const offer = { side: Side.SELL, price: 0.5, size: 10 };
      await place(stage.clientOf(stage.alice), stage.yes, offer);
      const bought = await client.createMarketBuyOrderWithCost(stage.yes, 5);
      t.match(bought, { status: 'closed', info: { takingAmount: '10', makingAmount: '5' } });
      const again = client.createMarketBuyOrderWithCost(stage.yes, 5);
      await t.rejects(again, /fill_or_kill_unfilled/, 'nothing is offered at 0.5 any more');
    },
    'it bids the price that it saw when it loaded the market',
  ),
  can('createOrders', async (t, { client, stage }) => {
    const bids = [0.01, 0.02].map((price) => ({
      ...{ outcome: stage.yes, type: 'limit' as const, side: 'buy' as const, amount: 10, price },
    }));
    t.match(await client.createOrders(bids), [{ status: 'open' }, { status: 'open' }]);
  }),
  can('fetchOpenOrders', async (t, { client, stage }) => {
    const open = await client.fetchOpenOrders(stage.yes);
    t.strictSame(open.map(({ price }) => price).toSorted(), [0.01, 0.02, 0.03]);
  }),
  can('fetchOrder', async (t, scene) => {
    const id = await farBid(scene);
    t.match(await scene.client.fetchOrder(id), { id, status: 'open', price: 0.02, remaining: 10 });
  }),
  can('fetchMyTrades', async (t, { client, stage }) =>
    t.match(await client.fetchMyTrades(stage.yes), [{ side: 'buy', takerOrMaker: 'taker' }, {}]),
  ),
  can('fetchOrderTrades', async (t, scene) => {
    const id = await buyFive(scene);
    const trades = await scene.client.fetchOrderTrades(id);
    t.match(trades, [{ order: id, price: 0.55, amount: 5 }]);
    t.equal(trades.length, 1);
  }),
];

const POSITIONS_NOTE = 'it looks for a `data` that this list has on no venue, so it finds none';

const positions: readonly CcxtCheck[] = [
  cannot('fetchPositions', POSITIONS_NOTE, async (t, { client, stage }) => {
    t.strictSame(await client.fetchPositions(), []);
    const { text } = await stage.exchange.send('GET', `/positions?user=${client.walletAddress}`);
    t.match(JSON.parse(text), [{ asset: stage.yes, size: 20 }], 'the list that it was sent');
  }),
  cannot('fetchPosition', POSITIONS_NOTE, async (t, { client, stage }) =>
    t.equal(await client.fetchPosition(stage.yes), undefined),
  ),
];

const sockets: readonly CcxtCheck[] = [
  can('watchOrderBook', async (t, { client, stage }) =>
    t.match(await client.watchOrderBook(stage.yes), { bids: [[0.45, 50]], asks: Array }),
  ),
  can('watchTicker', async (t, scene) => {
    const watched = scene.client.watchTicker(scene.stage.yes);
    await farBid(scene);
    t.match(await watched, { bid: 0.45, ask: 0.55, average: 0.5 });
  }),
  can('watchTrades', async (t, scene) => {
    const watched = scene.client.watchTrades(scene.stage.yes);
    await buyFive(scene);
    t.match((await watched).at(-1), { side: 'buy', price: 0.55, amount: 5 });
  }),
  can('watchOrders', async (t, scene) => {
    let came = false;
    const watched = scene.client.watchOrders().finally(() => {
      came = true;
    });
    // Orders that are placed before the socket is subscribed are not sent to it.
    const placed = new Set([await farBid(scene)]);
    while (!came) placed.add(await farBid(scene));
    const [order] = await watched;
    t.ok(placed.has(`${order?.id}`));
    t.match(order, { status: 'open', side: 'buy', price: 0.02 });
  }),
  can('watchMyTrades', async (t, scene) => {
    const watched = scene.client.watchMyTrades();
    const id = await buyFive(scene);
    t.match((await watched).at(-1), { order: id, price: 0.55, amount: 5 });
  }),
];

const cancels: readonly CcxtCheck[] = [
  can('cancelOrder', async (t, scene) => {
    const id = await farBid(scene);
    t.match(await scene.client.cancelOrder(id), { id, status: 'canceled' });
    t.match(await scene.client.cancelOrder(id), { id, status: 'open' }, 'the second time');
  }),
  can('cancelOrders', async (t, scene) => {
    const ids = [await farBid(scene), await farBid(scene)];
    const canceled = await scene.client.cancelOrders(ids);
    t.strictSame(
      canceled.map(({ id }) => id),
      ids,
    );
  }),
  can('cancelAllOrders', async (t, scene) => {
    const { client, stage } = scene;
    const ofMarket = await client.cancelAllOrders(stage.yes);
    t.ok(ofMarket.length > 0);
    t.strictSame(await client.fetchOpenOrders(), []);
    const id = await farBid(scene);
    t.match(await client.cancelAllOrders(), [{ id, status: 'canceled' }]);
  }),
];

export const CCXT_CHECKS: readonly CcxtCheck[] = [
  ...markets,
  ...prices,
  ...orders,
  ...positions,
  ...sockets,
  ...cancels,
];
