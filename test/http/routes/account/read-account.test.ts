import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { cursorOf } from '../../../../http/parameters/index.ts';
import { getDataOrder, getDataOrders } from '../../../../http/routes/orders/get-data-orders.ts';
import { getDataTrades } from '../../../../http/routes/orders/get-data-trades.ts';
import type { OrderRecord, TradeRecord } from '../../../../persistence/index.ts';
import { CONDITION, CREATED_MS, YES_TOKEN } from '../../durable-commands.ts';
import {
  catalogMarket,
  MAKER,
  MAKER_CHECKSUM,
  orderRecord,
  TAKER,
  TAKER_CHECKSUM,
  tradeRecord,
} from '../../format/records.ts';
import { startReadServer } from '../read-server.ts';

const ROUTES = [getDataOrder, getDataOrders, getDataTrades];
const markets = [catalogMarket()];
const ORDER_ID = orderRecord().orderId;
const FOREIGN_ID = `0x${'5e'.repeat(32)}`;

interface Has {
  readonly orders?: readonly OrderRecord[];
  readonly trades?: readonly TradeRecord[];
  readonly more?: boolean;
}
function started(test: Test, has: Has = {}) {
  return startReadServer(test, ROUTES, { stored: { markets, ...has } });
}

t.test("GET /data/order shows the caller's order, flat and under its key", async (t) => {
  const server = await started(t, { orders: [orderRecord({ status: 'canceled' })] });
  const { status, body } = await server.getSigned(`/data/order/${ORDER_ID}`);
  t.equal(status, 200);
  t.ok(Compile(getDataOrder.response).Check(body), 'as documented');
  t.match(body, { id: ORDER_ID, status: 'CANCELED', outcome: 'Rain' });
  t.match(body, { order: { id: ORDER_ID, status: 'CANCELED', outcome: 'Rain' } });
});

const missing: readonly (readonly [string, string, number, string])[] = [
  ['a malformed order id', '0x33', 400, 'invalid_order_id'],
  ['an order that does not exist', `0x${'99'.repeat(32)}`, 404, 'order_not_found'],
  ["somebody else's order", FOREIGN_ID, 404, 'order_not_found'],
];
t.test("GET /data/order answers another owner's order like an unknown one", async (t) => {
  const foreign = orderRecord({ orderId: FOREIGN_ID, owner: MAKER });
  const server = await started(t, { orders: [foreign] });
  for (const [name, id, status, code] of missing) {
    const answer = await server.getSigned(`/data/order/${id}`);
    t.equal(answer.status, status, name);
    t.match(answer.body, { code, field: 'id' });
  }
});

t.test('the account routes need credentials', async (t) => {
  const server = await started(t);
  for (const path of [`/data/order/${ORDER_ID}`, '/data/orders', '/data/trades']) {
    const { status, body } = await server.get(path);
    t.equal(status, 401, path);
    t.match(body, { code: 'missing_header' });
  }
  t.same(server.asked, [], 'and nothing was read');
});

t.test('GET /data/orders lists live orders page by page', async (t) => {
  const server = await started(t, { orders: [orderRecord()], more: true });
  const { status, body } = await server.getSigned('/data/orders?next_cursor=MTAw');
  t.equal(status, 200);
  t.ok(Compile(getDataOrders.response).Check(body), 'as documented');
  t.match(body, { data: [{ id: ORDER_ID }], next_cursor: cursorOf(200, ORDER_ID) });
  t.match(body, { limit: 100, count: 1 });
  await server.getSigned(`/data/orders?next_cursor=${cursorOf(200, ORDER_ID)}`);
  const page = { owner: TAKER, limit: 100 };
  t.same(server.asked, [
    { ...page, offset: 100 },
    { ...page, offset: 0, after: ORDER_ID },
  ]);
});

t.test('GET /data/orders ends as the client expects', async (t) => {
  const server = await started(t, { orders: [orderRecord()] });
  const ends: readonly (readonly [string, string])[] = [
    ['a test', ''],
    ['@polymarket/clob-client', 'LTE='],
    ['py_clob_client_v2', 'LTE='],
    ['rs_clob_client', 'LTE='],
  ];
  for (const [agent, end] of ends) {
    const { body } = await server.getSigned('/data/orders', agent);
    t.match(body, { next_cursor: end, count: 1 }, agent);
  }
  const after = await server.getSigned('/data/orders?next_cursor=');
  t.same(after.body, { data: [], next_cursor: 'LTE=', limit: 100, count: 0 }, 'and stays ended');
  t.equal(server.asked.length, ends.length, 'without a further read');
});

const TRADE_ID = tradeRecord().tradeId;
const asked: readonly (readonly [string, Record<string, unknown>])[] = [
  ['/data/orders?id=&market=&asset_id=', {}],
  [`/data/orders?id=${ORDER_ID}`, { orderId: ORDER_ID }],
  [`/data/orders?market=${CONDITION}`, { conditionId: CONDITION }],
  [`/data/orders?asset_id=${YES_TOKEN}`, { tokenId: YES_TOKEN }],
  [
    `/data/orders?id=${ORDER_ID}&market=${CONDITION}&asset_id=${YES_TOKEN}`,
    { orderId: ORDER_ID, conditionId: CONDITION, tokenId: YES_TOKEN },
  ],
  ['/data/trades', {}],
  ['/data/trades?id=&taker=&maker=&maker_address=&market=&asset_id=&before=&after=', {}],
  [`/data/trades?id=${TRADE_ID}`, { tradeId: TRADE_ID }],
  [`/data/trades?taker=${TAKER_CHECKSUM}`, { takerAccount: TAKER }],
  [`/data/trades?maker=${MAKER_CHECKSUM}`, { makerAccount: MAKER }],
  [`/data/trades?maker_address=${TAKER_CHECKSUM}`, { eitherAccount: TAKER }],
  [`/data/trades?market=${CONDITION}`, { conditionId: CONDITION }],
  [`/data/trades?asset_id=${YES_TOKEN}`, { tokenId: YES_TOKEN }],
  ['/data/trades?before=1780449126', { beforeMs: 1_780_449_126_000 }],
  ['/data/trades?after=1780449126', { afterMs: 1_780_449_126_000 }],
  [
    '/data/trades?before=20&after=10&next_cursor=NTAw',
    { beforeMs: 20_000, afterMs: 10_000, offset: 500 },
  ],
];
t.test('each filter reaches the reader, always with the owner', async (t) => {
  const server = await started(t);
  for (const [path, filters] of asked) {
    server.asked.length = 0;
    t.equal((await server.getSigned(path)).status, 200, path);
    t.same(server.asked, [{ owner: TAKER, offset: 0, limit: 100, ...filters }]);
  }
});

t.test("GET /data/trades shows the taker's view and the caller's role", async (t) => {
  const asMaker = tradeRecord({ takerOwner: MAKER, takerAccount: MAKER });
  const server = await started(t, { trades: [tradeRecord(), asMaker], more: true });
  const { status, body } = await server.getSigned('/data/trades');
  t.equal(status, 200);
  t.ok(Compile(getDataTrades.response).Check(body), 'as documented');
  t.match(body, { next_cursor: cursorOf(100, asMaker.tradeId), limit: 100, count: 2 });
  const taker = { trader_side: 'TAKER', maker_address: TAKER_CHECKSUM };
  const maker = { trader_side: 'MAKER', maker_address: MAKER_CHECKSUM };
  t.match(body, { data: [taker, maker] });
  t.match(body, { data: [{ outcome: 'Rain', maker_orders: [{ outcome: 'No rain' }] }] });
});

t.test("GET /data/trades ends with LTE= and has times in the client's form", async (t) => {
  const server = await started(t, { trades: [tradeRecord()] });
  const iso = await server.getSigned('/data/trades');
  t.match(iso.body, {
    next_cursor: 'LTE=',
    data: [{ match_time: new Date(CREATED_MS).toISOString() }],
  });
  const rust = await server.getSigned('/data/trades', 'rs_clob_client');
  t.match(rust.body, { next_cursor: 'LTE=', data: [{ match_time: '1780449126' }] });
});

const refused: readonly (readonly [string, string, string])[] = [
  ['/data/orders?id=0x33', 'id', 'Invalid id'],
  ['/data/orders?market=0xbd31', 'market', 'Invalid market'],
  ['/data/orders?asset_id=yes', 'asset_id', 'Invalid asset id'],
  ['/data/trades?id=1', 'id', 'Invalid id'],
  ['/data/trades?taker=0x12', 'taker', 'Invalid taker'],
  [`/data/trades?maker=${MAKER_CHECKSUM.replace('C', 'c')}`, 'maker', 'Invalid maker'],
  ['/data/trades?maker_address=me', 'maker_address', 'Invalid maker address'],
  ['/data/trades?market=x', 'market', 'Invalid market'],
  ['/data/trades?asset_id=x', 'asset_id', 'Invalid asset id'],
  ['/data/trades?before=now', 'before', 'Invalid before'],
  ['/data/trades?after=-5', 'after', 'Invalid after'],
];
t.test('a malformed filter is refused with its field', async (t) => {
  const server = await started(t);
  for (const [path, field, error] of refused) {
    const { status, body } = await server.getSigned(path);
    t.equal(status, 400, path);
    t.match(body, { code: 'invalid_parameter', field, error });
  }
  for (const path of ['/data/orders', '/data/trades']) {
    const { status, body } = await server.getSigned(`${path}?next_cursor=LTE%3D`);
    t.equal(status, 400, `${path}: the end is no page`);
    t.match(body, { code: 'invalid_cursor', field: 'next_cursor' });
  }
  t.same(server.asked, [], 'nothing was read');
});
