// Messages that a fault leaves out. Subscribers see it by the numbers alone, and a resume brings
// what was left out.
import t from 'tap';
import { shareTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { ReferenceBook } from '../../http/streams/market/reference-book.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { ReferenceAccount } from '../../http/streams/user/reference-account.ts';
import { subscribeUser } from '../../http/streams/user/user-fixture.ts';
import { deedsOf, makeFault, removeFault } from '../fault-fixture.ts';

const share = await shareTestExchange(t);

/** Subscribes to both tokens of the market, or resumes. */
async function subscribeMarket(
  { running, plain }: TestExchange,
  resume: object = {},
): Promise<StreamClient> {
  const client = await StreamClient.open(running.url);
  client.send({ assets_ids: plain.tokenIds, ...resume });
  await client.settled();
  return client;
}

t.test('a change of the book is left out, and with it all that would make up for it', async (t) => {
  const exchange = share();
  const { plain } = exchange;
  const [yes] = plain.tokenIds;
  const alice = await exchange.trader(1);
  const client = await subscribeMarket(exchange);
  const featured = await subscribeMarket(exchange, { custom_feature_enabled: true });
  featured.messages.splice(0);
  const book = new ReferenceBook(plain.tokenIds);
  for (const message of client.messages.splice(0)) book.take(message);
  const last = book.sequence;
  const match = { market: plain.conditionId };
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  await alice.place({ tokenId: yes, priceTicks: 1000, lots: 500 });
  await client.settled();
  t.strictSame(client.messages, [], 'no book either, which would show the change');
  await featured.settled();
  t.strictSame(featured.messages, [], 'nor the new best prices');
  t.strictSame(await deedsOf(exchange, id), [`the message ${last + 1} is left out`]);
  await alice.place({ tokenId: yes, priceTicks: 2000, lots: 500 });
  await client.settled();
  t.match(client.messages[0], { event_type: 'price_change', sequence: last + 2 });
  t.throws(
    () => {
      for (const message of client.messages) book.take(message);
    },
    { message: `a price_change after ${last}` },
    'a subscriber that checks the numbers notices',
  );
  const resume = { operation: 'resume', stream_id: book.streamId, sequence: last };
  const again = await subscribeMarket(exchange, resume);
  for (const message of again.messages) book.take(message);
  t.equal(book.replayed, 2);
  const { text } = await exchange.send('GET', `/book?token_id=${yes}`);
  t.equal(book.tokens.get(yes)?.text, text, 'the book is right again');
  await removeFault(exchange, id);
});

t.test('a trade is left out in both of its copies', async (t) => {
  const exchange = share();
  const { plain } = exchange;
  const [yes, no] = plain.tokenIds;
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  await alice.place({ tokenId: yes, priceTicks: 5000, lots: 1000 });
  const client = await subscribeMarket(exchange);
  const last = Number(client.messages.splice(0)[0]?.sequence);
  const match = { path: '/ws/market', market: plain.conditionId };
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  await bob.place({ tokenId: no, priceTicks: 5000, lots: 500 });
  await client.settled();
  t.match(client.messages[0], { event_type: 'price_change', sequence: last + 2 });
  t.notOk(client.messages.some(({ event_type }) => event_type === 'last_trade_price'));
  await removeFault(exchange, id);
});

const FILTERS = [
  { name: 'without a filter', filter: () => ({}) },
  {
    name: 'with a filter',
    filter: ({ plain }: TestExchange) => ({ markets: [plain.conditionId] }),
  },
];

for (const { name, filter } of FILTERS) {
  t.test(`a message of the owner is left out, ${name}`, async (t) => {
    const exchange = share();
    const { plain } = exchange;
    const alice = await exchange.trader(1);
    const changes = filter(exchange);
    const client = await subscribeUser(exchange, alice, changes);
    const account = new ReferenceAccount();
    for (const message of client.messages.splice(0)) account.take(message);
    const last = account.sequence;
    const match = { api_key: alice.credentials.apiKey };
    const id = await makeFault(exchange, { kind: 'sequence_gap', match });
    const order = { tokenId: plain.tokenIds[0], priceTicks: 1000, lots: 500 };
    const { body } = await alice.place(order);
    await client.settled();
    t.match(client.messages[0], { event_type: 'balance', sequence: last + 2 });
    const takeAll = (): void => {
      for (const message of client.messages) account.take(message);
    };
    t.throws(takeAll, { message: 'no step is missing' });
    const resume = { operation: 'resume', stream_id: account.streamId, sequence: last };
    const again = await subscribeUser(exchange, alice, { ...changes, ...resume });
    for (const message of again.messages) account.take(message);
    t.strictSame([...account.orders.keys()], [body.orderID]);
    t.strictSame(await deedsOf(exchange, id), [`the message ${last + 1} is left out`]);
    await removeFault(exchange, id);
  });
}

t.test('what the filter of a socket removes anyway is not left out', async (t) => {
  const [exchange, other] = [share(), share()];
  const alice = await exchange.trader(1);
  const client = await subscribeUser(exchange, alice, { markets: [other.plain.conditionId] });
  client.messages.splice(0);
  const match = { owner: alice.address };
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  await alice.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1000, lots: 500 });
  await client.settled();
  t.match(
    client.messages,
    [{ event_type: 'skipped' }],
    'the order is skipped, its balance left out',
  );
  t.strictSame((await deedsOf(exchange, id)).length, 1);
  await removeFault(exchange, id);
});

t.test('without listeners there is nothing to leave out', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  // Messages are still made for a while, for clients that come back.
  const client = await subscribeMarket(exchange);
  client.close();
  await client.closed;
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  await alice.place({ tokenId: exchange.plain.tokenIds[0], priceTicks: 1000, lots: 500 });
  t.strictSame(await deedsOf(exchange, id), []);
  await removeFault(exchange, id);
});
