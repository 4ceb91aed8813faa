// Trades that show a false status.
import t from 'tap';
import { shareTestExchange, type Trader } from '../../http/exchange-fixture.ts';
import type { Message, StreamClient } from '../../http/streams/stream-client.ts';
import { subscribeUser } from '../../http/streams/user/user-fixture.ts';
import { deedsOf, makeFault, readFault, removeFault } from '../fault-fixture.ts';

const share = await shareTestExchange(t);

const KIND = 'trade_status';
const GHOST = [
  { status: 'MATCHED' },
  { status: 'RETRYING', after_seconds: 10 },
  { status: 'FAILED', after_seconds: 20 },
];

interface ShownTrade {
  readonly id: string;
  readonly status: string;
  readonly match_time: string;
  readonly last_update: string;
}

async function tradesOf(trader: Trader): Promise<readonly ShownTrade[]> {
  return JSON.parse((await trader.signed('GET', '/data/trades')).text).data;
}

/** Takes the messages of trades. */
function takeTrades(client: StreamClient): Message[] {
  return client.messages.splice(0).filter(({ event_type }) => event_type === 'trade');
}

/** Waits for the next message of a trade: the timer of the streams sends it. */
async function nextTrade(client: StreamClient): Promise<Message> {
  const isTrade = ({ event_type }: Message): boolean => event_type === 'trade';
  await client.until(() => client.messages.some(isTrade));
  const [trade] = takeTrades(client);
  if (trade === undefined) throw new Error('there is one');
  return trade;
}

/** A market in which the second trader can take orders of the first, one trade at a time. */
async function setScene() {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  const trade = async (): Promise<string> => {
    await alice.place({ tokenId: no, priceTicks: 4000, lots: 500 });
    const { body, text } = await bob.place({ tokenId: yes, priceTicks: 6000, lots: 500 });
    const [id] = body.tradeIDs;
    if (id === undefined) throw new Error(text);
    return id;
  };
  return { exchange, alice, bob, trade, match: { market: exchange.plain.conditionId } };
}

t.test(
  'a trade walks through the steps for both parties, on the stream and in reads',
  async (t) => {
    const { exchange, alice, bob, trade, match } = await setScene();
    const clients = [await subscribeUser(exchange, alice), await subscribeUser(exchange, bob)];
    for (const client of clients) client.messages.splice(0);
    const id = await makeFault(exchange, { kind: KIND, match, steps: GHOST });
    const tradeId = await trade();
    const matched = `${Math.floor(exchange.clock.ms / 1_000)}`;
    for (const client of clients) {
      await client.settled();
      const told = takeTrades(client).map((message) => [message.id, message.status]);
      t.strictSame(told, [[tradeId, 'MATCHED']]);
    }
    for (const trader of [alice, bob]) {
      t.match(await tradesOf(trader), [{ id: tradeId, status: 'MATCHED', last_update: matched }]);
    }
    for (const [status, seconds] of [
      ['RETRYING', 10],
      ['FAILED', 20],
    ] as const) {
      exchange.clock.ms += seconds * 1_000;
      const now = `${Math.floor(exchange.clock.ms / 1_000)}`;
      for (const client of clients) {
        const times = { match_time: matched, last_update: now, timestamp: now };
        t.match(await nextTrade(client), { id: tradeId, status, ...times });
      }
      for (const trader of [alice, bob]) {
        t.match(await tradesOf(trader), [{ status, match_time: matched, last_update: now }]);
      }
    }
    t.strictSame(await deedsOf(exchange, id), [
      `the trade ${tradeId} is told to be MATCHED, RETRYING, FAILED`,
    ]);
    const next = await trade();
    for (const client of clients) {
      await client.settled();
      const told = takeTrades(client).map((message) => [message.id, message.status]);
      const all = ['MATCHED', 'MINED', 'CONFIRMED'].map((status) => [next, status]);
      t.strictSame(told, all, 'by default one trade walks');
    }
    await removeFault(exchange, id);
    for (const client of clients) {
      await client.settled();
      const told = takeTrades(client).map((message) => [message.id, message.status]);
      t.strictSame(told, [[tradeId, 'CONFIRMED']], 'the truth');
    }
    t.match(await tradesOf(bob), [{ status: 'CONFIRMED' }, { status: 'CONFIRMED' }]);
  },
);

t.test('a trade that is told to have failed is settled all the same', async (t) => {
  const { exchange, bob, trade, match } = await setScene();
  const [yes] = exchange.plain.tokenIds;
  const path = `/balance-allowance?asset_type=CONDITIONAL&token_id=${yes}&signature_type=0`;
  const id = await makeFault(exchange, { kind: KIND, match, steps: [{ status: 'FAILED' }] });
  const tradeId = await trade();
  t.match(await tradesOf(bob), [{ id: tradeId, status: 'FAILED' }]);
  t.match(await bob.signed('GET', path), { body: { balance: '5000000' } });
  const positions = await exchange.send('GET', `/positions?user=${bob.address}`);
  t.match(JSON.parse(positions.text), [{ asset: yes, size: 5 }]);
  const fills = await exchange.send('GET', `/trades?user=${bob.address}`);
  t.match(JSON.parse(fills.text), [{ asset: yes, size: 5 }], 'the analytics show the fill');
  await removeFault(exchange, id);
});

t.test('who begins to listen in the middle is told the later steps', async (t) => {
  const { exchange, bob, trade, match } = await setScene();
  const id = await makeFault(exchange, { kind: KIND, match, steps: GHOST });
  const tradeId = await trade();
  const client = await subscribeUser(exchange, bob);
  t.strictSame(takeTrades(client), []);
  exchange.clock.ms += 30_000;
  await client.until(() => client.messages.some(({ status }) => status === 'FAILED'));
  const own = { id: tradeId, owner: bob.credentials.apiKey, trader_side: 'TAKER' };
  const expected = ['RETRYING', 'FAILED'].map((status) => ({ ...own, status }));
  t.match(takeTrades(client), expected);
  await removeFault(exchange, id);
});

t.test('the makers of others are named by their keys in later steps too', async (t) => {
  const { exchange, alice, bob, trade, match } = await setScene();
  const client = await subscribeUser(exchange, bob);
  const id = await makeFault(exchange, { kind: KIND, match, steps: GHOST });
  await trade();
  exchange.clock.ms += 10_000;
  await client.until(() => client.messages.some(({ status }) => status === 'RETRYING'));
  const told = takeTrades(client);
  const owner = alice.credentials.apiKey;
  t.match(told, [{ maker_orders: [{ owner }] }, { maker_orders: [{ owner }] }]);
  await removeFault(exchange, id);
});

t.test('a trade whose walk ends with CONFIRMED is told no more', async (t) => {
  const { exchange, bob, trade, match } = await setScene();
  const client = await subscribeUser(exchange, bob);
  const steps = [
    { status: 'MATCHED' },
    { status: 'MINED', after_seconds: 1 },
    { status: 'CONFIRMED', after_seconds: 1 },
  ];
  const id = await makeFault(exchange, { kind: KIND, match, steps });
  await trade();
  exchange.clock.ms += 2_000;
  await client.until(() => client.messages.some(({ status }) => status === 'CONFIRMED'));
  const statuses = takeTrades(client).map(({ status }) => status);
  t.strictSame(statuses, ['MATCHED', 'MINED', 'CONFIRMED']);
  await removeFault(exchange, id);
  await client.settled();
  t.strictSame(takeTrades(client), []);
});

t.test('a fault that is removed leaves the trades of other faults', async (t) => {
  const { exchange, bob, trade, match } = await setScene();
  const fault = { kind: KIND, match, steps: [{ status: 'FAILED' }] };
  const first = await makeFault(exchange, fault);
  const firstTrade = await trade();
  const second = await makeFault(exchange, fault);
  const secondTrade = await trade();
  await removeFault(exchange, first);
  const statusOf = new Map((await tradesOf(bob)).map(({ id, status }) => [id, status]));
  t.equal(statusOf.get(firstTrade), 'CONFIRMED');
  t.equal(statusOf.get(secondTrade), 'FAILED');
  await removeFault(exchange, second);
});

t.test('a first step may come late; reads say its status at once', async (t) => {
  const { exchange, bob, trade, match } = await setScene();
  const client = await subscribeUser(exchange, bob);
  const steps = [{ status: 'MATCHED', after_seconds: 5 }];
  const id = await makeFault(exchange, { kind: KIND, match, steps });
  const tradeId = await trade();
  await client.settled();
  t.strictSame(takeTrades(client), []);
  t.match(await tradesOf(bob), [{ id: tradeId, status: 'MATCHED' }]);
  exchange.clock.ms += 5_000;
  t.match(await nextTrade(client), { id: tradeId, status: 'MATCHED' });
  await removeFault(exchange, id);
});

const MATCHES: readonly [
  name: string,
  of: (maker: Trader, taker: Trader) => object,
  isHit: boolean,
][] = [
  ['the account of the maker', (maker) => ({ account: maker.address }), true],
  ['the owner of the taker', (_, taker) => ({ owner: taker.address }), true],
  ['the key of the maker', (maker) => ({ api_key: maker.credentials.apiKey }), true],
  [
    'the key of one party and the owner of the other',
    (maker, taker) => ({ api_key: maker.credentials.apiKey, owner: taker.address }),
    false,
  ],
];

for (const [name, matchOf, isHit] of MATCHES) {
  t.test(`a trade is found by ${name}: ${isHit}`, async (t) => {
    const { exchange, alice, bob, trade } = await setScene();
    const match = matchOf(alice, bob);
    const id = await makeFault(exchange, { kind: KIND, match, steps: GHOST });
    const tradeId = await trade();
    const status = isHit ? 'MATCHED' : 'CONFIRMED';
    t.match(await tradesOf(bob), [{ id: tradeId, status }]);
    t.equal((await readFault(exchange, id)).fired, isHit ? 1 : 0);
    await removeFault(exchange, id);
  });
}
