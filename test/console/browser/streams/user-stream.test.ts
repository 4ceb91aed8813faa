// A page that follows an account shows the orders, trades and balances of the exchange, whatever
// happens to its connection, and keeps its secrets to itself.
import t, { type Test } from 'tap';
import { REFUSALS } from '../../../../console/browser/streams/user-stream.ts';
import { STREAM_FAULTS } from '../../../../http/streams/delivery/close-codes.ts';
import { shareTestExchange, type Trader } from '../../../http/exchange-fixture.ts';
import { tradeAtRandom } from '../../../http/streams/random-trading.ts';
import { randomBy } from '../../../http/streams/seeded-random.ts';
import { times } from '../../../long-set.ts';
import { makeFault, readFault, removeFault } from '../../../sandbox/fault-fixture.ts';
import { restSources, TestPage } from './page-fixture.ts';

const share = await shareTestExchange(t);
const PATH = '/ws/user';

interface RestRow {
  readonly id: string;
  readonly size_matched: string;
}

/** Safe: the route answers a page of rows. */
async function rows(trader: Trader, path: string): Promise<readonly RestRow[]> {
  return (await trader.signed('GET', path)).body.data as readonly RestRow[];
}

function shapeOf(orders: Iterable<RestRow>): readonly (readonly [string, string])[] {
  return [...orders].map(({ id, size_matched }) => [id, size_matched] as const).sort();
}

/** Compares the live orders and the balance of cash with REST. */
async function sameAsRest(t: Test, page: TestPage, trader: Trader, note: string): Promise<void> {
  const { orders, balances } = page.streams.user;
  t.strictSame(
    shapeOf(orders.value.values()),
    shapeOf(await rows(trader, '/data/orders')),
    `orders ${note}`,
  );
  const answer = await trader.signed('GET', '/balance-allowance?asset_type=COLLATERAL');
  const { balance } = JSON.parse(answer.text);
  t.equal(balances.value.get(`${trader.address}/`)?.balance, balance, `cash ${note}`);
}

/** The exchange outlives the subtests that share it. */
const file = t;

const SEEDS = times(1, 20);
const STEPS = 60;

for (let seed = 1; seed <= SEEDS; seed += 1) {
  t.test(`orders, trades and cash are those of REST, seed ${seed}`, async (t) => {
    // A share for each seed: no exchange has markets for all of them.
    const exchange = (await shareTestExchange(file))();
    const random = randomBy(seed);
    const traders = [await exchange.trader(1), await exchange.trader(2)];
    const [alice] = traders as [Trader, Trader];
    await tradeAtRandom(exchange.plain, traders, random);
    const page = new TestPage(t, exchange.running.url);
    page.streams.user.signIn(alice.credentials);
    await page.settled(PATH);
    t.equal(page.streams.user.isLoaded.value, true);
    const missed = (await rows(alice, '/data/trades')).map(({ id }) => id);
    for (let step = 0; step < STEPS; step += 1) {
      const socket = page.socket(PATH);
      const isCut = random(3) === 0;
      if (isCut) socket.held = [];
      await tradeAtRandom(exchange.plain, traders, random);
      if (isCut) {
        await page.settled(PATH);
        socket.deliver(random((socket.held?.length ?? 0) + 1));
        socket.cut();
        if (random(2) === 0) await tradeAtRandom(exchange.plain, traders, random);
        page.advance(10_000);
      }
      await page.settled(PATH);
      if (step % 4 === 0) await sameAsRest(t, page, alice, `step ${step}`);
    }
    await sameAsRest(t, page, alice, 'at the end');
    const all = (await rows(alice, '/data/trades')).map(({ id }) => id);
    const later = all.slice(0, all.length - missed.length);
    t.ok(later.length > 10, `${later.length} trades`);
    t.strictSame(
      page.streams.user.trades.value.map(({ id }) => id).slice(0, later.length),
      later,
      'no trade is missed, and none is shown twice',
    );
    t.notMatch(page.events().join('\n'), /understood/);
  });
}

async function signedIn(t: Test) {
  const exchange = share();
  const alice = await exchange.trader(1);
  const page = new TestPage(t, exchange.running.url, restSources(exchange, alice));
  const { user } = page.streams;
  user.signIn(alice.credentials);
  await page.settled(PATH);
  const place = async (priceTicks: number) => {
    await alice.place({ tokenId: exchange.plain.tokenIds[0], priceTicks, lots: 500 });
    await page.settled(PATH);
  };
  return { exchange, alice, page, user, place };
}

t.test('a step that a fault leaves out is fetched on the same connection', async (t) => {
  const { exchange, alice, page, user, place } = await signedIn(t);
  const match = { path: PATH, owner: alice.address };
  const id = await makeFault(exchange, { kind: 'sequence_gap', match });
  const kinds: string[] = [];
  const stop = user.state.subscribe((state) => {
    kinds.push(state.kind);
  });
  await place(1000);
  t.equal((await readFault(exchange, id)).fired, 1);
  await sameAsRest(t, page, alice, 'after the gap');
  t.strictSame(kinds, ['live', 'stale', 'live']);
  t.equal(page.sockets.length, 1);
  stop();
  await removeFault(exchange, id);
});

t.test('no secret is in what the stream inspector shows', async (t) => {
  const { alice, page } = await signedIn(t);
  page.socket(PATH).cut();
  page.advance(10_000);
  await page.settled(PATH);
  const { secret, passphrase } = alice.credentials;
  t.equal(page.sockets.length, 2);
  for (const socket of page.sockets) t.ok(socket.sent.join().includes(secret), 'it was sent');
  const shown = JSON.stringify(page.streams.tap.messages());
  t.notOk(shown.includes(secret));
  t.notOk(shown.includes(passphrase));
  t.match(shown, /\(hidden\)/);
});

t.test('earlier trades are fetched, and each trade stands once with its last status', async (t) => {
  const { exchange, alice, page, user, place } = await signedIn(t);
  const bob = await exchange.trader(2);
  const [, no] = exchange.plain.tokenIds;
  const trade = async (priceTicks: number) => {
    await place(priceTicks);
    await bob.place({ tokenId: no, priceTicks: 10_000 - priceTicks, lots: 500 });
    await page.settled(PATH);
  };
  await trade(4000);
  const other = new TestPage(t, exchange.running.url, restSources(exchange, alice));
  other.streams.user.signIn(alice.credentials);
  await other.settled(PATH);
  await trade(4100);
  await other.settled(PATH);
  await other.until(() => other.streams.user.trades.value.length === 2);
  for (const { trades } of [user, other.streams.user]) {
    t.strictSame(
      trades.value.map(({ price, status, trader_side }) => [price, status, trader_side]),
      [
        ['0.59', 'CONFIRMED', 'MAKER'],
        ['0.6', 'CONFIRMED', 'MAKER'],
      ],
    );
  }
});

t.test('the next account shows nothing of the one before', async (t) => {
  const { exchange, page, user, place } = await signedIn(t);
  await place(1000);
  t.equal(user.orders.value.size, 1);
  const bob = await exchange.trader(2);
  user.signIn(bob.credentials);
  page.frame();
  t.equal(user.isLoaded.value, false);
  t.equal(user.orders.value.size, 0);
  t.equal(user.balances.value.size, 0);
  await page.settled(PATH);
  t.equal(user.isLoaded.value, true);
  await sameAsRest(t, page, bob, 'of the second account');
  user.signOut();
  t.equal(user.state.value.kind, 'idle');
});

t.test('wrong credentials are refused once, and not sent again', async (t) => {
  const { alice, page, user } = await signedIn(t);
  user.signIn({ ...alice.credentials, passphrase: 'wrong' });
  await page.until(() => user.state.value.kind === 'refused');
  t.match(user.state.value, { kind: 'refused', reason: 'the credentials are wrong' });
  page.advance(60_000);
  t.equal(page.sockets.length, 2, 'there is no further attempt');
  user.signIn(alice.credentials);
  await page.settled(PATH);
  t.equal(user.state.value.kind, 'live', 'until the right ones come');
  const { status } = await alice.signed('DELETE', '/auth/api-key');
  t.equal(status, 200);
  await page.until(() => user.state.value.kind === 'refused');
  t.match(user.state.value, { reason: 'the API key was revoked' });
});

t.test('the reasons of refusals are those of the exchange', async (t) => {
  const { unauthorized, auth_missing, key_revoked } = STREAM_FAULTS;
  t.strictSame(
    [...REFUSALS],
    [unauthorized, auth_missing, key_revoked].map(({ text }) => text),
  );
});
