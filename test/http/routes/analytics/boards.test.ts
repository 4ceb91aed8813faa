// GET /v1/market-positions, /v1/builders/leaderboard, /v1/builders/volume and the categories of
// /v1/leaderboard over a real socket (wire 8.7).
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { type Answer, START_MS, startTestExchange } from '../../exchange-fixture.ts';

const DAY_MS = 86_400_000;
const OTHER_CODE = `0x${'c0de'.repeat(16)}`;

/**
 * Alice buys 100 YES at 0.4 from Bob, who buys NO at 0.6; both orders name Carol as their builder.
 * A day later Alice sells 60 YES at 0.5 to Dave, whose order names another builder.
 */
async function started() {
  const exchange = await startTestExchange(t);
  const [alice, bob, carol, dave] = [
    await exchange.trader(1),
    await exchange.trader(2),
    await exchange.trader(3),
    await exchange.trader(4),
  ];
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const code = `0x${'0'.repeat(24)}${carol.address.slice(2)}`;
  const changes = { builder: code };
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 10_000, changes });
  await alice.place({ tokenId: yes, priceTicks: 4_000, lots: 10_000, changes });
  exchange.clock.ms += DAY_MS;
  await alice.place({ tokenId: yes, priceTicks: 5_000, lots: 6_000, side: 'SELL' });
  const sold = { tokenId: yes, priceTicks: 5_000, lots: 6_000, changes: { builder: OTHER_CODE } };
  await dave.place(sold);
  const profile = { name: 'Carol Trades', profile_image: 'https://img.example/carol.png' };
  t.equal((await carol.signed('PUT', '/profile', profile)).status, 200);
  for (const one of [bob, dave]) await one.signed('PUT', '/profile', { name: 'Bob & Dave' });
  const ask = async (path: string) => {
    const { status, body }: Answer = await exchange.send('GET', path);
    t.equal(status, 200, path);
    // Safe: the tests compare the whole body.
    return body as unknown;
  };
  return { exchange, alice, bob, carol, dave, code, conditionId, yes, no, ask };
}

const { exchange, alice, bob, dave, code, conditionId, yes, no, ask } = await started();
const wallets = [alice, bob, dave].map(({ address }) => toChecksumAddress(address));
const [aliceWallet, bobWallet, daveWallet] = wallets;
const path = `/v1/market-positions?market=${conditionId}`;

/** The wallets of both groups, in order. */
async function walletsOf(query: string): Promise<unknown> {
  // Safe: the first test checks the shape.
  const groups = (await ask(`${path}${query}`)) as {
    readonly positions: readonly { readonly proxyWallet: string }[];
  }[];
  return groups.map(({ positions }) => positions.map(({ proxyWallet }) => proxyWallet));
}

t.test('positions of a market are grouped by token, with what each won', async (t) => {
  const common = { profileImage: '', verified: false, conditionId };
  const ofYes = { ...common, asset: yes, outcome: 'Yes', outcomeIndex: 0, currPrice: 0.5 };
  t.match(await ask(path), [
    {
      token: yes,
      positions: [
        {
          ...{ ...ofYes, proxyWallet: aliceWallet, size: 40, avgPrice: 0.4, currentValue: 20 },
          ...{ cashPnl: 4, totalBought: 100, realizedPnl: 6, totalPnl: 10 },
        },
        {
          ...{ ...ofYes, proxyWallet: daveWallet, size: 60, avgPrice: 0.5, currentValue: 30 },
          ...{ cashPnl: 0, totalBought: 60, realizedPnl: 0, totalPnl: 0 },
        },
      ],
    },
    {
      token: no,
      positions: [
        {
          ...{ ...common, asset: no, outcomeIndex: 1, proxyWallet: bobWallet, size: 100 },
          ...{ avgPrice: 0.6, currPrice: 0.5, cashPnl: -10, realizedPnl: 0, totalPnl: -10 },
        },
      ],
    },
  ]);
});

t.test('positions of a market are sorted, paged and filtered', async (t) => {
  const rows: readonly (readonly [query: string, wallets: unknown])[] = [
    ['&sortBy=TOKENS', [[daveWallet, aliceWallet], [bobWallet]]],
    ['&sortBy=TOKENS&sortDirection=ASC', [[aliceWallet, daveWallet], [bobWallet]]],
    ['&sortBy=CASH_PNL', [[aliceWallet, daveWallet], [bobWallet]]],
    ['&sortBy=REALIZED_PNL&sortDirection=ASC', [[daveWallet, aliceWallet], [bobWallet]]],
    ['&limit=1', [[aliceWallet], [bobWallet]]],
    ['&limit=1&offset=1', [[daveWallet], []]],
    ['&limit=0', [[], []]],
    [`&user=${dave.address}`, [[daveWallet], []]],
    [`&user=${dave.address}&status=CLOSED`, [[], []]],
    ['&status=OPEN', [[aliceWallet, daveWallet], [bobWallet]]],
    ['&status=CLOSED', [[], []]],
    [`&user=0x${'12'.repeat(20)}`, [[], []]],
  ];
  for (const [query, expected] of rows) t.same(await walletsOf(query), expected, query);
  t.same(await ask(`/v1/market-positions?market=0x${'12'.repeat(32)}`), [], 'never opened');
  const wrong = (field: string, limit: unknown, actual: unknown) => ({
    ...{ code: 'invalid_parameter', field, limit, actual },
  });
  const refusals: readonly (readonly [path: string, told: object])[] = [
    ['/v1/market-positions', { code: 'missing_field', field: 'market' }],
    ['/v1/market-positions?market=0x12', { code: 'invalid_parameter', field: 'market' }],
    [`${path}&limit=501`, wrong('limit', '0..500', 501)],
    [`${path}&offset=10001`, wrong('offset', '0..10000', 10_001)],
    [`${path}&sortBy=PRICE`, { code: 'invalid_parameter', field: 'sortBy' }],
    ['/v1/builders/leaderboard?limit=51', wrong('limit', '0..50', 51)],
    ['/v1/builders/leaderboard?offset=1001', wrong('offset', '0..1000', 1_001)],
    ['/v1/builders/volume?timePeriod=YEAR', { code: 'invalid_parameter', field: 'timePeriod' }],
    ['/v1/leaderboard?category=GARDENS', { code: 'invalid_parameter', field: 'category' }],
  ];
  for (const [refused, told] of refusals) {
    t.match(await exchange.send('GET', refused), { status: 400, body: told }, refused);
  }
});

t.test('builders stand by the cash of their orders, with their accounts', async (t) => {
  const named = {
    ...{ builder: 'Carol Trades', builderCode: code, verified: false },
    builderLogo: 'https://img.example/carol.png',
  };
  const coded = { builder: OTHER_CODE, builderCode: OTHER_CODE, builderLogo: '', verified: false };
  const carolSold = { ...named, rank: '1', volume: 100, activeUsers: 2 };
  const board = '/v1/builders/leaderboard';
  const other = { ...coded, volume: 30, activeUsers: 1 };
  t.same(await ask(`${board}?timePeriod=ALL`), [carolSold, { ...other, rank: '2' }]);
  t.same(await ask(board), [{ ...other, rank: '1' }], 'today');
  t.same(await ask(`${board}?timePeriod=all&limit=1&offset=1`), [{ ...other, rank: '2' }]);
  t.same(await ask(`${board}?limit=0`), []);
  const [today, yesterday] = [START_MS + DAY_MS, START_MS].map(
    (timeMs) => `${new Date(timeMs).toISOString().slice(0, 10)}T00:00:00Z`,
  );
  t.same(await ask('/v1/builders/volume?timePeriod=MONTH'), [
    { dt: today, ...other, rank: '1' },
    { dt: yesterday, ...carolSold },
  ]);
  t.same(await ask('/v1/builders/volume'), [{ dt: today, ...other, rank: '1' }]);
});

t.test('a category has the accounts that traded in markets with its tags', async (t) => {
  const { body } = await exchange.send(
    'GET',
    `/markets?condition_ids=${conditionId}&include_tag=1`,
  );
  // Safe: a list of markets with their tags.
  const [market] = body as unknown as readonly { readonly tags: readonly { slug: string }[] }[];
  const slugs = market?.tags.map(({ slug }) => slug) ?? [];
  const categories = ['politics', 'sports', 'crypto', 'culture', 'weather', 'tech'];
  const own = categories.find((one) => slugs.includes(one));
  const foreign = categories.find((one) => !slugs.includes(one));
  t.ok(own, 'the market has the tag of a category');
  const overall = await ask('/v1/leaderboard?timePeriod=ALL');
  t.match(overall, [
    { rank: '1', proxyWallet: aliceWallet, vol: 70, pnl: 6 },
    { rank: '2', proxyWallet: bobWallet, vol: 60, pnl: 0 },
    { rank: '3', proxyWallet: daveWallet, vol: 30, pnl: 0 },
  ]);
  const all = `/v1/leaderboard?timePeriod=ALL&category=${own}`;
  t.same(await ask(all), overall);
  t.same(await ask(`/v1/leaderboard?timePeriod=ALL&category=${foreign}`), []);
  t.match(await ask(`${all}&limit=1&offset=2`), [{ rank: '3', proxyWallet: daveWallet }]);
  t.match(await ask(`${all}&user=${bob.address}`), [{ rank: '2', vol: 60 }]);
  for (const board of [all, '/v1/leaderboard?timePeriod=ALL']) {
    const byName = (name: string) => ask(`${board}&userName=${encodeURIComponent(name)}`);
    t.match(await byName('Bob & Dave'), [{ rank: '2', userName: 'Bob & Dave' }, { rank: '3' }]);
    t.match(await ask(`${board}&userName=Bob+%26+Dave&user=${dave.address}`), [{ rank: '3' }]);
    t.match(await ask(`${board}&userName=Bob+%26+Dave&limit=1&offset=1`), [{ rank: '3' }]);
    for (const none of ['Carol Trades', 'bob & dave', 'Nobody']) t.same(await byName(none), []);
    const { status, body } = await exchange.send('GET', `${board}&userName=Able-Adder`);
    t.match({ status, body }, { status: 400, body: { field: 'userName', actual: 'Able-Adder' } });
  }
  t.match(await ask(`/v1/leaderboard?category=${own}&orderBy=VOL`), [
    { rank: '1', proxyWallet: aliceWallet, vol: 30, pnl: 6 },
    { rank: '2', proxyWallet: daveWallet, vol: 30, pnl: 0 },
  ]);
});

t.test('a market that is resolved tells it as public catalogs do', async (t) => {
  const markets = `/gamma/markets?condition_ids=${conditionId}`;
  const [open] = (await ask(markets)) as readonly object[];
  t.notOk(Object.hasOwn(open ?? {}, 'closedTime'), 'an open market has no end');
  t.notOk(Object.hasOwn(open ?? {}, 'umaResolutionStatus'));
  const resolution = { payout: '1', redeem_all: false };
  const answer = await exchange.operator('POST', `/markets/${conditionId}/resolve`, resolution);
  t.equal(answer.status, 200);
  const endedAt = new Date(START_MS + DAY_MS).toISOString().slice(0, 19);
  const closedTime = `${endedAt.replace('T', ' ')}+00`;
  const ended = {
    closed: true,
    acceptingOrders: false,
    umaResolutionStatus: 'resolved',
    closedTime,
  };
  // The catalog's thread writes the end after the answer.
  const shown = async () => JSON.stringify(await ask(markets));
  for (let tries = 0; tries < 500 && !(await shown()).includes('closedTime'); tries += 1);
  t.match(await ask(markets), [ended]);
  t.match(await ask(`/gamma/markets/${conditionId}`), ended);
  t.equal((await shown()).split('"closedTime"').length, 2, 'once');
  const byStatus = '/gamma/markets?uma_resolution_status=resolved';
  t.match(await ask(byStatus), [ended], 'it is the only one');

  const other = exchange.negRisk.conditionId;
  t.equal((await exchange.operator('POST', `/markets/${other}/close`, {})).status, 200);
  const isClosed = async () =>
    JSON.stringify(await ask(`/gamma/markets?condition_ids=${other}&closed=1`));
  for (let tries = 0; tries < 500 && (await isClosed()) === '[]'; tries += 1);
  t.not(await isClosed(), '[]');
  t.match(await ask(byStatus), [ended], 'closed is not resolved');
  t.same(await ask(`${byStatus}&condition_ids=${other}`), []);

  // A cursor stays valid when another market closes.
  const page = (cursor: string) =>
    ask(`/markets/keyset?limit=1&uma_resolution_status=resolved&after_cursor=${cursor}`);
  const plain = ((await ask('/gamma/markets?limit=100&closed=false')) as never[])
    .filter(({ negRisk }) => !negRisk)
    .map(({ conditionId: id }) => `${id}`);
  const late = await exchange.operator('POST', `/markets/${plain[0]}/resolve`, resolution);
  t.equal(late.status, 200, late.text);
  // Safe: the test compares what it reads.
  const first = (await page('')) as { readonly markets: unknown; readonly next_cursor: string };
  t.equal((await exchange.operator('POST', `/markets/${plain[1]}/close`, {})).status, 200);
  const isSecond = async () => JSON.stringify(await page(first.next_cursor)).includes('"id"');
  for (let tries = 0; tries < 500 && !(await isSecond()); tries += 1);
  t.match(await page(first.next_cursor), { markets: [{ umaResolutionStatus: 'resolved' }] });
});
