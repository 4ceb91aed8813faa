/** The crowd on a whole exchange: what it puts on the books, and when it acts. */
import t from 'tap';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import { lots, micros, ticks } from '../../../engine/model/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { walletOf } from '../../../http/signing/wrapped-signature.ts';
import type { MarketEntry } from '../../../http/views/registry.ts';
import { Desk } from '../../../sandbox/crowd/desk.ts';
import { startTestExchange } from '../../http/exchange-fixture.ts';
import { MOST_ORDERS, ownCrowd } from './own-crowd.ts';

// The tests use one exchange; each continues where the one before it ended.
const exchange = await startTestExchange(t, { monotonicMs: () => 0 });
const { services } = exchange.running;
const own = ownCrowd(exchange);
const { crowd } = own;
const markets = [...services.registry.markets()];

function bookOf({ tokenIds }: MarketEntry) {
  const book = services.books.token(tokenIds[0]);
  if (book === undefined) throw new Error('every market has a book');
  return book;
}

function liveOrders(): number {
  return services.exchange.state.totals().liveOrders;
}

/** Open, with orders on both sides or on the only side that its character has. */
function isFilled(market: MarketEntry): boolean {
  return crowd.markets.find((one) => one.conditionId === market.conditionId)?.isQuoted === true;
}

t.test('its steps fill every book, and midpoints have answers', async (t) => {
  await own.fill();
  t.same(crowd.refusals, new Map());
  for (const market of markets) t.ok(isFilled(market), market.conditionId);
  const [first] = markets;
  const midpoint = await exchange.send('GET', `/midpoint?token_id=${first?.tokenIds[0]}`);
  t.equal(midpoint.status, 200);
  t.ok(crowd.counts.orders === liveOrders() && liveOrders() > 400, `${liveOrders()}`);
});

t.test('its accounts are marked, funded, and none of the dev accounts', async (t) => {
  const dev = DEV_KEYS.map((key) => walletOf(key).address);
  t.equal(crowd.addresses.length, 9);
  for (const { name, wallet } of crowd.participants) {
    t.notOk(dev.includes(wallet.address));
    const { text } = await exchange.send('GET', `/public-profile?address=${wallet.address}`);
    t.match(JSON.parse(text), { name, proxyWallet: toChecksumAddress(wallet.address) });
    const { available = 0, held = 0 } = services.exchange.state.balance(wallet.address, '') ?? {};
    t.equal(available + held, 1_000_000_000_000);
  }
});

t.test('without an audience it changes nothing', async (t) => {
  const seq = services.exchange.appliedSeq;
  for (let step = 0; step < 20; step += 1) t.equal(await crowd.step(), 1_000);
  t.equal(services.exchange.appliedSeq, seq);
});

t.test('before an audience it trades, and prices of an event stay near a sum of 1', async (t) => {
  await own.turns(250);
  const { orders, cancels } = crowd.counts;
  t.ok(orders > 500 && cancels > 100, `${orders} orders, ${cancels} cancels`);
  const traded = markets.filter((market) => bookOf(market).lastTradeTicks !== undefined);
  t.ok(traded.length > 5, `${traded.length} markets have trades`);
  const sums = new Map<string, number>();
  for (const market of markets.filter(({ negRisk }) => negRisk)) {
    const sum = (sums.get(market.eventId) ?? 0) + bookOf(market).midpoint / 20_000;
    sums.set(market.eventId, sum);
  }
  t.equal(sums.size, 4);
  for (const [event, sum] of sums) t.ok(Math.abs(sum - 1) < 0.15, `event ${event}: ${sum}`);
});

t.test('its live orders are bounded', async (t) => {
  t.ok(liveOrders() <= markets.length * MOST_ORDERS, `${liveOrders()}`);
  for (const { quotes } of crowd.markets) t.ok((quotes?.size ?? 0) <= MOST_ORDERS);
});

t.test('a taker that empties a side finds quotes there again', async (t) => {
  const { plain } = exchange;
  const trader = await exchange.trader(1);
  const [yes] = plain.tokenIds;
  const money = JSON.stringify({ address: trader.address, amount: '100000' });
  t.equal((await exchange.send('POST', '/faucet', { body: money })).status, 200);
  const taken = await trader.place({ tokenId: yes, priceTicks: 9_900, lots: 5_000_000 });
  t.equal(taken.status, 200);
  await trader.cancel(taken.body.orderID);
  t.equal(bookOf(plain).book.asks.levels.length, 0);
  await own.turns(10);
  t.ok(bookOf(plain).book.asks.levels.length > 0);
});

t.test('pauses, bans, other terms and resolutions are survived', async (t) => {
  const [paused, resolved, changed] = markets.filter(({ negRisk }) => !negRisk).slice(2);
  if (paused === undefined || resolved === undefined || changed === undefined) throw new Error();
  const marketPath = (market: MarketEntry, action: string) =>
    `/markets/${market.conditionId}/${action}`;
  await exchange.operator('POST', marketPath(paused, 'state'), { state: 'halted' });
  await exchange.operator('POST', marketPath(resolved, 'resolve'), { payout: '1' });
  const terms = { tick_size: '0.001', minimum_order_size: '15' };
  t.equal((await exchange.operator('POST', marketPath(changed, 'terms'), terms)).status, 200);
  const [banned] = crowd.participants;
  const standing = { standing: 'banned' };
  const path = `/owners/${banned?.wallet.address}/standing`;
  t.equal((await exchange.operator('POST', path, standing)).status, 200);
  const before = bookOf(paused).book.version;
  await own.turns(100);
  t.equal(bookOf(paused).book.version, before, 'it leaves a paused market alone');
  t.ok(
    [...crowd.refusals.values()].some((count) => count > 0),
    'refusals are counted',
  );
  t.ok(
    crowd.markets.some(({ isOver }) => isOver),
    'a resolved market is listed as over',
  );
  t.equal((await exchange.operator('POST', path, { standing: 'good' })).status, 200);
  await own.turns(100);
  t.ok(isFilled(changed), 'it quotes with the new terms');
  await exchange.operator('POST', marketPath(paused, 'state'), { state: 'open' });
});

t.test('orders in a halted market stay, and are its own again when it comes back', async (t) => {
  const market = exchange.plain;
  const path = `/markets/${market.conditionId}/state`;
  const quotes = () => crowd.markets.find((one) => one.conditionId === market.conditionId)?.quotes;
  await crowd.setMode(market.conditionId, 'live');
  await own.turns(5);
  await exchange.operator('POST', path, { state: 'halted' });
  t.equal(await crowd.setMode(market.conditionId, 'off'), 0);
  t.ok(isFilled(market), 'they can not be cancelled');
  await exchange.operator('POST', path, { state: 'open' });
  await crowd.setMode(market.conditionId, 'live');
  const before = bookOf(market).book.bids.levels.length;
  await own.turns(100);
  t.ok((quotes()?.size ?? 0) > 4, `${quotes()?.size}`);
  t.ok(bookOf(market).book.bids.levels.length < 2 * before, 'it does not fill the book twice');
});

t.test('the state passes an audit', async (t) => {
  t.match(await services.exchange.audit(), { ok: true, fault: '' });
});

t.test('switched off in a market it leaves no order there, and comes back', async (t) => {
  const [market] = markets;
  if (market === undefined) throw new Error('there are markets');
  const canceled = await crowd.setMode(market.conditionId, 'off');
  t.ok(canceled > 4, `${canceled}`);
  t.equal(bookOf(market).book.bids.levels.length + bookOf(market).book.asks.levels.length, 0);
  await own.turns(50);
  t.equal(bookOf(market).book.bids.levels.length, 0, 'it stays away');
  t.equal(await crowd.setMode(market.conditionId, 'still'), 0);
  await own.fill();
  t.ok(isFilled(market));
  const still = bookOf(market).book.version;
  await own.turns(50);
  t.equal(bookOf(market).book.version, still, 'still quotes do not move');
  t.ok((await crowd.setMode('', 'off')) > 100, 'all of its orders');
  t.equal(liveOrders(), 0);
});

t.test(
  'a later start with the same seed keeps the accounts and takes over the books',
  async (t) => {
    await crowd.setMode('', 'live');
    await own.fill();
    const accounts = services.registry.counts.accounts;
    const [seq, orders] = [services.exchange.appliedSeq, liveOrders()];
    const next = ownCrowd(exchange);
    await next.fill();
    t.equal(services.exchange.appliedSeq, seq, 'the books are filled: it writes nothing');
    await next.turns(120);
    t.equal(services.registry.counts.accounts, accounts);
    t.ok(liveOrders() < 1.3 * orders, `the old orders leave: ${orders}, then ${liveOrders()}`);
  },
);

t.test('the same order of two starts is two orders', async (t) => {
  const [maker] = crowd.participants;
  if (maker === undefined) throw new Error('there are makers');
  const ids: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const desk = new Desk({ ...services, now: () => exchange.clock.ms });
    await desk.open(maker);
    const [tokenId] = exchange.plain.tokenIds;
    const common = { tokenId, side: 'BUY', type: 'GTC', postOnly: true } as const;
    const order = { ...common, priceTicks: ticks(100), lots: lots(500), budgetMicros: micros(0) };
    const { resting } = await desk.place(maker, [order], exchange.plain);
    ids.push(...resting);
  }
  t.equal(new Set(ids).size, 2, ids.join());
});
