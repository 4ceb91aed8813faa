// A moved clock: what comes due, which times clients are shown, what is accepted from them, and
// what is left of the move after a restart.
import { type ApiKeyCreds, Chain, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import t, { type Test } from 'tap';
import { runPlaceOrder } from '../../../cli/place-order/index.ts';
import { StoreError } from '../../../persistence/index.ts';
import { START_MS, startTestExchange, type TestExchange } from '../../http/exchange-fixture.ts';
import { StreamClient } from '../../http/streams/stream-client.ts';
import { copyFolder } from '../../persistence/kept-folder.ts';
import { newTrader } from '../../published-client.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

async function move(exchange: TestExchange, seconds: number): Promise<Record<string, unknown>> {
  const { status, text } = await exchange.operator('POST', '/time', { seconds });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

function liveOf({ running }: TestExchange, owner: string): number {
  return running.services.exchange.state.owner(owner).orders.length;
}

/** Its wall clock stands still, and its monotonic clock too, unless a test moves them. */
async function start(t: Test, dataDir?: string, startMs = START_MS) {
  const monotonic = { ms: 1_000 };
  const folder = dataDir === undefined ? {} : { dataDir, temporary: false };
  const settings = { monotonicMs: () => monotonic.ms, clockJumpMs: MINUTE, ...folder };
  const exchange = await startTestExchange(t, settings, startMs);
  return { exchange, monotonic };
}

const { exchange, monotonic } = await start(t);

t.test('what is due by then has happened when the move is answered', async (t) => {
  const { operator, plain, trader, running } = exchange;
  const [alice, bob] = [await trader(1), await trader(2)];
  const [tokenId] = plain.tokenIds;
  const nowSeconds = Math.floor(exchange.clock.ms / SECOND);
  const gtd = (lead: number) => ({
    tokenId,
    priceTicks: 1_000,
    orderType: 'GTD',
    changes: { expiration: `${nowSeconds + lead}` },
  });
  for (const lead of [200, 300, 4_000]) t.equal((await alice.place(gtd(lead))).status, 200);
  await operator('POST', `/markets/${plain.conditionId}/terms`, { seconds_delay: 30 });
  t.equal((await alice.place({ tokenId, priceTicks: 6_000 })).status, 200);
  await bob.signed('POST', '/sets/split', { market: plain.conditionId, amount: '20', key: 's' });
  const delayed = await bob.place({ tokenId, side: 'SELL', priceTicks: 6_000 });
  t.match(delayed.body, { status: 'delayed' });

  t.match(await move(exchange, 29), { expired: 0, released: 0 });
  t.match(await move(exchange, 1), { expired: 0, released: 1 });
  t.match(await move(exchange, 3_600), { expired: 2, released: 0 });
  t.equal(liveOf(exchange, alice.address), 1);
  const { body } = await operator('GET', '/actions?kind=advance_time');
  t.match(body.data, [
    { by: 'sandbox', reason: 'the clock was moved by 3600000 ms' },
    { by: 'sandbox', reason: 'the clock was moved by 1000 ms' },
  ]);
  t.equal(running.services.registry.tradingState, 'open', 'a wanted move is no jump');
  t.match((await exchange.send('GET', '/readyz')).body, {
    clock: { trusted: true, pausesOrders: false, jumpMs: 0, journalLeadMs: 0 },
  });
});

t.test('streams, histories and lists show the moved time', async (t) => {
  const { plain, running, clock, send } = exchange;
  const trader = await exchange.trader(3);
  const [tokenId] = plain.tokenIds;
  const market = await StreamClient.open(running.url);
  t.teardown(() => market.close());
  market.send({ type: 'market', assets_ids: [tokenId] });
  await market.take(1);
  await move(exchange, (30 * DAY) / SECOND);
  const shownMs = clock.ms + running.services.clock.offsetMs;
  const { orderID } = (await trader.place({ tokenId, priceTicks: 1_500 })).body;
  const [told] = await market.take(1);
  t.equal(told?.timestamp, `${shownMs}`);
  t.match(told, { event_type: 'price_change' });
  const order = await trader.signed('GET', `/data/order/${orderID}`);
  t.match(order.body, { created_at: Math.floor(shownMs / SECOND) });
  t.equal((await send('GET', '/time')).text, `${Math.floor(shownMs / SECOND)}`);
  const late = `/prices-history?market=${tokenId}&startTs=${Math.floor(shownMs / SECOND) + 60}`;
  t.match(await send('GET', late), { status: 400, body: { limit: 'not after now' } });
});

t.test('signatures by the wall clock and by the moved one are accepted, others not', async (t) => {
  await move(exchange, 30 * 60);
  const trader = await exchange.trader(4);
  const wallMs = exchange.clock.ms;
  const shownMs = wallMs + exchange.running.services.clock.offsetMs;
  const rows: readonly (readonly [what: string, timeMs: number, isFresh: boolean])[] = [
    ['the wall clock', wallMs, true],
    ['five minutes before the wall clock', wallMs - 5 * MINUTE, true],
    ['five minutes after the moved clock', shownMs + 5 * MINUTE, true],
    ['the moved clock', shownMs, true],
    ['between the two', (wallMs + shownMs) / 2, false],
    ['more than five minutes before the wall clock', wallMs - 5 * MINUTE - 1, false],
    ['more than five minutes after the moved clock', shownMs + 5 * MINUTE + 1, false],
  ];
  for (const [what, timeMs, isFresh] of rows) {
    const timestamp = `${timeMs}`;
    const headers = trader.keyHeaders('GET', '/data/orders', '', timestamp);
    const byKey = await trader.send('GET', '/data/orders', { headers });
    t.equal(byKey.status, isFresh ? 200 : 401, `a key: ${what}`);
    const wallet = { headers: trader.walletHeaders({ timestamp }) };
    const byWallet = await trader.send('GET', '/auth/derive-api-key', wallet);
    t.equal(byWallet.status, isFresh ? 200 : 401, `a wallet: ${what}`);
    if (isFresh) continue;
    const clocks = { serverTimeMs: shownMs, wallTimeMs: wallMs };
    t.match(byKey.body, { code: 'stale_timestamp', ...clocks });
    t.match(byWallet.body, { code: 'l1_stale_timestamp', ...clocks });
  }
});

t.test('a comment that is sent again after a move is the same comment', async (t) => {
  const { plain, running } = exchange;
  const trader = await exchange.trader(5);
  const found = running.services.exchange.catalog.lookup.marketByCondition(plain.conditionId);
  const body = JSON.stringify({
    body: 'Rain.',
    parent_entity_type: 'Event',
    parent_entity_id: Number(found?.eventId),
  });
  const request = { body, headers: trader.keyHeaders('POST', '/comments', body) };
  const first = await trader.send('POST', '/comments', request);
  t.match(first, { status: 200, body: { duplicate: false } });
  await move(exchange, DAY / SECOND);
  const again = await trader.send('POST', '/comments', request);
  t.match(again, { status: 200, body: { duplicate: true } }, 'its signature is still fresh');
});

t.test('a move begins at the time of the journal, if that is ahead of the clock', async (t) => {
  const shown = async () => JSON.parse((await exchange.operator('GET', '/time')).text).time_ms;
  await move(exchange, 1);
  const before = await shown();
  exchange.clock.ms -= 500;
  t.equal(await shown(), before, 'time does not go back');
  t.match(await move(exchange, 1), { time_ms: before + SECOND });
});

t.test('a jump of the wall clock pauses a moved exchange as any other', async (t) => {
  const { services } = exchange.running;
  await move(exchange, 60);
  exchange.clock.ms += 10 * MINUTE;
  monotonic.ms += 1;
  services.clock.look();
  t.equal(services.clock.jumpMs, 10 * MINUTE - 1);
  const before = services.clock.now();
  await move(exchange, 60);
  t.equal(services.clock.now(), before + MINUTE, 'it can be moved all the same');
  t.equal(services.registry.tradingState, 'cancel_only');
  t.equal((await exchange.operator('POST', '/exchange/state', { state: 'open' })).status, 200);
  t.equal(services.clock.isTrusted, true);
});

t.test('a start after a kill continues with the offset; a strict one is refused', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await start(t, dataDir);
  const alice = await first.exchange.trader(1);
  const [tokenId] = first.exchange.plain.tokenIds;
  await move(first.exchange, (30 * DAY) / SECOND);
  await move(first.exchange, 60);
  const offsetMs = 30 * DAY + MINUTE;
  t.equal((await alice.place({ tokenId, priceTicks: 1_000 })).status, 200);
  // What a kill leaves: the files as they are while the exchange runs.
  const killed = copyFolder(t, dataDir);
  await first.exchange.running.close();
  const { exchange: next } = await start(t, killed, START_MS + 5 * SECOND);
  const { clock, registry } = next.running.services;
  t.match(clock, { offsetMs, jumpMs: 0, leadMs: 0, isTrusted: true });
  t.equal(clock.now(), START_MS + 5 * SECOND + offsetMs);
  t.equal(registry.tradingState, 'open');
  t.equal(liveOf(next, alice.address), 1);
  const again = await next.trader(1);
  t.equal((await again.place({ tokenId, priceTicks: 2_000 })).status, 200);
  const settings = { dataDir, temporary: false, strict: true };
  await t.rejects(startTestExchange(t, settings), { code: 'clock_moved' });
});

t.test('a move that the store refuses changes nothing', async (t) => {
  const { services } = exchange.running;
  const { clock, exchange: store } = services;
  const offsetMs = clock.offsetMs;
  const full = new StoreError('overloaded', 'full');
  const kept = store.keepClockOffset;
  store.keepClockOffset = () => {
    throw full;
  };
  t.teardown(() => {
    store.keepClockOffset = kept;
  });
  t.match(await exchange.operator('POST', '/time', { seconds: 60 }), { status: 503 });
  t.equal(clock.offsetMs, offsetMs);
});

t.test('the published client trades after a move of 30 days', async (t) => {
  const settings = { now: Date.now, monotonicMs: () => performance.now(), clockJumpMs: MINUTE };
  const venue = await startTestExchange(t, settings);
  const host = venue.running.url;
  const [tokenID = ''] = venue.plain.tokenIds;
  const maker = await newTrader('maker', host, Chain.POLYGON);
  const order = (side: Side, price: number) => ({ tokenID, side, price, size: 10 });
  const gtd = async (client: ClobClient, price: number, lead: number) => {
    const expiration = (await client.getServerTime()) + lead;
    return client.createAndPostOrder({ ...order(Side.BUY, price), expiration }, {}, OrderType.GTD);
  };
  t.match(await gtd(maker.client, 0.4, 3_600), { status: 'live' });
  t.match(await move(venue, (30 * DAY) / SECOND), { expired: 1 });
  t.same(await maker.client.getOpenOrders(), []);
  t.match(await gtd(maker.client, 0.45, 3_600), { status: 'live' }, 'by its own clock');

  const taker = await newTrader('taker', host, Chain.POLYGON);
  t.match(await taker.client.createAndPostOrder({ ...order(Side.BUY, 0.3) }), { status: 'live' });
  await taker.client.cancelAll();
  const { tokenIds } = venue.plain;
  const other = { tokenID: tokenIds[1] ?? '', side: Side.BUY, price: 0.6, size: 10 };
  const byServer = byServerTime(host, taker.credentials, taker.clientAt(host));
  t.match(await byServer.createAndPostOrder(other), { status: 'matched' }, 'by GET /time');
  const asked = { url: host, token: tokenID, side: 'BUY', price: '0.2', size: '10', type: 'GTD' };
  const flags = new Map(Object.entries(asked).map(([name, value]) => [`--${name}`, value]));
  const placed = await runPlaceOrder({ flags, environment: {} }, () => '');
  t.match(placed, /is live/, 'and so does place-order');
  const [trade] = await maker.client.getTrades();
  const shownSeconds = venue.running.services.clock.now() / SECOND;
  t.ok(Math.abs(Number(trade?.match_time) - shownSeconds) < 60, 'the trade has the moved time');
  const history = await maker.client.getPricesHistory({
    market: tokenID,
    startTs: Math.floor(shownSeconds) - 3_600,
    endTs: Math.floor(shownSeconds) + 60,
    fidelity: 1,
  });
  t.ok(JSON.stringify(history).includes('"p":'), 'and so has its candle');
});

/** A client that signs with the time of the server. */
function byServerTime(host: string, creds: ApiKeyCreds, { signer }: ClobClient): ClobClient {
  if (signer === undefined) throw new Error('the client of a trader has a signer');
  return new ClobClient({ host, chain: Chain.POLYGON, signer, creds, useServerTime: true });
}
