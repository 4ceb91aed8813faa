/** What the published client does with orders and trades. */
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { type Call, type Placed, place, type Stage } from './stage.ts';

const ORDER_ID = /^0x[0-9a-f]{64}$/;
const TO_SIGN = ['GET /tick-size', 'GET /version', 'GET /neg-risk'] as const;
const TO_SIGN_AT_MARKET = [
  'GET /markets-by-token/{token_id}',
  'GET /clob-markets/{condition_id}',
  'GET /version',
] as const;

/** An order far from the best prices, which the calls that cancel remove. */
function farBid(yes: string, price = 0.02) {
  return { tokenID: yes, side: Side.BUY, price, size: 10 };
}

const signing: readonly Call[] = [
  {
    method: 'createOrder',
    routes: TO_SIGN,
    run: async (t, { clientOf, bob, yes }) => {
      const order = await clientOf(bob).createOrder(farBid(yes));
      t.match(order, { tokenId: yes, makerAmount: '200000', takerAmount: '10000000' });
      t.match(order, { maker: bob.address, signature: /^0x[0-9a-f]{130}$/ });
    },
  },
  {
    method: 'createMarketOrder',
    routes: [...TO_SIGN_AT_MARKET, 'GET /book'],
    run: async (t, { clientOf, bob, yes }) => {
      const market = { tokenID: yes, side: Side.BUY, amount: 5 };
      t.match(await clientOf(bob).createMarketOrder(market), { makerAmount: '5000000' });
    },
  },
];

const placing: readonly Call[] = [
  {
    method: 'postOrder',
    routes: ['POST /order'],
    besides: TO_SIGN,
    run: async (t, { clientOf, bob, yes }) => {
      const client = clientOf(bob);
      const order = await client.createOrder(farBid(yes));
      const placed: unknown = await client.postOrder(order, OrderType.GTC, true);
      t.match(placed, { success: true, status: 'live', orderID: ORDER_ID, makingAmount: '' });
      const again: unknown = await client.postOrder(order, OrderType.GTC, true);
      t.match(again, { success: true, status: 'live', duplicate: true });
      const newest = await client.createExchangeV3OrderFromAmounts({
        ...{ tokenID: yes, side: Side.BUY },
        ...{ makerAmount: '200000', takerAmount: '10000000' },
      });
      t.match(await client.postOrder(newest), { status: 'live' }, 'signed for the third contract');
    },
  },
  {
    method: 'postOrders',
    routes: ['POST /orders'],
    besides: TO_SIGN,
    run: async (t, { clientOf, bob, yes }) => {
      const client = clientOf(bob);
      const orders = [await client.createOrder(farBid(yes)), await client.createOrder(farBid(yes))];
      const poor = await client.createOrder({ ...farBid(yes), size: 999_999 });
      const args = [...orders, poor].map((order) => ({ order, orderType: OrderType.GTC }));
      const placed: unknown = await client.postOrders(args);
      t.match(placed, [
        { success: true, status: 'live' },
        { success: true, status: 'live' },
        { success: false, errorMsg: 'not enough balance / allowance' },
      ]);
    },
  },
  {
    method: 'createAndPostOrder',
    routes: [...TO_SIGN, 'POST /order'],
    besides: ['GET /fee-rate'],
    run: async (t, { clientOf, bob, yes }) => {
      const client = clientOf(bob);
      const expiration = Math.floor(Date.now() / 1000) + 3600;
      const bid = { ...farBid(yes), expiration };
      t.match(await client.createAndPostOrder(bid, {}, OrderType.GTD), { status: 'live' });
      const old = await client.createAndPostOrder(farBid(yes), { tickSize: '0.01', version: 1 });
      t.match(old, { status: 'live' }, 'an order of 12 fields, signed for the older contract');
      const crossing = { ...farBid(yes), price: 0.9 };
      const refused: unknown = await client.createAndPostOrder(crossing, {}, OrderType.GTC, true);
      t.match(refused, { error: /order crosses book/, status: 400, code: 'post_only_would_cross' });
    },
  },
  {
    method: 'createAndPostMarketOrder',
    // The answer has no hashes, so the client reads them with the trade.
    routes: [...TO_SIGN_AT_MARKET, 'GET /book', 'POST /order', 'GET /data/trades'],
    besides: TO_SIGN,
    run: async (t, { clientOf, alice, bob, yes }) => {
      // What is bought is offered again, so that the book is as before.
      const market = { tokenID: yes, side: Side.BUY, amount: 5.5 };
      const bought: unknown = await clientOf(bob).createAndPostMarketOrder(market);
      t.match(bought, {
        success: true,
        status: 'matched',
        makingAmount: '5.5',
        takingAmount: '10',
        tradeIDs: [/^[0-9a-f-]{36}$/],
      });
      await place(clientOf(alice), yes, { side: Side.SELL, price: 0.55, size: 10 });
      const tooMuch = { tokenID: yes, side: Side.BUY, amount: 5_000, price: 0.55 };
      const killed: unknown = await clientOf(bob).createAndPostMarketOrder(tooMuch);
      t.match(killed, { error: /fully filled or killed/, code: 'fill_or_kill_unfilled' });
    },
  },
];

const builder: readonly Call[] = [
  {
    method: 'getBuilderTrades',
    routes: ['GET /builder/trades'],
    run: async (t, { clientOf, bob, builderCode, yes }) => {
      const { trades } = await clientOf(bob).getBuilderTrades({ builder_code: builderCode });
      t.match(trades, [
        { tradeType: 'TAKER', assetId: yes, side: 'BUY', size: '10', price: '0.55' },
      ]);
      t.equal(trades.length, 1, 'only trades of orders with the code');
    },
  },
];

const reading: readonly Call[] = [
  {
    method: 'getOrder',
    routes: ['GET /data/order/{id}'],
    run: async (t, { clientOf, alice, bidId, yes }) => {
      t.match(await clientOf(alice).getOrder(bidId), {
        id: bidId,
        status: 'LIVE',
        asset_id: yes,
        side: 'BUY',
        price: '0.45',
        original_size: '50',
        size_matched: '0',
        owner: alice.credentials.key,
        maker_address: alice.address,
        order_type: 'GTC',
      });
    },
  },
  {
    method: 'getOpenOrders',
    routes: ['GET /data/orders'],
    run: async (t, { clientOf, alice, conditionId, bidId, exchange }) => {
      const client = clientOf(alice);
      const orders = await client.getOpenOrders({ market: conditionId });
      t.ok(orders.some(({ id }) => id === bidId));
      t.strictSame((await client.getOpenOrders({ id: bidId })).length, 1);
      const elsewhere = { market: exchange.negRisk.conditionId };
      t.strictSame(await client.getOpenOrders(elsewhere), []);
    },
  },
  {
    method: 'getPreMigrationOrders',
    routes: ['GET /data/pre-migration-orders'],
    run: async (t, { clientOf, alice }) =>
      t.strictSame(await clientOf(alice).getPreMigrationOrders(), []),
  },
  {
    method: 'getTrades',
    routes: ['GET /data/trades'],
    run: async (t, { clientOf, alice, yes, no }) => {
      const trades = await clientOf(alice).getTrades();
      const minted = trades.find(({ asset_id }) => asset_id === no);
      t.match(minted, {
        trader_side: 'MAKER',
        size: '200',
        price: '0.6',
        transaction_hash: ORDER_ID,
        maker_orders: [{ asset_id: yes, side: 'BUY', price: '0.4', matched_amount: '200' }],
      });
      t.strictSame(await clientOf(alice).getTrades({ before: '1' }), []);
    },
  },
  {
    method: 'getTradesPaginated',
    routes: ['GET /data/trades'],
    run: async (t, { clientOf, bob, yes }) => {
      const page = await clientOf(bob).getTradesPaginated({ asset_id: yes });
      t.match(page, { next_cursor: 'LTE=', count: page.trades.length });
      t.match(page.trades[0], { trader_side: 'TAKER', side: 'BUY', size: '10' });
    },
  },
  {
    method: 'isOrderScoring',
    routes: ['GET /order-scoring'],
    run: async (t, { clientOf, alice, bidId }) =>
      t.match(await clientOf(alice).isOrderScoring({ order_id: bidId }), { scoring: false }),
  },
  {
    method: 'areOrdersScoring',
    routes: ['POST /orders-scoring'],
    run: async (t, { clientOf, alice, bidId }) =>
      t.match(await clientOf(alice).areOrdersScoring({ orderIds: [bidId] }), { [bidId]: false }),
  },
];

/** Places an order of Bob's far from the best prices, and returns its id. */
async function placeFar({ clientOf, bob, yes }: Stage): Promise<string> {
  const { orderID }: Placed = await place(clientOf(bob), yes, {
    side: Side.BUY,
    price: 0.03,
    size: 10,
  });
  return orderID;
}

const TO_PLACE = [...TO_SIGN, 'POST /order'] as const;

const canceling: readonly Call[] = [
  {
    method: 'cancelOrder',
    routes: ['DELETE /order'],
    besides: [...TO_PLACE],
    run: async (t, stage) => {
      const orderID = await placeFar(stage);
      const client = stage.clientOf(stage.bob);
      const canceled = { canceled: [orderID], not_canceled: {} };
      t.strictSame(await client.cancelOrder({ orderID }), canceled);
      t.match(await client.cancelOrder({ orderID }), {
        canceled: [],
        not_canceled: { [orderID]: /\w/ },
      });
    },
  },
  {
    method: 'cancelOrders',
    routes: ['DELETE /orders'],
    besides: [...TO_PLACE],
    run: async (t, stage) => {
      const ids = [await placeFar(stage), await placeFar(stage)];
      const answer = await stage.clientOf(stage.bob).cancelOrders(ids);
      t.strictSame(answer, { canceled: ids, not_canceled: {} });
    },
  },
  {
    method: 'cancelMarketOrders',
    routes: ['DELETE /cancel-market-orders'],
    besides: [...TO_PLACE, 'GET /data/orders'],
    run: async (t, stage) => {
      const id = await placeFar(stage);
      const client = stage.clientOf(stage.bob);
      const answer = await client.cancelMarketOrders({ market: stage.conditionId });
      t.ok(answer.canceled.includes(id));
      t.strictSame(await client.getOpenOrders({ market: stage.conditionId }), []);
    },
  },
  {
    method: 'cancelAll',
    routes: ['DELETE /cancel-all'],
    besides: [...TO_PLACE, 'GET /data/orders'],
    run: async (t, stage) => {
      const id = await placeFar(stage);
      const client = stage.clientOf(stage.bob);
      t.strictSame(await client.cancelAll(), { canceled: [id], not_canceled: {} });
      t.strictSame(await client.getOpenOrders(), []);
      t.ok((await stage.clientOf(stage.alice).getOpenOrders()).length > 0, "Alice's orders stay");
    },
  },
];

export const ORDER_CALLS: readonly Call[] = [
  ...reading,
  ...builder,
  ...signing,
  ...placing,
  ...canceling,
];
