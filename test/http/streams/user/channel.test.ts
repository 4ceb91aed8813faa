// The messages of the user channel, field for field, from a real server with real orders.
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { EARLIER } from '../../../default-settings.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';
import type { Message } from '../stream-client.ts';
import { kindsOf } from '../stream-fixture.ts';
import { subscribeUser } from './user-fixture.ts';

function secondsOf({ clock }: Pick<TestExchange, 'clock'>): string {
  return `${Math.floor(clock.ms / 1_000)}`;
}

/** The names of the outcomes of the plain market. */
function outcomesOf({ running, plain }: TestExchange): readonly string[] {
  return (
    running.services.exchange.catalog.lookup.marketByCondition(plain.conditionId)?.outcomes ?? []
  );
}

/** Checks and removes the fields that differ in each run. */
function unstamped(exchange: TestExchange, messages: readonly Message[]): unknown[] {
  return messages.map(({ stream_id, server_ts_ms, ...rest }) => {
    if (stream_id !== exchange.running.services.exchange.streamId) throw new Error('stream_id');
    if (server_ts_ms !== exchange.clock.ms) throw new Error('server_ts_ms');
    return rest;
  });
}

/** The main fields of an order's message. */
function stepOf({ type, id, status, size_matched, reason }: Message) {
  return [type, id, status, size_matched, ...(reason === undefined ? [] : [reason])];
}

function ordersIn(messages: readonly Message[]): Message[] {
  return messages.filter(({ event_type }) => event_type === 'order');
}

/** The fields of an order's messages that never change. */
function orderFields(
  { clock }: Pick<TestExchange, 'clock'>,
  { trader, tokenId, orderId }: { trader: Trader; tokenId: string; orderId: string },
) {
  return {
    event_type: 'order',
    id: orderId,
    asset_id: tokenId,
    owner: trader.credentials.apiKey,
    order_owner: trader.credentials.apiKey,
    created_at: secondsOf({ clock }),
    timestamp: `${clock.ms}`,
    expiration: '0',
    maker_address: toChecksumAddress(trader.address),
  };
}

// Its answers have the hashes of trades.
const share = await shareTestExchange(t, { profile: EARLIER });

t.test('an order is published when it is placed and when it is cancelled', async (t) => {
  const exchange = share();
  const { plain, trader } = exchange;
  const [yes] = plain.tokenIds;
  const alice = await trader(1);
  const client = await subscribeUser(exchange, alice);
  const [snapshot] = client.messages.splice(0);
  t.match(snapshot, { event_type: 'snapshot', part: 1, parts: 1, orders: [] });
  const first = Number(snapshot?.sequence) + 1;
  const { body } = await alice.place({ tokenId: yes, priceTicks: 4000, lots: 1250 });
  await alice.cancel(body.orderID);
  await client.settled();
  const fields = {
    ...orderFields(exchange, { trader: alice, tokenId: yes, orderId: body.orderID }),
    market: plain.conditionId,
    side: 'BUY',
    price: '0.4',
    original_size: '12.5',
    size_matched: '0',
    outcome: outcomesOf(exchange)[0],
    associate_trades: null,
    order_type: 'GTC',
  };
  const cash = {
    event_type: 'balance',
    asset_type: 'COLLATERAL',
    asset_id: '',
    market: '',
    address: toChecksumAddress(alice.address),
    balance: '10000000000',
    timestamp: `${exchange.clock.ms}`,
  };
  t.strictSame(unstamped(exchange, client.messages), [
    { ...fields, type: 'PLACEMENT', status: 'LIVE', sequence: first },
    { ...cash, available: '9995000000', held: '5000000', sequence: first + 1 },
    {
      ...fields,
      type: 'CANCELLATION',
      status: 'CANCELED',
      reason: 'canceled',
      sequence: first + 2,
    },
    { ...cash, available: '10000000000', held: '0', sequence: first + 3 },
  ]);
});

/** Fields of the next test's trade that are the same for both sides. */
function tradeFields(exchange: TestExchange, maker: Trader, taker: Trader) {
  const {
    tokenIds: [yes, no],
  } = exchange.plain;
  const [outcome, other] = outcomesOf(exchange);
  const seconds = secondsOf(exchange);
  return {
    event_type: 'trade',
    type: 'TRADE',
    asset_id: no,
    side: 'BUY',
    size: '7',
    price: '0.6',
    outcome: other,
    match_time: seconds,
    last_update: seconds,
    timestamp: `${exchange.clock.ms}`,
    fee_rate_bps: '0',
    fee: '0',
    bucket_index: 0,
    maker_address: toChecksumAddress(taker.address),
    maker_orders: [
      {
        owner: maker.credentials.apiKey,
        maker_address: toChecksumAddress(maker.address),
        matched_amount: '7',
        price: '0.4',
        fee_rate_bps: '0',
        fee: '0',
        asset_id: yes,
        outcome,
        side: 'BUY',
      },
    ],
  };
}

t.test('a trade is published to taker and maker, once for each status', async (t) => {
  const exchange = share();
  const { plain, trader } = exchange;
  const [yes, no] = plain.tokenIds;
  const [alice, bob] = [await trader(1), await trader(2)];
  const made = await alice.place({ tokenId: yes, priceTicks: 4000 });
  const changes = { initial_dump: false };
  const maker = await subscribeUser(exchange, alice, changes);
  const taker = await subscribeUser(exchange, bob, changes);
  const { body } = await bob.place({ tokenId: no, priceTicks: 6500, lots: 700 });
  await Promise.all([maker.settled(), taker.settled()]);
  const [tradeId] = body.tradeIDs;
  t.strictSame(ordersIn(maker.messages).map(stepOf), [['UPDATE', made.body.orderID, 'LIVE', '7']]);
  t.strictSame(ordersIn(taker.messages).map(stepOf), [
    ['PLACEMENT', body.orderID, 'LIVE', '0'],
    ['UPDATE', body.orderID, 'MATCHED', '7'],
  ]);
  t.match(ordersIn(maker.messages), [{ associate_trades: [tradeId] }]);
  const { maker_orders: [fill] = [], ...fields } = tradeFields(exchange, alice, bob);
  const toldTo = ({ credentials: { apiKey } }: Trader, role: string, first: number): object[] =>
    ['MATCHED', 'MINED', 'CONFIRMED'].map((status, index) => ({
      ...fields,
      id: tradeId,
      taker_order_id: body.orderID,
      market: plain.conditionId,
      transaction_hash: body.transactionsHashes[0],
      status,
      owner: apiKey,
      trade_owner: apiKey,
      trader_side: role,
      maker_orders: [{ ...fill, order_id: made.body.orderID }],
      sequence: first + index,
    }));
  const tradesIn = (messages: readonly Message[]): unknown[] =>
    unstamped(
      exchange,
      messages.filter(({ event_type }) => event_type === 'trade'),
    );
  const [first = 0, placed = 0] = [maker, taker].map(({ messages }) => messages[0]?.sequence);
  t.strictSame(tradesIn(maker.messages), toldTo(alice, 'MAKER', first + 1), 'after the update');
  t.strictSame(tradesIn(taker.messages), toldTo(bob, 'TAKER', placed + 2));
  t.strictSame(kindsOf(maker.messages).slice(4), ['balance', 'balance'], 'cash and tokens');
});

interface EndCase {
  readonly name: string;
  readonly end: (exchange: TestExchange, alice: Trader) => Promise<unknown>;
  readonly told: readonly unknown[];
}

const ENDS: readonly EndCase[] = [
  {
    name: 'cancelled with all others',
    end: (_, alice) => alice.signed('DELETE', '/cancel-all'),
    told: ['CANCELLATION', 'CANCELED', '0', 'canceled'],
  },
  {
    name: 'canceled because it would match another of its owner',
    end: ({ plain }, alice) =>
      alice.place({ tokenId: plain.tokenIds[1], priceTicks: 6000, orderType: 'FAK' }),
    told: ['CANCELLATION', 'CANCELED', '0', 'self_trade'],
  },
  {
    name: 'ended by the close of its market',
    end: ({ operator, plain }) => operator('POST', `/markets/${plain.conditionId}/close`, {}),
    told: ['CANCELLATION', 'CANCELED', '0', 'market_closed'],
  },
];

for (const { name, end, told } of ENDS) {
  t.test(`an order that is ${name} is published with its status`, async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const [tokenId] = exchange.plain.tokenIds;
    const { body } = await alice.place({ tokenId, priceTicks: 4000 });
    const bob = await exchange.trader(2);
    await bob.place({ tokenId, priceTicks: 4000 });
    const client = await subscribeUser(exchange, alice, { initial_dump: false });
    await end(exchange, alice);
    await client.settled();
    const [type, ...rest] = told;
    const steps = ordersIn(client.messages)
      .filter(({ id }) => id === body.orderID)
      .map(stepOf);
    t.strictSame(steps, [[type, body.orderID, ...rest]]);
  });
}

t.test('an expiry is published although no request caused it', async (t) => {
  const exchange = share();
  const { plain, trader, clock } = exchange;
  const alice = await trader(1);
  const expiration = `${Math.floor(clock.ms / 1_000) + 190}`;
  const { body } = await alice.place({
    tokenId: plain.tokenIds[0],
    orderType: 'GTD',
    changes: { expiration },
  });
  const client = await subscribeUser(exchange, alice);
  t.match(client.messages.splice(0), [{ orders: [{ id: body.orderID, expiration }] }]);
  clock.ms += 191_000;
  await client.until(() => client.messages.length >= 2);
  t.strictSame(ordersIn(client.messages).map(stepOf), [
    ['CANCELLATION', body.orderID, 'CANCELED', '0', 'expired'],
  ]);
});

t.test(
  'the unfilled part of a FAK is no cancellation: its last trade says that it is done',
  async (t) => {
    const exchange = share();
    const { plain, trader } = exchange;
    const [yes, no] = plain.tokenIds;
    const [alice, bob] = [await trader(1), await trader(2)];
    await alice.place({ tokenId: yes, priceTicks: 4000, lots: 500 });
    await alice.place({ tokenId: yes, priceTicks: 3900, lots: 500 });
    const client = await subscribeUser(exchange, bob, { initial_dump: false });
    const { body } = await bob.place({
      tokenId: no,
      priceTicks: 6100,
      lots: 2000,
      orderType: 'FAK',
    });
    await client.settled();
    const [first, second] = body.tradeIDs;
    t.strictSame(
      ordersIn(client.messages).map((message) => [...stepOf(message), message.associate_trades]),
      [
        ['PLACEMENT', body.orderID, 'LIVE', '0', null],
        ['UPDATE', body.orderID, 'LIVE', '5', [first]],
        ['UPDATE', body.orderID, 'MATCHED', '10', [first, second]],
      ],
    );
  },
);

t.test('each changed balance is published, and no other', async (t) => {
  const exchange = share();
  const { plain, trader, operator } = exchange;
  const alice = await trader(1);
  await alice.place({ tokenId: plain.tokenIds[0], priceTicks: 4000 });
  const client = await subscribeUser(exchange, alice, { initial_dump: false });
  await operator('POST', '/deposits', { account: alice.address, amount: '5', key: 'd' });
  const split = { market: plain.conditionId, amount: '3', key: 's' };
  await alice.signed('POST', '/sets/split', split);
  await alice.signed('POST', '/sets/split', split);
  await client.settled();
  t.strictSame(
    client.messages.map(({ event_type, asset_id, available, held }) => [
      event_type,
      asset_id,
      available,
      held,
    ]),
    [
      ['balance', '', '10001000000', '4000000'],
      ['balance', '', '9998000000', '4000000'],
      ['balance', plain.tokenIds[0], '3000000', '0'],
      ['balance', plain.tokenIds[1], '3000000', '0'],
    ],
  );
});

t.test('each key of an owner gets itself as the owner of its messages', async (t) => {
  const exchange = share();
  const { plain, trader } = exchange;
  const [alice, bob] = [await trader(1), await trader(2)];
  const first = await subscribeUser(exchange, alice, { initial_dump: false });
  const firstKey = alice.credentials.apiKey;
  await alice.place({ tokenId: plain.tokenIds[0], priceTicks: 4000 });
  await alice.login('1');
  const secondKey = alice.credentials.apiKey;
  const second = await subscribeUser(exchange, alice);
  await bob.place({ tokenId: plain.tokenIds[1], priceTicks: 6000 });
  await Promise.all([first.settled(), second.settled()]);
  t.not(firstKey, secondKey);
  for (const [client, own, other] of [
    [first, firstKey, secondKey],
    [second, secondKey, firstKey],
  ] as const) {
    const text = JSON.stringify(client.messages);
    t.ok(text.includes(`"trade_owner":"${own}"`));
    t.ok(text.includes(`"order_owner":"${own}"`));
    t.notOk(text.includes(other), 'the other key is nowhere');
  }
});
