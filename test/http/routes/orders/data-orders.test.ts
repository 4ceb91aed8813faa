import t from 'tap';
import { Compile } from 'typebox/compile';
import { getPreMigrationOrders } from '../../../../http/routes/orders/get-data-orders.ts';
import { postDataOrders } from '../../../../http/routes/orders/post-data-orders.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const areOrders = Compile(postDataOrders.response);
const isPage = Compile(getPreMigrationOrders.response);
const UNKNOWN = `0x${'99'.repeat(32)}`;

async function post({ send }: TestExchange, body: unknown) {
  const { status, text } = await send('POST', '/data/orders', { body: JSON.stringify(body) });
  return { status, text, body: JSON.parse(text) };
}

const share = await shareTestExchange(t);

t.test(
  'POST /data/orders shows terms and state of orders, and nothing of keys and trades',
  async (t) => {
    const exchange = share();
    const [yes, no] = exchange.plain.tokenIds;
    const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
    const resting = await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000 });
    const taking = await taker.place({ tokenId: no, priceTicks: 6_000, lots: 500 });
    const [restingId, takingId] = [resting.body.orderID, taking.body.orderID];
    const upper = `0x${takingId.slice(2).toUpperCase()}`;
    const asked = [
      { orderId: UNKNOWN },
      { orderID: upper },
      { order_id: restingId },
      { orderId: '0x1' },
      {},
    ];
    const { status, text, body } = await post(exchange, asked);
    t.equal(status, 207);
    t.ok(areOrders.Check(body), 'as documented');
    const shown = { owner: '00000000-0000-0000-0000-000000000000', associate_trades: [] };
    t.match(body, [
      { order_id: UNKNOWN, status: 404, error: 'order not found' },
      { order_id: upper, status: 200, order: { ...shown, id: takingId, status: 'MATCHED' } },
      { order_id: restingId, status: 200, order: { ...shown, status: 'LIVE', size_matched: '5' } },
      { order_id: '0x1', status: 400, error: 'Invalid orderID' },
      { order_id: '', status: 400, error: 'Invalid orderID' },
    ]);
    t.equal(body.length, asked.length);
    for (const secret of [
      maker.credentials.apiKey,
      taker.credentials.apiKey,
      ...taking.body.tradeIDs,
    ]) {
      t.notOk(text.includes(secret), 'it is not shown');
    }
  },
);

t.test('POST /data/orders refuses wrong items with their field', async (t) => {
  const exchange = share();
  const rows: readonly (readonly [unknown, object])[] = [
    [[], { code: 'invalid_payload', field: 'body' }],
    [{ orderId: UNKNOWN }, { code: 'invalid_payload', field: 'body' }],
    [[{ orderId: 7 }], { code: 'invalid_payload', field: '0.orderId', actual: 7 }],
    [Array(501).fill({}), { code: 'too_many_items', field: 'body', limit: 500, actual: 501 }],
  ];
  for (const [body, expected] of rows) {
    t.match(await post(exchange, body), { status: 400, body: expected });
  }
  t.match(await post(exchange, Array(500).fill({ orderId: UNKNOWN })), { status: 207 });
});

t.test('GET /data/pre-migration-orders is empty with the end cursor', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(1);
  await trader.place({ tokenId: exchange.plain.tokenIds[0] });
  const path = '/data/pre-migration-orders';
  const read = async (query: string, userAgent = 'a test') => {
    const headers = { ...trader.keyHeaders('GET', path), 'user-agent': userAgent };
    const { status, text } = await trader.send('GET', `${path}${query}`, { headers });
    return { status, body: JSON.parse(text) };
  };
  const empty = { data: [], limit: 100, count: 0 };
  const rows: readonly (readonly [string, string])[] = [
    ['', 'a test'],
    ['?next_cursor=MA==', 'a test'],
    ['?next_cursor=MA==', '@polymarket/clob-client'],
    ['?next_cursor=', 'a test'],
    ['?next_cursor=MTAw', 'rs_clob_client'],
  ];
  for (const [query, userAgent] of rows) {
    const { status, body } = await read(query, userAgent);
    t.ok(isPage.Check(body), 'as documented');
    t.same([status, body], [200, { ...empty, next_cursor: 'LTE=' }], `${query} ${userAgent}`);
  }
  t.match(await read('?next_cursor=LTE%3D'), { status: 400, body: { code: 'invalid_cursor' } });
  t.match(await exchange.send('GET', path), { status: 401 });
});
