// A page that follows a market shows the book of the exchange, whatever happens to its connection,
// and each trade once.
import t, { type Test } from 'tap';
import type { MarketEntry } from '../../../../http/views/registry.ts';
import { shareTestExchange, type TestExchange } from '../../../http/exchange-fixture.ts';
import { tradeAtRandom } from '../../../http/streams/random-trading.ts';
import { randomBy } from '../../../http/streams/seeded-random.ts';
import { times } from '../../../long-set.ts';
import { makeFault, readFault, removeFault } from '../../../sandbox/fault-fixture.ts';
import { restBook, restSources, shownBook, TestPage } from './page-fixture.ts';

const share = await shareTestExchange(t);
const PATH = '/ws/market';

function nameOf({ conditionId, tokenIds }: MarketEntry) {
  return { conditionId, tokenIds };
}

/** Compares both outcomes of the page with REST. */
async function sameAsRest(
  t: Test,
  exchange: TestExchange,
  market: MarketEntry,
  view: ReturnType<TestPage['streams']['market']['follow']>['view'],
  note = '',
): Promise<void> {
  for (const outcome of [0, 1] as const) {
    const wanted = await restBook(exchange, market.tokenIds[outcome]);
    t.strictSame(shownBook(view, outcome), wanted, `outcome ${outcome} ${note}`);
  }
}

/** What the exchange has of a market's trades, as hashes, the newest first. */
async function tradesOf({ send }: TestExchange, { conditionId }: MarketEntry): Promise<string[]> {
  const { text } = await send('GET', `/trades?market=${conditionId}&limit=200`);
  return JSON.parse(text).map((row: { transactionHash: string }) => row.transactionHash);
}

/** The exchange outlives the subtests that share it. */
const file = t;

const SEEDS = times(1, 20);
const STEPS = 120;

for (let seed = 1; seed <= SEEDS; seed += 1) {
  t.test(`the book is that of REST and trades come once, seed ${seed}`, async (t) => {
    // A share for each seed: no exchange has markets for all of them.
    const exchange = (await shareTestExchange(file))();
    const { plain, running, trader } = exchange;
    const random = randomBy(seed);
    const traders = [await trader(1), await trader(2), await trader(3)];
    const page = new TestPage(t, running.url);
    const { view } = page.streams.market.follow(nameOf(plain));
    await page.settled(PATH);
    for (let step = 0; step < STEPS; step += 1) {
      exchange.clock.ms += 1 + random(3);
      // The hash of a book is checked once in a second.
      page.advance(random(2_000));
      const socket = page.socket(PATH);
      const isCut = random(3) === 0;
      if (isCut) socket.held = [];
      await tradeAtRandom(plain, traders, random);
      if (isCut) {
        await page.settled(PATH);
        // Some of what came is read, like by a page whose network fails.
        socket.deliver(random((socket.held?.length ?? 0) + 1));
        socket.cut();
        t.equal(view.state.value, 'stale');
        if (random(2) === 0) await tradeAtRandom(plain, traders, random);
        page.advance(10_000);
      }
      await page.settled(PATH);
      if (step % 4 === 0) await sameAsRest(t, exchange, plain, view, `step ${step}`);
    }
    await sameAsRest(t, exchange, plain, view, 'at the end');
    const expected = await tradesOf(exchange, plain);
    t.ok(expected.length > 20, `${expected.length} trades`);
    t.strictSame(
      view.trades.value.map(({ transactionHash }) => transactionHash),
      expected,
      'no trade is missed, and none is shown twice',
    );
    t.ok(page.sockets.length > 10, `${page.sockets.length} connections`);
    t.notMatch(page.events().join('\n'), /expected|understood/, 'all books had their hash');
    t.equal(view.state.value, 'live');
  });
}

/** A page that follows the market of a new share. */
async function followed(
  t: Test,
  sources?: (exchange: TestExchange) => ReturnType<typeof restSources>,
) {
  const exchange = share();
  const market = exchange.plain;
  const alice = await exchange.trader(1);
  const page = new TestPage(t, exchange.running.url, sources?.(exchange));
  const { view, release } = page.streams.market.follow(nameOf(market));
  await page.settled(PATH);
  const [tokenId] = market.tokenIds;
  const place = async (priceTicks: number, side: 'BUY' | 'SELL' = 'BUY', lots = 500) => {
    await alice.place({ tokenId, priceTicks, lots, side });
    await page.settled(PATH);
  };
  return { exchange, market, page, view, release, place, match: { market: market.conditionId } };
}

t.test('a message that a fault leaves out is noticed with the next one and fetched', async (t) => {
  const { exchange, market, page, view, place, match } = await followed(t);
  await place(1000);
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  await place(2000);
  t.equal(view.book.best(0, 'bid'), 1000, 'the message was left out');
  t.equal((await readFault(exchange, id)).fired, 1);
  const states: string[] = [];
  const stop = page.streams.market.state.subscribe((state) =>
    states.push(state.kind === 'stale' ? state.cause : state.kind),
  );
  await place(3000);
  t.strictSame(states, ['live', 'repair', 'live'], 'the page shows that it repairs');
  stop();
  await sameAsRest(t, exchange, market, view);
  const { sent } = page.socket(PATH);
  t.equal(sent.filter((text) => text.includes('"operation":"resume"')).length, 1);
  t.equal(page.sockets.filter(({ path }) => path === PATH).length, 1, 'on the same connection');
  await removeFault(exchange, id);
});

t.test('a muted connection is left after the silence, and the next one resumes', async (t) => {
  const { exchange, market, page, view, place, match } = await followed(t);
  await place(1000);
  const id = await makeFault(exchange, { kind: 'muted_socket', match });
  await place(2000);
  t.equal(view.book.best(0, 'bid'), 1000);
  page.advance(12_000);
  await page.settled(PATH);
  t.equal(view.state.value, 'live', 'it may be a quiet market still');
  page.advance(5_000);
  t.match(page.streams.market.state.value, { kind: 'stale', cause: 'silence' });
  t.equal(view.state.value, 'stale');
  await page.settled(PATH);
  await page.until(() => view.state.value === 'live');
  await sameAsRest(t, exchange, market, view);
  t.match(page.events(), ['connected', 'no message for 15 seconds', 'connected']);
  await removeFault(exchange, id);
});

t.test('a closed connection comes back after waits that grow', async (t) => {
  const { exchange, market, page, view, place, match } = await followed(t);
  await place(1000);
  const id = await makeFault(exchange, { kind: 'closed_socket', match, code: 1013, count: 1 });
  const since = page.nowMs;
  await page.until(() => page.streams.market.state.value.kind === 'disconnected');
  t.match(page.streams.market.state.value, {
    sinceMs: since,
    retryAtMs: since + 375,
    closeCode: 1013,
    reason: 'a fault of the sandbox',
  });
  page.advance(374);
  t.equal(page.sockets.length, 1);
  await exchange.send('GET', '/time');
  page.advance(1);
  t.equal(page.sockets.length, 2);
  await page.settled(PATH);
  await place(2000);
  t.equal(view.state.value, 'live');
  await sameAsRest(t, exchange, market, view);
  await removeFault(exchange, id);
});

t.test('a book that stands still on the stream is caught up with', async (t) => {
  const { exchange, market, view, place, page, match } = await followed(t);
  await place(1000);
  const id = await makeFault(exchange, { kind: 'stale_book', match, where: 'stream' });
  await place(2000);
  await place(3000);
  t.equal(view.book.best(0, 'bid'), 1000, 'the stream shows the old book');
  await removeFault(exchange, id);
  await page.settled(PATH);
  await sameAsRest(t, exchange, market, view);
  t.notMatch(page.events().join('\n'), /expected|understood/);
});

t.test('new terms and the result of a market are shown', async (t) => {
  const { exchange, market, page, view, place } = await followed(t);
  await place(1000);
  t.strictSame(view.terms.value, {
    tickTicks: 100,
    minimumLots: 500,
    lastPriceTicks: undefined,
    winningTokenId: undefined,
  });
  const path = `/markets/${market.conditionId}`;
  const changed = await exchange.operator('POST', `${path}/terms`, {
    minimum_order_size: '7',
    tick_size: '0.001',
  });
  t.equal(changed.status, 200, changed.text);
  await page.settled(PATH);
  t.match(view.terms.value, { tickTicks: 10, minimumLots: 700 });
  t.notMatch(page.socket(PATH).sent.join(), /resume/, 'a book with a new minimum is no gap');
  await place(2000, 'BUY', 700);
  const before = page.events().length;
  const resolved = await exchange.operator('POST', `${path}/resolve`, { payout: '1' });
  t.equal(resolved.status, 200, resolved.text);
  await page.settled(PATH);
  t.equal(view.terms.value.winningTokenId, market.tokenIds[0]);
  t.equal(view.book.depth(0, 'bid'), 0, 'its orders are gone');
  t.equal(page.events().length, before, 'no message was missed');
  const other = new TestPage(t, exchange.running.url);
  const late = other.streams.market.follow(nameOf(market));
  await other.settled(PATH);
  t.equal(late.view.terms.value.winningTokenId, market.tokenIds[0], 'also to who comes later');
});

t.test('earlier trades are fetched, and those that come meanwhile stand above them', async (t) => {
  const { exchange, market, place } = await followed(t);
  const bob = await exchange.trader(2);
  const trade = async (priceTicks: number) => {
    await place(priceTicks);
    await bob.place({ tokenId: market.tokenIds[1], priceTicks: 10_000 - priceTicks, lots: 500 });
  };
  await trade(4000);
  await trade(4100);
  let answer = () => {};
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const sources = restSources(exchange);
  const page = new TestPage(t, exchange.running.url, {
    ...sources,
    fetchTrades: async (conditionId) => {
      const rows = await sources.fetchTrades(conditionId);
      await gate;
      return rows;
    },
  });
  const { view } = page.streams.market.follow(nameOf(market));
  await page.settled(PATH);
  t.equal(view.history.value, 'loading');
  await trade(4200);
  await page.settled(PATH);
  t.strictSame(
    view.trades.value.map(({ priceTicks }) => priceTicks),
    [5800],
  );
  answer();
  await page.until(() => view.trades.value.length > 1);
  t.strictSame(
    view.trades.value.map(({ priceTicks, lots, side }) => ({ priceTicks, lots, side })),
    // Its taker bought NO, by the message and by REST.
    [5800, 5900, 6000].map((priceTicks) => ({ priceTicks, lots: 500, side: 'BUY' })),
  );
  t.equal(view.history.value, 'loaded');
  t.equal(view.terms.value.lastPriceTicks, 4200);
});

t.test('earlier trades are fetched only when a part of the page shows trades', async (t) => {
  const exchange = share();
  const asked: string[] = [];
  const page = new TestPage(t, exchange.running.url, {
    ...restSources(exchange),
    fetchTrades: async (conditionId) => {
      asked.push(conditionId);
      return [];
    },
  });
  const name = nameOf(exchange.plain);
  const { view } = page.streams.market.follow(name, { hasTrades: false });
  await page.settled(PATH);
  t.equal(view.state.value, 'live');
  t.strictSame([view.history.value, asked], ['none', []]);
  page.streams.market.follow(name);
  await page.until(() => view.history.value === 'loaded');
  page.streams.market.follow(name);
  t.strictSame(asked, [name.conditionId]);
});

t.test(
  'where a resume is refused, a fresh book and the trades of REST take its place',
  async (t) => {
    const { exchange, market, page, view, place } = await followed(t, restSources);
    const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
    const [yes, no] = market.tokenIds;
    await place(1000);
    await page.until(() => view.history.value === 'loaded');
    page.socket(PATH).cut();
    await alice.place({ tokenId: yes, priceTicks: 4000, lots: 500 });
    await bob.place({ tokenId: no, priceTicks: 6000, lots: 500 });
    // Earlier messages can't be replayed after a change of the minimum.
    const path = `/markets/${market.conditionId}/terms`;
    t.equal((await exchange.operator('POST', path, { minimum_order_size: '6' })).status, 200);
    page.advance(10_000);
    await page.settled(PATH);
    await page.until(() => view.trades.value.length === 1);
    t.match(
      page.streams.tap
        .messages()
        .map(({ text }) => text)
        .join(),
      /"reason":"out_of_reach"/,
    );
    t.equal(view.state.value, 'live');
    t.match(view.trades.value, [{ priceTicks: 6000, outcome: 1, side: 'BUY' }]);
    await sameAsRest(t, exchange, market, view);
  },
);

t.test('one subscription serves all parts of a page, and lingers after the last', async (t) => {
  const { market, page, view, release, place } = await followed(t);
  const again = page.streams.market.follow(nameOf(market));
  t.equal(again.view, view);
  const isSubscription = (text: string) => text.includes(market.tokenIds[0]);
  t.equal(page.socket(PATH).sent.filter(isSubscription).length, 1);
  release();
  release();
  page.advance(6_000);
  await place(1000);
  t.equal(view.book.best(0, 'bid'), 1000, 'the other part still follows it');
  again.release();
  page.advance(4_999);
  const back = page.streams.market.follow(nameOf(market));
  page.advance(4_000);
  t.equal(back.view, view, 'a part that comes back soon finds it as it was');
  t.equal(page.streams.market.state.value.kind, 'live');
  back.release();
  page.advance(5_000);
  t.equal(page.streams.market.state.value.kind, 'idle', 'without readers there is no connection');
});

t.test('a page draws at most once a frame', async (t) => {
  const { exchange, market, page, view } = await followed(t);
  const alice = await exchange.trader(1);
  const socket = page.socket(PATH);
  let count = 0;
  const stop = view.changes.subscribe(() => {
    count += 1;
  });
  socket.held = [];
  for (let price = 1; price <= 20; price += 1) {
    await alice.place({ tokenId: market.tokenIds[0], priceTicks: 100 * price, lots: 500 });
  }
  await page.settled(PATH);
  count = 0;
  socket.deliver(Number.POSITIVE_INFINITY);
  page.frame();
  t.equal(count, 1);
  t.equal(view.book.best(0, 'bid'), 2000);
  stop();
});

t.test('an unknown market is called unknown, and the others go on', async (t) => {
  const { page, view, place } = await followed(t);
  const unknown = { conditionId: `0x${'ab'.repeat(32)}`, tokenIds: ['77', '78'] as const };
  const { view: other } = page.streams.market.follow(unknown);
  t.equal(other.state.value, 'loading');
  await page.settled(PATH);
  t.equal(other.state.value, 'unknown');
  await place(1000);
  t.equal(view.state.value, 'live');
});

t.test('new markets are told to who asks, also without a market to follow', async (t) => {
  const exchange = share();
  const page = new TestPage(t, exchange.running.url);
  const told: string[] = [];
  const stop = page.streams.market.onNewMarket(({ question }) => told.push(question));
  await page.settled(PATH);
  t.equal(page.streams.market.state.value.kind, 'live', 'a PONG shows that it is alive');
  page.advance(14_000);
  await page.settled(PATH);
  page.advance(14_000);
  t.equal(page.streams.market.state.value.kind, 'live');
  stop();
  t.equal(page.streams.market.state.value.kind, 'idle');
  t.strictSame(told, []);
});
