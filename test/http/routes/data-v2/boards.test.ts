// Markets and boards of Data API v2: the figures of version 1, with volumes in tokens.
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { shareTestExchange } from '../../exchange-fixture.ts';
import { askData, type Row, walkData } from './ask-data.ts';

const share = await shareTestExchange(t);
const CODE = `0x${'c2'.repeat(32)}`;

type Body<Data> = { readonly data: Data };

/** Alice buys 100 YES at 0.4 from Bob, through a builder, and 20 at 0.5. */
async function trade(builder: string) {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 10_000 });
  const first = { tokenId: yes, priceTicks: 4_000, lots: 10_000, changes: { builder } };
  t.equal((await alice.place(first)).status, 200);
  await bob.place({ tokenId: no, priceTicks: 5_000, lots: 2_000 });
  t.equal((await alice.place({ tokenId: yes, priceTicks: 5_000, lots: 2_000 })).status, 200);
  return { exchange, alice, bob, yes, conditionId: exchange.plain.conditionId };
}

t.test('open interest, volume and prices of a market', async (t) => {
  const { exchange, yes, conditionId } = await trade(`0x${'c3'.repeat(32)}`);
  const interest = await askData<Body<Row[]>>(exchange, `/v2/oi?condition_id=${conditionId}`);
  t.same(interest.data, [{ condition_id: conditionId, value: 120 }]);
  t.match((await askData<Body<Row[]>>(exchange, '/v2/oi')).data, [{ condition_id: 'GLOBAL' }]);
  const { lookup } = exchange.running.services.exchange.catalog;
  const market = lookup.market(Number(lookup.marketByCondition(conditionId)?.id));
  const eventId = lookup.eventId(market?.eventSlug ?? '');
  const live = await askData<Body<Row>>(exchange, `/v2/live-volume?id=${eventId}`);
  const rows = live.data.conditions as readonly Row[];
  t.match(
    rows.filter(({ condition_id }) => condition_id === conditionId),
    [{ taker_volume: 120 }],
  );
  const sum = rows.reduce((total, row) => total + Number(row.taker_volume), 0);
  t.equal(live.data.taker_volume_total, sum);

  const path = `/v2/prices-history?token_id=${yes}&interval=1h`;
  const known = await exchange.send('GET', `/prices-history?market=${yes}&interval=1h&fidelity=1`);
  const { history } = known.body as unknown as { history: readonly { t: number; p: number }[] };
  t.same(
    await walkData(exchange, path),
    history.map(({ t, p }) => ({ timestamp: t, price: p, resolution_seconds: 60 })),
  );
  const now = Math.floor(exchange.clock.ms / 1_000);
  const one = await askData(exchange, `/v2/prices-history?token_id=${yes}&as_of=${now}`);
  t.match(one.data, [{ price: history.at(-1)?.p }]);
  t.same((await askData(exchange, '/v2/prices-history?token_id=12&interval=1d')).data, []);
});

t.test('boards rank by profit and by tokens; one account has both ranks', async (t) => {
  const { exchange, alice, bob } = await trade(CODE);
  const board = await walkData(exchange, '/v2/leaderboard?sort_by=VOLUME&limit=1');
  t.same(
    board.map(({ rank }) => rank),
    board.map((_, index) => index + 1),
  );
  const volumes = board.map(({ volume }) => Number(volume));
  t.same(
    volumes.toSorted((a, b) => b - a),
    volumes,
  );
  for (const { address } of [alice, bob]) {
    const user_id = toChecksumAddress(address);
    const row = board.find((one) => one.user_id === user_id);
    t.match(row, { volume: 120, pnl: 0 });
    const own = await askData<Body<Row>>(exchange, `/v2/leaderboard?user=${address}`);
    t.match(own.data, { user_id, volume: 120, rank_volume: row?.rank });
    t.notOk('pagination' in own);
  }
  const none = await askData<Body<Row>>(exchange, `/v2/leaderboard?user=0x${'34'.repeat(20)}`);
  t.equal(none.data, null);

  const builders = await askData(exchange, '/v2/builders/leaderboard');
  const shown = { builder_code: CODE, builder_name: CODE, active_users: 1, volume: 100 };
  t.match(
    builders.data.filter(({ builder_code }) => builder_code === CODE),
    [shown],
  );
  const days = await askData(exchange, '/v2/builders/volume?limit=1');
  const date = new Date(exchange.clock.ms).toISOString().slice(0, 10);
  t.match(
    days.data.filter(({ builder_code }) => builder_code === CODE),
    [{ ...shown, date }],
  );
  // One order of 100 tokens at 0.4 names the builder: 40 in version 1, which counts cash.
  const first = await exchange.send('GET', '/v1/builders/volume?timePeriod=ALL');
  const known = (first.body as unknown as readonly Row[]).filter((row) => row.builderCode === CODE);
  t.match(known, [{ volume: 40, activeUsers: 1, dt: `${date}T00:00:00Z` }]);
  const filled = await exchange.send('GET', `/builder/trades?builder_code=${CODE}`);
  const trades = (filled.body as unknown as Body<readonly Row[]>).data;
  const sum = (member: (row: Row) => number) =>
    trades.reduce((total, row) => total + member(row), 0);
  t.equal(
    sum(({ size }) => Number(size)),
    shown.volume,
  );
  t.equal(
    sum(({ size, price }) => Number(size) * Number(price)),
    40,
  );
  const now = new Date(exchange.clock.ms);
  const sinceMonday = (now.getUTCDay() + 6) % 7;
  const monday = new Date(exchange.clock.ms - sinceMonday * 86_400_000).toISOString().slice(0, 10);
  for (const [interval, start] of Object.entries({
    week: monday,
    month: `${date.slice(0, 7)}-01`,
  })) {
    const series = await askData(exchange, `/v2/builders/volume?interval=${interval}`);
    t.match(
      series.data.filter(({ builder_code }) => builder_code === CODE),
      [{ ...shown, date: start }],
    );
  }
});
