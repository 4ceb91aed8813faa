import { Chain } from '@polymarket/clob-client-v2';
import t from 'tap';
import { READ_BOUNDS } from '../../../../http/bounds/read-bounds.ts';
import { newTrader } from '../../../published-client.ts';
import { jsonOf } from '../../auth/key-fixture.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';

/** The exchange uses this machine's clock, like the published client. */
const share = await shareTestExchange(t, { now: Date.now });

t.test('no order earns rewards', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const one = await alice.signed('GET', '/order-scoring?order_id=0x33');
  t.strictSame(jsonOf(one), { scoring: false });
  const several = await alice.signed('POST', '/orders-scoring', ['0x33', '0x34', '0x33']);
  t.strictSame(jsonOf(several), { '0x33': false, '0x34': false });
  t.equal(
    (await alice.signed('POST', '/orders-scoring', ['__proto__'])).text,
    '{"__proto__":false}',
  );
  t.strictSame(jsonOf(await alice.signed('POST', '/orders-scoring', [])), {});
});

t.test('each fault of the scoring routes has its code', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const none = await alice.signed('GET', '/order-scoring');
  t.match(none.body, { code: 'missing_field', field: 'order_id' });
  const limit = READ_BOUNDS.scoredOrders;
  const rows: readonly (readonly [body: unknown, expected: object])[] = [
    [undefined, { code: 'invalid_payload', field: 'body' }],
    [{ orderIds: [] }, { code: 'invalid_payload', field: 'body' }],
    [['0x33', 5], { code: 'invalid_payload', field: '1', actual: 5 }],
    [['x'.repeat(129)], { code: 'invalid_payload', field: '0', actual: 129 }],
    [Array(limit + 1).fill('x'), { code: 'too_many_items', limit, actual: limit + 1 }],
  ];
  for (const [body, expected] of rows) {
    const answer = await alice.signed('POST', '/orders-scoring', body);
    t.equal(answer.status, 400, JSON.stringify(body)?.slice(0, 50));
    t.match(answer.body, expected);
  }
  const most = Array.from({ length: limit }, (_, index) => `0x${String(index).padStart(64, '0')}`);
  t.equal((await alice.signed('POST', '/orders-scoring', most)).status, 200);
});

t.test('a builder charges nothing, by its code or its address', async (t) => {
  const { send } = share();
  for (const code of [`0x${'ab'.repeat(32)}`, `0x${'AB'.repeat(20)}`]) {
    t.strictSame(jsonOf(await send('GET', `/fees/builder-fees/${code}`)), {
      builder_maker_fee_rate_bps: 0,
      builder_taker_fee_rate_bps: 0,
      builder_maker_flat_fee_bps: 0,
      builder_taker_fee_share_bps: 0,
    });
  }
  for (const code of ['0x', 'ab'.repeat(32), `0x${'ab'.repeat(31)}`, `0x${'xy'.repeat(20)}`]) {
    const answer = await send('GET', `/fees/builder-fees/${code}`);
    t.equal(answer.status, 400, code);
    t.match(answer.body, { code: 'invalid_parameter', field: 'code', actual: code });
  }
});

t.test('the published client asks for scores', async (t) => {
  const { running } = share();
  const { client } = await newTrader('Alice', running.url, Chain.POLYGON);
  t.strictSame(await client.isOrderScoring({ order_id: '0x33' }), { scoring: false });
  t.strictSame(await client.areOrdersScoring({ orderIds: ['0x33'] }), { '0x33': false });
});
