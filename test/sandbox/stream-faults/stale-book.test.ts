// Books that stand still, on the stream and in the price routes, and then catch up.
import { setImmediate } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { shareTestExchange, type TestExchange, type Trader } from '../../http/exchange-fixture.ts';
import { ReferenceBook } from '../../http/streams/market/reference-book.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { deedsOf, makeFault, removeFault } from '../fault-fixture.ts';

const share = await shareTestExchange(t);

/** A subscriber of both tokens that rebuilds their books and fails on any gap. */
class Follower {
  readonly book: ReferenceBook;
  readonly client: StreamClient;

  constructor(client: StreamClient, tokenIds: readonly string[]) {
    this.client = client;
    this.book = new ReferenceBook(tokenIds);
  }

  static async open({ running, plain }: TestExchange): Promise<Follower> {
    const follower = new Follower(await StreamClient.open(running.url), plain.tokenIds);
    follower.client.send({ assets_ids: plain.tokenIds });
    await follower.read();
    return follower;
  }

  /** Takes all that was sent; returns how much that was. */
  async read(): Promise<number> {
    await this.client.settled();
    const messages = this.client.messages.splice(0);
    for (const message of messages) this.book.take(message);
    return messages.length;
  }
}

interface Scene {
  readonly exchange: TestExchange;
  readonly alice: Trader;
  readonly bob: Trader;
  readonly yes: string;
  /** The texts of GET /book, and of the other prices. */
  rest(): Promise<{ readonly book: string; readonly prices: readonly string[] }>;
}

const PRICES = ['/midpoint', '/spread', '/last-trade-price'];

/** A market with a bid and an ask of the first trader. */
async function setScene(): Promise<Scene> {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  await alice.place({ tokenId: yes, priceTicks: 4000, lots: 1000 });
  await alice.place({ tokenId: no, priceTicks: 4000, lots: 1000 });
  const get = async (path: string) => (await exchange.send('GET', `${path}?token_id=${yes}`)).text;
  const rest = async () => ({
    book: await get('/book'),
    prices: await Promise.all(PRICES.map(get)),
  });
  return { exchange, alice, bob, yes, rest };
}

/** Changes both sides of the book, and trades. */
async function change({ exchange, alice, bob }: Scene): Promise<void> {
  const [yes, no] = exchange.plain.tokenIds;
  await alice.place({ tokenId: yes, priceTicks: 4500, lots: 500 });
  await bob.place({ tokenId: yes, priceTicks: 6000, lots: 600 });
  await alice.place({ tokenId: no, priceTicks: 3800, lots: 700 });
}

async function checkBook(t: Test, { book }: Follower, { yes, rest }: Scene): Promise<void> {
  const token = book.tokens.get(yes);
  const shown = await rest();
  t.equal(token?.text, shown.book, 'the followed book is that of GET /book');
}

t.test('a book stands still everywhere, and catches up as if by one batch', async (t) => {
  const scene = await setScene();
  const { exchange, rest, yes } = scene;
  const follower = await Follower.open(exchange);
  const before = await rest();
  const { sequence } = follower.book;
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'stale_book', match, seconds: 30 });
  await change(scene);
  await change(scene);
  t.strictSame(await rest(), before);
  t.equal(await follower.read(), 0);
  const late = await Follower.open(exchange);
  t.equal(late.book.sequence, sequence, 'a new subscriber is shown the same state');
  t.equal(late.book.tokens.get(yes)?.text, before.book);
  t.strictSame(await deedsOf(exchange, id), ['the book stands still for 30 s (everywhere)']);
  exchange.clock.ms += 30_000;
  // The timer of the streams ends what is due a moment later.
  await follower.client.until(() => follower.client.messages.length > 0);
  for (const one of [follower, late]) await one.read();
  t.notSame(await rest(), before);
  t.equal(follower.book.sequence, sequence + 3, 'two trades and the levels');
  for (const one of [follower, late]) await checkBook(t, one, scene);
  await change(scene);
  t.ok((await follower.read()) > 0, 'by default it stands still once');
  await checkBook(t, follower, scene);
  await removeFault(exchange, id);
});

t.test('only the price routes stand still', async (t) => {
  const scene = await setScene();
  const { exchange, rest } = scene;
  const follower = await Follower.open(exchange);
  const before = await rest();
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'stale_book', match, where: 'rest' });
  await change(scene);
  t.strictSame(await rest(), before);
  t.ok((await follower.read()) > 0);
  exchange.clock.ms += 10_000;
  while ((await rest()).book === before.book) await setImmediate();
  await checkBook(t, follower, scene);
  await removeFault(exchange, id);
});

t.test('only the stream stands still, until the fault is removed', async (t) => {
  const scene = await setScene();
  const { exchange, rest } = scene;
  const follower = await Follower.open(exchange);
  const before = await rest();
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'stale_book', match, where: 'stream' });
  await change(scene);
  t.notSame(await rest(), before);
  t.equal(await follower.read(), 0);
  await removeFault(exchange, id);
  t.ok((await follower.read()) > 0);
  await checkBook(t, follower, scene);
});

t.test('a book that stands still does not use up the next firing of the fault', async (t) => {
  const scene = await setScene();
  const { exchange, rest } = scene;
  const before = await rest();
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'stale_book', match, count: 2 });
  await change(scene);
  t.strictSame(await rest(), before);
  t.equal((await deedsOf(exchange, id)).length, 1);
  await removeFault(exchange, id);
  t.notSame(await rest(), before);
});

t.test('orders meet the true book while the shown one stands still', async (t) => {
  const scene = await setScene();
  const { exchange, bob, yes, rest } = scene;
  const match = { market: exchange.plain.conditionId };
  const id = await makeFault(exchange, { kind: 'stale_book', match });
  const best = { tokenId: yes, priceTicks: 6000, lots: 1000, orderType: 'FOK' };
  t.match((await bob.place(best)).body, { status: 'matched' });
  t.match(JSON.parse((await rest()).book), { asks: [{ size: '10' }] }, 'the ask seems to be there');
  t.match(await bob.place(best), { status: 400 }, 'and is gone');
  await removeFault(exchange, id);
  t.match(JSON.parse((await rest()).book), { asks: [] });
});

const TERMS = [
  { name: 'price step', terms: { tick_size: '0.001' } },
  { name: 'minimum', terms: { minimum_order_size: '7' } },
];

for (const { name, terms } of TERMS) {
  t.test(`a new ${name} is held back with the levels`, async (t) => {
    const scene = await setScene();
    const { exchange, rest } = scene;
    const follower = await Follower.open(exchange);
    const before = await rest();
    const { conditionId } = exchange.plain;
    const id = await makeFault(exchange, { kind: 'stale_book', match: { market: conditionId } });
    await change(scene);
    const path = `/markets/${conditionId}/terms`;
    t.match(await exchange.operator('POST', path, terms), { status: 200 });
    await change(scene);
    t.strictSame(await rest(), before);
    t.equal(await follower.read(), 0);
    await removeFault(exchange, id);
    await follower.read();
    await checkBook(t, follower, scene);
  });
}

t.test('who subscribes meanwhile is told a resolution when the book catches up', async (t) => {
  const scene = await setScene();
  const { exchange } = scene;
  const { conditionId, tokenIds } = exchange.plain;
  const id = await makeFault(exchange, { kind: 'stale_book', match: { market: conditionId } });
  await change(scene);
  const path = `/markets/${conditionId}/resolve`;
  t.match(await exchange.operator('POST', path, { payout: '1' }), { status: 200 });
  const client = await StreamClient.open(exchange.running.url);
  client.send({ assets_ids: tokenIds, custom_feature_enabled: true });
  await client.settled();
  const kinds = (): unknown[] => client.messages.splice(0).map(({ event_type }) => event_type);
  t.notOk(kinds().includes('market_resolved'));
  await removeFault(exchange, id);
  await client.settled();
  t.ok(kinds().includes('market_resolved'));
});

t.test('the books of other markets move on', async (t) => {
  const [scene, other] = [await setScene(), await setScene()];
  const follower = await Follower.open(other.exchange);
  const match = { market: scene.exchange.plain.conditionId };
  const id = await makeFault(scene.exchange, { kind: 'stale_book', match });
  await change(scene);
  await change(other);
  t.ok((await follower.read()) > 0);
  await checkBook(t, follower, other);
  await removeFault(scene.exchange, id);
});
