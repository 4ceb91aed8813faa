import t from 'tap';
import { Compile } from 'typebox/compile';
import {
  deleteNotifications,
  getNotifications,
} from '../../../../http/routes/account/notifications.ts';
import { makeReadonlyKey, withKey } from '../../auth/key-fixture.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';

const areNotifications = Compile(getNotifications.response);
const areDeleted = Compile(deleteNotifications.response);
const SWITCH = '11111111-1111-4111-8111-111111111111';

async function read(trader: Trader, query = '') {
  const { status, text } = await trader.signed('GET', `/notifications${query}`);
  return { status, body: JSON.parse(text) };
}

async function dismiss(trader: Trader, query: string) {
  const { status, text } = await trader.signed('DELETE', `/notifications${query}`);
  return { status, body: JSON.parse(text) };
}

/** A maker whose order of 10 at 0.4 is filled by 4 and by 6; the taker buys the other token. */
async function trade(exchange: TestExchange) {
  const [yes, no] = exchange.plain.tokenIds;
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  const { body } = await maker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000 });
  await taker.place({ tokenId: no, priceTicks: 6_000, lots: 400, orderType: 'FAK' });
  exchange.clock.ms += 1_000;
  await taker.place({ tokenId: no, priceTicks: 6_000, lots: 600 });
  return { maker, taker, orderId: body.orderID };
}

const share = await shareTestExchange(t);

t.test('GET /notifications shows a maker its fills, newest first', async (t) => {
  const exchange = share();
  const startSeconds = Math.floor(exchange.clock.ms / 1_000);
  const { maker, taker, orderId } = await trade(exchange);
  const { conditionId, tokenIds } = exchange.plain;
  const { status, body } = await read(maker, '?signature_type=0');
  t.equal(status, 200);
  t.ok(areNotifications.Check(body), 'as documented');
  const trades = JSON.parse((await maker.signed('GET', '/data/trades')).text).data;
  const { apiKey } = maker.credentials;
  const market = exchange.running.services.exchange.catalog.lookup.marketByCondition(conditionId);
  const fill = (index: number, sizes: object) => ({
    type: 2,
    owner: apiKey,
    payload: {
      asset_id: tokenIds[0],
      condition_id: conditionId,
      eventSlug: market?.eventSlug,
      icon: market?.icon,
      image: market?.image,
      market: conditionId,
      market_slug: market?.slug,
      order_id: orderId,
      outcome: market?.outcomes[0],
      outcome_index: 0,
      owner: apiKey,
      price: '0.4',
      question: market?.question,
      seriesSlug: '',
      side: 'BUY',
      trade_id: trades[index].id,
      transaction_hash: trades[index].transaction_hash,
      type: 'GTC',
      reason: '',
      original_size: '10',
      ...sizes,
    },
  });
  const { id } = body[1];
  t.ok(Number.isSafeInteger(id) && id > 0, 'ids are positive');
  const [later, earlier] = [
    fill(0, { matched_size: '6', remaining_size: '0' }),
    fill(1, { matched_size: '4', remaining_size: '6' }),
  ];
  t.same(body, [
    { id: id + 1, timestamp: startSeconds + 1, ...later },
    { id, timestamp: startSeconds, ...earlier },
  ]);
  t.same((await read(taker)).body, [], 'a taker is not notified');
});

t.test("GET /notifications shows orders that ended without their owner's request", async (t) => {
  const exchange = share();
  const { clock, running } = exchange;
  const trader = await exchange.trader(1);
  const owner = trader.address;
  const [yes, no] = exchange.plain.tokenIds;
  const expiration = `${Math.floor(clock.ms / 1_000) + 200}`;
  await trader.place({ tokenId: yes, orderType: 'GTD', changes: { expiration } });
  clock.ms += 300_000;
  await trader.place({ tokenId: yes, priceTicks: 4_000 });
  await trader.place({ tokenId: no, priceTicks: 6_000 });
  await running.services.exchange.submit({ kind: 'arm_switch', owner, heartbeatId: SWITCH });
  const trip = { kind: 'trip_switch', owner, heartbeatId: SWITCH, most: 1 } as const;
  await running.services.exchange.submit(trip);
  const canceled = await trader.place({ tokenId: yes, priceTicks: 4_000 });
  await trader.cancel(canceled.body.orderID);
  const { body } = await read(trader);
  t.ok(areNotifications.Check(body), 'as documented');
  const ended = (reason: string, price: string) => ({
    type: 1,
    payload: {
      reason,
      price,
      original_size: '10',
      matched_size: '0',
      remaining_size: '10',
      trade_id: '',
      transaction_hash: `0x${'0'.repeat(64)}`,
    },
  });
  t.match(body, [
    ended('switch_tripped', '0.6'),
    ended('self_trade', '0.4'),
    ended('expired', '0.5'),
  ]);
  t.equal(body.length, 3, 'none for the order that its owner canceled');
});

t.test("a holder is notified of a market's payout until it dismisses that", async (t) => {
  const exchange = share();
  const { operator, clock, plain, running } = exchange;
  const { conditionId, tokenIds } = plain;
  const [alice, bob, carol] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
  ];
  await alice.signed('POST', '/sets/split', { market: conditionId, amount: '10', key: 's' });
  await alice.place({ tokenId: tokenIds[1], side: 'SELL', priceTicks: 6_000, lots: 700 });
  await bob.place({ tokenId: tokenIds[1], priceTicks: 6_000, lots: 400, orderType: 'FAK' });
  const [fill] = (await read(alice)).body;
  await dismiss(alice, `?ids=${fill.id}`);
  clock.ms += 5_000;
  await operator('POST', `/markets/${conditionId}/resolve`, { payout: '0.37' });
  const market = running.services.exchange.catalog.lookup.marketByCondition(conditionId);
  const told = (who: Trader, holding: object) => ({
    type: 4,
    owner: who.credentials.apiKey,
    timestamp: Math.floor(clock.ms / 1_000),
    payload: {
      question: market?.question,
      market_slug: market?.slug,
      outcome: market?.outcomes[0],
      asset_id: tokenIds[0],
      price: '0.37',
      payout: '0.37',
      ...holding,
    },
  });
  const rows: [who: Trader, told: readonly object[]][] = [
    [
      alice,
      [
        told(alice, { yes_size: '10', no_size: '6', amount: '7.48' }),
        { type: 1, payload: { reason: 'market_resolved', remaining_size: '3' } },
      ],
    ],
    [bob, [told(bob, { yes_size: '0', no_size: '4', amount: '2.52' })]],
    [carol, []],
  ];
  for (const [who, expected] of rows) {
    const { body } = await read(who);
    t.ok(areNotifications.Check(body), 'as documented');
    t.match(body, expected);
    t.equal(body.length, expected.length);
  }
  const [{ id }] = (await read(bob)).body;
  t.same((await dismiss(bob, `?ids=${id}`)).body, { deleted: [`${id}`] });
  t.same((await read(bob)).body, []);
});

t.test('a dismissed notification is gone, for its owner alone', async (t) => {
  const exchange = share();
  const { maker, taker } = await trade(exchange);
  const ids = async () =>
    (await read(maker)).body.map(({ id }: { readonly id: number }) => `${id}`);
  const [second, first] = await ids();
  t.same(await dismiss(taker, `?ids=${first},${second}`), {
    status: 200,
    body: { deleted: [first, second] },
  });
  t.same(await ids(), [second, first], 'another owner cannot dismiss them');
  const unknown = '987654';
  const { status, body } = await dismiss(maker, `?ids=${first}&ids=${unknown}&ids=${first}`);
  t.ok(areDeleted.Check(body), 'as documented');
  t.same([status, body], [200, { deleted: [first, unknown] }]);
  t.same(await ids(), [second]);
  t.same((await dismiss(maker, `?ids=${first}`)).body, { deleted: [first] }, 'a second time too');
  t.same((await dismiss(maker, `?ids=${second}`)).body, { deleted: [second] });
  t.same((await read(maker)).body, []);
});

t.test('an owner without orders may dismiss unknown ids', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(1);
  t.same(await read(trader), { status: 200, body: [] });
  t.same(await dismiss(trader, '?ids=5'), { status: 200, body: { deleted: ['5'] } });
});

t.test('DELETE /notifications refuses wrong ids with their field', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(1);
  const many = Array.from({ length: 101 }, (_, index) => index + 1);
  const rows: readonly (readonly [string, object])[] = [
    ['', { code: 'missing_field', field: 'ids' }],
    ['?ids=', { code: 'invalid_parameter', field: 'ids' }],
    ['?ids=1,x', { code: 'invalid_parameter', field: 'ids.1', actual: 'x' }],
    ['?ids=0', { code: 'invalid_parameter', field: 'ids.0', actual: 0 }],
    [`?ids=${many.join(',')}`, { code: 'invalid_parameter', field: 'ids' }],
  ];
  for (const [query, expected] of rows) {
    t.match(await dismiss(trader, query), { status: 400, body: expected }, query);
  }
  t.equal((await dismiss(trader, `?ids=${many.slice(1).join(',')}`)).status, 200);
});

t.test(
  'any key of the owner reads notifications, but only one that may write dismisses them',
  async (t) => {
    const exchange = share();
    const trader = await exchange.trader(1);
    t.match(await exchange.send('GET', '/notifications'), { status: 401 });
    t.match(await exchange.send('DELETE', '/notifications?ids=1'), { status: 401 });
    const reader = withKey(exchange, trader, await makeReadonlyKey(trader));
    t.equal((await read(reader)).status, 200);
    t.match(await dismiss(reader, '?ids=1'), { status: 403, body: { code: 'read_only_key' } });
  },
);
