// Sockets that a fault mutes or closes.
import t from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { authOf, subscribeUser } from '../../http/streams/user/user-fixture.ts';
import { deedsOf, makeFault, readFault, removeFault } from '../fault-fixture.ts';

const share = await shareTestExchange(t);
const USER = '/ws/user';
const MARKET = '/ws/market';

async function subscribeMarket({ running, plain }: TestExchange): Promise<StreamClient> {
  const client = await StreamClient.open(running.url);
  client.send({ assets_ids: plain.tokenIds });
  await client.settled();
  return client;
}

/** Orders that can't match: each changes the book and is reported to its owner. */
function placer({ plain }: TestExchange, trader: Trader): () => Promise<void> {
  let ticks = 100;
  return async () => {
    const { status, text } = await trader.place({
      tokenId: plain.tokenIds[0],
      priceTicks: ticks,
      lots: 500,
    });
    if (status !== 200) throw new Error(text);
    ticks += 100;
  };
}

t.test('a mute socket is sent nothing but answers to pings, until its time is over', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const place = placer(exchange, alice);
  const client = await subscribeUser(exchange, alice);
  const other = await subscribeUser(exchange, await exchange.trader(2));
  const last = client.messages.splice(0).at(-1)?.sequence ?? 0;
  const match = { path: USER, owner: alice.address };
  const id = await makeFault(exchange, { kind: 'muted_socket', match, seconds: 5 });
  await place();
  client.send({ markets: [exchange.plain.conditionId] });
  await client.settled();
  t.strictSame(client.messages, [], 'not even an answer to a subscription');
  t.match(await readFault(exchange, id), {
    state: 'spent',
    matched: 1,
    fired: 1,
    hits: [{ path: USER, owner: alice.address, done: 'the socket is mute for 5 s' }],
  });
  exchange.clock.ms += 5_000;
  // The timer of the streams ends the mute a moment later.
  while (client.messages.length === 0) {
    await place();
    await client.settled();
  }
  const [first] = client.messages;
  t.ok(Number(first?.sequence) > last + 1, 'the numbers tell that messages are missing');
  const again = await subscribeUser(exchange, alice, {
    operation: 'resume',
    stream_id: first?.stream_id,
    sequence: last,
  });
  const [resumed, ...missed] = again.messages;
  t.equal(resumed?.replayed, missed.length);
  t.strictSame(
    missed.map(({ sequence }) => sequence),
    missed.map((_, index) => last + 1 + index),
    'a new socket is sent everything that was missed',
  );
  t.not(other.messages.at(-1)?.event_type, undefined, 'another owner is not mute');
  await removeFault(exchange, id);
});

t.test('a mute without an end lasts until its fault is removed', async (t) => {
  const exchange = share();
  const place = placer(exchange, await exchange.trader(1));
  const client = await subscribeMarket(exchange);
  client.messages.splice(0);
  const { conditionId } = exchange.plain;
  const match = { path: MARKET, market: conditionId };
  const id = await makeFault(exchange, { kind: 'muted_socket', match });
  exchange.clock.ms += 86_400_000;
  await place();
  await client.settled();
  t.strictSame(client.messages, []);
  t.match(await readFault(exchange, id), { hits: [{ market: conditionId }] });
  await removeFault(exchange, id);
  await place();
  await client.settled();
  t.match(client.messages[0], { event_type: 'price_change' });
});

t.test('topics that a mute socket adds and drops are those that it hears afterwards', async (t) => {
  const exchange = share();
  const other = share();
  const place = placer(exchange, await exchange.trader(1));
  const placeOther = placer(other, await exchange.trader(2));
  const client = await subscribeMarket(exchange);
  const match = { path: MARKET, market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'muted_socket', match });
  client.send({ operation: 'unsubscribe', assets_ids: exchange.plain.tokenIds });
  client.send({ operation: 'subscribe', assets_ids: other.plain.tokenIds });
  await client.settled();
  client.messages.splice(0);
  await removeFault(exchange, id);
  await place();
  await placeOther();
  await client.settled();
  const markets = new Set(client.messages.map(({ market }) => market));
  t.strictSame([...markets], [other.plain.conditionId]);
});

t.test('a second fault mutes another socket, not the one that is mute already', async (t) => {
  const exchange = share();
  const place = placer(exchange, await exchange.trader(1));
  const clients = [await subscribeMarket(exchange), await subscribeMarket(exchange)];
  const mute = { kind: 'muted_socket', match: { market: exchange.plain.conditionId } };
  const faults = [await makeFault(exchange, mute), await makeFault(exchange, mute)];
  const close = { kind: 'closed_socket', match: { market: exchange.plain.conditionId } };
  for (const client of clients) client.messages.splice(0);
  await place();
  for (const client of clients) {
    await client.settled();
    t.strictSame(client.messages, []);
  }
  const closing = await makeFault(exchange, close);
  t.match(await clients[0]?.closed, { code: 1006 }, 'a mute socket can be closed');
  for (const id of [...faults, closing]) await removeFault(exchange, id);
});

t.test('the socket of live data can be mute too', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  const client = await StreamClient.open(exchange.running.url, '/ws/live');
  const subscriptions = [{ topic: 'activity', type: 'trades' }];
  client.send({ action: 'subscribe', subscriptions });
  await client.settled();
  const trade = async (): Promise<void> => {
    await alice.place({ tokenId: no, priceTicks: 5000, lots: 500 });
    await bob.place({ tokenId: yes, priceTicks: 5000, lots: 500 });
  };
  const id = await makeFault(exchange, { kind: 'muted_socket', match: { path: '/ws/live' } });
  await trade();
  await client.settled();
  t.strictSame(client.messages, []);
  await removeFault(exchange, id);
  await trade();
  t.match(await client.take(1), [{ type: 'trades' }]);
});

const CODES = [
  { code: 1006, seen: { code: 1006, reason: '' } },
  { code: 1012, seen: { code: 1012, reason: 'a fault of the sandbox' } },
  { code: 4008, seen: { code: 4008, reason: 'a fault of the sandbox' } },
];

for (const { code, seen } of CODES) {
  t.test(`a socket closes with ${code} as soon as the fault is made`, async (t) => {
    const exchange = share();
    const alice = await exchange.trader(1);
    const client = await subscribeUser(exchange, alice);
    const match = { path: USER, api_key: alice.credentials.apiKey };
    const id = await makeFault(exchange, { kind: 'closed_socket', match, code });
    t.strictSame(await client.closed, seen);
    t.strictSame(await deedsOf(exchange, id), [`the socket closes with ${code}`]);
    const again = await subscribeUser(exchange, alice);
    t.match(again.messages[0], { event_type: 'snapshot' }, 'it fires once by default');
    await removeFault(exchange, id);
  });
}

t.test('a fault meets the sockets that open later with their first message', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const match = { path: USER, owner: alice.address };
  const id = await makeFault(exchange, { kind: 'closed_socket', match, count: 2 });
  for (let time = 1; time <= 2; time += 1) {
    const client = await StreamClient.open(exchange.running.url, USER);
    client.send({ type: 'user', auth: authOf(alice), custom_feature_enabled: true });
    t.match(await client.closed, { code: 1006 });
    t.strictSame(client.messages, []);
  }
  const client = await subscribeUser(exchange, alice);
  t.match(client.messages[0], { event_type: 'snapshot' });
  await removeFault(exchange, id);
});

t.test('with a probability, each message may be the last one', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const place = placer(exchange, alice);
  const close = { kind: 'closed_socket', match: { owner: alice.address }, probability: 0.1 };
  const matches: number[] = [];
  for (const seed of [7, 7, 9]) {
    const client = await subscribeUser(exchange, alice);
    const id = await makeFault(exchange, { ...close, seed });
    for (let isOpen = true; isOpen; ) {
      await place();
      isOpen = await Promise.race([
        client.closed.then(() => false),
        client.settled().then(() => true),
      ]);
    }
    matches.push((await readFault(exchange, id)).matched);
    await removeFault(exchange, id);
    await alice.signed('DELETE', '/cancel-all');
  }
  const [first, same, other] = matches;
  t.equal(first, same, 'the same seed');
  t.not(first, other, 'another seed');
  t.ok(Math.max(...matches) > 1, `${matches} messages`);
});

t.test('a new fault leaves older faults as they are', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const client = await subscribeUser(exchange, alice);
  const { address: owner } = alice;
  const first = await makeFault(exchange, { kind: 'closed_socket', match: { owner }, skip: 1 });
  t.match(await readFault(exchange, first), { matched: 1, fired: 0 });
  const second = await makeFault(exchange, { kind: 'sequence_gap', match: { owner } });
  t.match(await readFault(exchange, first), { matched: 1, fired: 0 });
  await client.settled();
  t.match(await readFault(exchange, first), { matched: 1 }, 'an answer to a ping is no message');
  for (const id of [first, second]) await removeFault(exchange, id);
});
