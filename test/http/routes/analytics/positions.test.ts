// Positions, holders and figures over a real socket (wire 8.7): a worked example, every bound, and
// answers that show earlier writes.
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { shareTestExchange, type TestExchange, type Trader } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);

async function ask({ send }: TestExchange, path: string): Promise<unknown> {
  const { status, body } = await send('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

interface Traded {
  readonly exchange: TestExchange;
  readonly alice: Trader;
  readonly bob: Trader;
}

/** Alice buys 100 YES at 0.4 from Bob, who buys NO at 0.6. */
async function trade(): Promise<Traded> {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 10_000 });
  const { status, body } = await alice.place({ tokenId: yes, priceTicks: 4_000, lots: 10_000 });
  t.same([status, body.tradeIDs.length], [200, 1]);
  return { exchange, alice, bob };
}

/** The market's fields of every position. */
function wordsOf({ plain, running }: TestExchange, outcomeIndex: 0 | 1) {
  const { conditionId, tokenIds } = plain;
  const words = running.services.exchange.catalog.lookup.marketByCondition(conditionId);
  if (words === undefined) throw new Error('a market of the catalog');
  const { question: title, slug, icon, eventSlug, outcomes } = words;
  return {
    asset: tokenIds[outcomeIndex],
    conditionId,
    title,
    slug,
    icon,
    eventSlug,
    outcome: outcomes[outcomeIndex],
    outcomeIndex,
    oppositeOutcome: outcomes[outcomeIndex === 0 ? 1 : 0],
    oppositeAsset: tokenIds[outcomeIndex === 0 ? 1 : 0],
    endDate: words.endDate,
  };
}

t.test('100 tokens bought at 0.4 are worth 40, and earn 60 when they pay 1', async (t) => {
  const { exchange, alice, bob } = await trade();
  const { conditionId } = exchange.plain;
  const [yes, no] = exchange.plain.tokenIds;
  const proxyWallet = toChecksumAddress(alice.address);
  const timestamp = Math.floor(exchange.clock.ms / 1_000);
  const amounts = { size: 100, avgPrice: 0.4, initialValue: 40, totalBought: 100 };
  const nothing = { cashPnl: 0, percentPnl: 0, realizedPnl: 0, percentRealizedPnl: 0 };
  const flags = { redeemable: false, mergeable: false };
  const words = wordsOf(exchange, 0);
  t.same(await ask(exchange, `/positions?user=${alice.address}`), [
    {
      ...{ ...words, ...amounts, ...nothing, ...flags, proxyWallet, timestamp },
      ...{ currentValue: 40, curPrice: 0.4, negativeRisk: false },
      endDate: words.endDate?.slice(0, 10),
    },
  ]);
  t.same(await ask(exchange, `/closed-positions?user=${alice.address}`), []);
  t.same(await ask(exchange, `/value?user=${alice.address}`), [{ user: proxyWallet, value: 40 }]);
  t.same(await ask(exchange, `/traded?user=${alice.address.toUpperCase().replace('0X', '0x')}`), {
    user: proxyWallet,
    traded: 1,
  });
  t.same(await ask(exchange, `/volume?user=${alice.address}`), { user: proxyWallet, volume: '40' });
  const stranger = toChecksumAddress(`0x${'12'.repeat(20)}`);
  t.same(await ask(exchange, `/volume?user=${stranger}`), { user: stranger, volume: '0' });
  const holders = await ask(exchange, `/holders?market=${conditionId}`);
  t.match(holders, [
    { token: yes, holders: [{ proxyWallet, amount: 100, outcomeIndex: 0 }] },
    { token: no, holders: [{ amount: 100, outcomeIndex: 1 }] },
  ]);
  t.same(await ask(exchange, `/oi?market=${conditionId}`), [{ market: conditionId, value: 100 }]);
  const traded = { total: 40, markets: [{ market: conditionId, value: 40 }] };
  t.same(await ask(exchange, `/live-volume?market=${conditionId}`), [traded]);

  const resolution = { payout: '1', redeem_all: false };
  await exchange.operator('POST', `/markets/${conditionId}/resolve`, resolution);
  t.match(await ask(exchange, `/positions?user=${alice.address}&redeemable=true`), [
    { curPrice: 1, currentValue: 100, cashPnl: 60, percentPnl: 150, redeemable: true },
  ]);
  t.same(await ask(exchange, `/oi?market=${conditionId}`), [{ market: conditionId, value: 100 }]);
  await alice.signed('POST', '/sets/redeem', { market: conditionId, key: 'redeem' });
  const won = { cashPnl: 60, percentPnl: 150, realizedPnl: 60, percentRealizedPnl: 150 };
  t.same(await ask(exchange, `/closed-positions?user=${alice.address}`), [
    {
      ...{ ...words, ...amounts, ...won, ...flags, proxyWallet, timestamp },
      ...{ currentValue: 0, curPrice: 1 },
    },
  ]);
  const lost = { cashPnl: -60, percentPnl: -100, realizedPnl: -60, percentRealizedPnl: -100 };
  t.match(await ask(exchange, `/closed-positions?user=${bob.address}`), [
    { ...lost, outcomeIndex: 1, size: 100, avgPrice: 0.6, curPrice: 0, timestamp },
  ]);
  t.same(await ask(exchange, `/oi?market=${conditionId}`), [{ market: conditionId, value: 0 }]);
  const board = await ask(exchange, `/v1/leaderboard?orderBy=PNL&timePeriod=all&limit=1`);
  t.match(board, [{ rank: '1', proxyWallet, vol: 40, pnl: 60, xUsername: null }]);
});

t.test('an answer shows earlier writes, and min_seq is honoured', async (t) => {
  const { exchange, alice } = await trade();
  const { exchange: store } = exchange.running.services;
  const path = `/positions?user=${alice.address}`;
  const { headers, body } = await exchange.send('GET', `${path}&min_seq=${store.appliedSeq}`);
  t.equal(body.length, 1);
  const shown = Number(headers.get('x-seq'));
  t.ok(shown >= store.appliedSeq && shown > 0, `${shown}`);
  const later = await exchange.send('GET', `${path}&min_seq=${store.appliedSeq + 1_000}`);
  t.match([later.status, later.body], [400, { code: 'invalid_parameter', field: 'min_seq' }]);
});

t.test('values out of bounds are refused with the field, the limit and the value', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const user = `user=0x${'AB'.repeat(20)}`;
  const market = `market=${conditionId}`;
  const many = `market=${Array.from({ length: 101 }, () => conditionId).join()}`;
  const different = (count: number): string =>
    Array.from({ length: count }, (_, index) => `0x${`${index}`.padStart(64, '0')}`).join();
  const wrong = (field: string, limit: unknown, actual: unknown) => ({
    ...{ code: 'invalid_parameter', field, limit, actual },
  });
  const missing = (field: string) => ({ code: 'missing_field', field });
  const closed = '/closed-positions';
  const rows: readonly (readonly [path: string, told: object])[] = [
    [closed, missing('user')],
    [`${closed}?user=`, missing('user')],
    [`${closed}?user=0x12`, wrong('user', '0x and 40 hex digits', '0x12')],
    [`${closed}?${user}&limit=51`, wrong('limit', '0..50', 51)],
    [`${closed}?${user}&limit=-1`, wrong('limit', '0..50', -1)],
    [`${closed}?${user}&limit=1.5`, { code: 'invalid_parameter', field: 'limit', actual: '1.5' }],
    [`${closed}?${user}&offset=100001`, wrong('offset', '0..100000', 100_001)],
    [`${closed}?${user}&title=${'a'.repeat(101)}`, { field: 'title', limit: 100, actual: 101 }],
    [`${closed}?${user}&sortBy=SIZE`, { field: 'sortBy', actual: 'SIZE' }],
    [`${closed}?${user}&sortDirection=UP`, { field: 'sortDirection', limit: 'DESC, ASC' }],
    [`${closed}?${user}&market=0x1`, wrong('market', '0x and 64 hex digits', '0x1')],
    [`${closed}?${user}&${many}`, { code: 'invalid_parameter', field: 'market', actual: 101 }],
    [
      `${closed}?${user}&${market}&eventId=1`,
      wrong('eventId', 'no eventId where market is given', '1'),
    ],
    [`/positions?${user}&limit=501`, wrong('limit', '0..500', 501)],
    [`/positions?${user}&offset=10001`, wrong('offset', '0..10000', 10_001)],
    [`/positions?${user}&sizeThreshold=-1`, { field: 'sizeThreshold', limit: 0, actual: -1 }],
    [`/positions?${user}&redeemable=perhaps`, { field: 'redeemable', actual: 'perhaps' }],
    ['/value', missing('user')],
    ['/traded?user=you', wrong('user', '0x and 40 hex digits', 'you')],
    ['/holders', missing('market')],
    ['/holders?market=', missing('market')],
    [`/holders?${market}&limit=501`, wrong('limit', '0..500', 501)],
    [`/holders?${market}&minBalance=-1`, { field: 'minBalance', limit: 0, actual: -1 }],
    [
      `/holders?market=${different(6)}&limit=500`,
      { code: 'too_many_items', field: 'market', limit: 5, actual: 6 },
    ],
    ['/oi?market=all', wrong('market', '0x and 64 hex digits', 'all')],
    ['/live-volume', missing('market')],
    ['/live-volume?id=0', { code: 'invalid_parameter', field: 'id', limit: 1, actual: 0 }],
    ['/v1/leaderboard?limit=0', wrong('limit', '1..50', 0)],
    ['/v1/leaderboard?limit=51', wrong('limit', '1..50', 51)],
    ['/v1/leaderboard?offset=1001', wrong('offset', '0..1000', 1_001)],
    ['/v1/leaderboard?timePeriod=YEAR', { code: 'invalid_parameter', field: 'timePeriod' }],
    ['/v1/leaderboard?category=GARDENS', { code: 'invalid_parameter', field: 'category' }],
  ];
  for (const [path, told] of rows) {
    const { status, body } = await exchange.send('GET', path);
    t.equal(status, 400, path);
    t.match(body, told, path);
  }
});

t.test('values at their bounds are accepted, also when there is nothing to list', async (t) => {
  const exchange = share();
  const { conditionId } = exchange.plain;
  const [yes, no] = exchange.plain.tokenIds;
  const user = `user=0X${'AB'.repeat(20)}`;
  const title = `title=${'%C3%A9'.repeat(100)}`;
  const empty: readonly string[] = [
    `/closed-positions?${user}&limit=50&offset=100000&${title}&sortBy=TITLE&sortDirection=ASC`,
    `/closed-positions?${user}&limit=0&market=${conditionId},${conditionId}&market=${conditionId}`,
    `/positions?${user}&limit=500&offset=10000&sizeThreshold=0&mergeable=1&sortBy=RESOLVING`,
    `/positions?${user}&eventId=1,2&market=`,
    `/holders?market=0x${'9'.repeat(64)}&limit=500&minBalance=0.01`,
    `/oi?market=0x${'9'.repeat(64)}`,
    '/v1/leaderboard?limit=50&offset=1000&timePeriod=month&orderBy=vol&category=OVERALL',
    `/v1/leaderboard?${user}`,
  ];
  for (const path of empty) t.same(await ask(exchange, path), [], path);
  t.same(await ask(exchange, `/holders?market=${conditionId}&limit=0`), [
    { token: yes, holders: [] },
    { token: no, holders: [] },
  ]);
  t.match(await ask(exchange, '/oi'), [{ market: 'GLOBAL' }]);
  t.same(await ask(exchange, '/live-volume?id=99999999'), [{ total: 0, markets: [] }]);
  t.same(await ask(exchange, `/value?${user}`), [
    { user: toChecksumAddress(`0x${'ab'.repeat(20)}`), value: 0 },
  ]);
});
