// Fills and activity over a real socket (wire 8.7): fields, bounds, filters, pages by cursor, and
// reads that show earlier writes.
import t from 'tap';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const share = await shareTestExchange(t);

type Row = Readonly<Record<string, string | number>>;

async function ask({ send }: TestExchange, path: string): Promise<readonly Row[]> {
  const { status, body } = await send('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  // Safe: the tests compare the rows.
  return body as unknown as readonly Row[];
}

/** Bob bids for NO at 0.6 and 0.55, and Alice buys YES for 60 at 0.4, then 40 at 0.45. */
async function trade() {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 6_000 });
  await bob.place({ tokenId: no, priceTicks: 5_500, lots: 6_000 });
  const { status, body } = await alice.place({ tokenId: yes, priceTicks: 4_500, lots: 10_000 });
  t.same([status, body.tradeIDs.length], [200, 2], 'two levels');
  return { exchange, alice, bob };
}

t.test('a fill has every field, once for the taker and once for each maker', async (t) => {
  const { exchange, alice, bob } = await trade();
  const { conditionId } = exchange.plain;
  const [yes, no] = exchange.plain.tokenIds;
  const lookup = exchange.running.services.exchange.catalog.lookup;
  const words = lookup.marketByCondition(conditionId);
  const rows = await ask(exchange, `/trades?market=${conditionId}&takerOnly=false`);
  const [maker2 = {}, taker2 = {}, maker1 = {}, taker1 = {}] = rows;
  t.equal(rows.length, 4);
  t.match(taker1, { id: /^\d+$/, pseudonym: /^\w+-\w+$/, transactionHash: /^0x[0-9a-f]{64}$/ });
  t.same(taker1, {
    id: taker1.id,
    proxyWallet: toChecksumAddress(alice.address),
    side: 'BUY',
    asset: yes,
    conditionId,
    size: 60,
    price: 0.4,
    timestamp: Math.floor(exchange.clock.ms / 1_000),
    usdcSize: 24,
    stablecoinSize: 24,
    title: words?.question,
    slug: words?.slug,
    icon: words?.icon,
    eventSlug: words?.eventSlug,
    outcome: words?.outcomes[0],
    outcomeIndex: 0,
    name: '',
    pseudonym: taker1.pseudonym,
    bio: '',
    profileImage: '',
    profileImageOptimized: '',
    transactionHash: taker1.transactionHash,
  });
  const sideOfBob = { proxyWallet: toChecksumAddress(bob.address), asset: no };
  t.match(maker1, { ...sideOfBob, side: 'BUY', size: 60, price: 0.6, usdcSize: 36 });
  t.match(
    [taker2, maker2],
    [
      { size: 40, price: 0.45 },
      { size: 40, price: 0.55 },
    ],
  );
  t.equal(maker1.transactionHash, taker1.transactionHash);
  t.not(taker2.transactionHash, taker1.transactionHash);

  const askMarket = (query: string) => ask(exchange, `/trades?market=${conditionId}&${query}`);
  t.same(await askMarket(''), [taker2, taker1], 'takers alone');
  t.same(await askMarket(`user=${bob.address}`), [], 'not a taker');
  const upper = bob.address.toUpperCase().replace('0X', '0x');
  t.same(await askMarket(`user=${upper}&takerOnly=0`), [maker2, maker1], 'in any case');
  t.same(await askMarket('side=SELL&takerOnly=false'), []);
  t.same(await askMarket('filterType=TOKENS&filterAmount=60'), [taker1]);
  t.same(await askMarket('filterType=CASH&filterAmount=36&takerOnly=false'), [maker1]);
  t.same(await askMarket('filterType=CASH&filterAmount=36.000001&takerOnly=false'), []);
  t.same(await askMarket('limit=1&offset=1'), [taker1]);
  t.same(await askMarket('limit=0'), []);
  const after = ({ timestamp, id, proxyWallet }: Row) =>
    `cursorTimestamp=${timestamp}&cursorId=${id}&cursorUser=${proxyWallet}`;
  t.same(await askMarket(`takerOnly=false&${after(taker2)}`), [maker1, taker1]);
  t.same(await askMarket(after(taker1)), []);
  const market = lookup.market(Number(words?.id));
  const eventId = lookup.eventId(market?.eventSlug ?? '');
  t.same(await ask(exchange, `/trades?eventId=${eventId}&limit=2`), [taker2, taker1]);

  t.match(await ask(exchange, `/activity?user=${bob.address}&sortBy=CASH&market=${conditionId}`), [
    { ...maker1, type: 'TRADE' },
    { ...maker2, type: 'TRADE' },
  ]);
});

t.test('activity includes splits and merges', async (t) => {
  const exchange = share();
  const trader = await exchange.trader(3);
  const { conditionId } = exchange.plain;
  for (const [kind, amount] of [
    ['split', '10'],
    ['merge', '4'],
  ] as const) {
    const body = { market: conditionId, amount, key: kind };
    t.equal((await trader.signed('POST', `/sets/${kind}`, body)).status, 200);
  }
  const rows = await ask(exchange, `/activity?user=${trader.address}`);
  const sets = { side: '', asset: '', conditionId, price: 0, outcome: '', outcomeIndex: 999 };
  t.match(rows, [
    {
      ...sets,
      type: 'MERGE',
      size: 4,
      usdcSize: 4,
      proxyWallet: toChecksumAddress(trader.address),
    },
    { ...sets, type: 'SPLIT', size: 10, usdcSize: 10, stablecoinSize: 10, transactionHash: /^0x/ },
  ]);
  const asked = (query: string) => ask(exchange, `/activity?user=${trader.address}&${query}`);
  t.same(await asked('type=SPLIT,TRADE'), [rows[1]]);
  t.same(await asked('type=DEPOSIT,WITHDRAWAL,YIELD,TAKER_REBATE,REFERRAL_REWARD'), []);
  const move = { account: trader.address, amount: '0.25', key: 'out' };
  t.equal((await exchange.operator('POST', '/withdrawals', move)).status, 200);
  const all = 'excludeDepositsWithdrawals=false';
  const cash = { side: '', asset: '', conditionId: '', price: 0, title: '', outcome: '' };
  const paper = { ...cash, type: 'DEPOSIT', size: 10_000, usdcSize: 10_000 };
  const withdrawn = { ...cash, type: 'WITHDRAWAL', size: 0.25, usdcSize: 0.25, outcomeIndex: 999 };
  t.match(await asked(all), [withdrawn, ...rows, paper]);
  t.match(await asked(`type=DEPOSIT,YIELD&${all}`), [paper]);
  t.match(await asked(`type=SPLIT,WITHDRAWAL&sortBy=TOKENS&${all}`), [rows[1], withdrawn]);
  t.same(await asked(`type=DEPOSIT&market=${conditionId}&${all}`), [], 'of no market');
  t.same(await asked(all.replace('false', 'true')), rows);
  // One site sends both names; in the past they were ignored.
  t.same(await asked(`marketId=${conditionId}&conditionId=${conditionId.toUpperCase()}`), rows);
  t.same(await asked(`marketId=${HASH}&conditionId=${HASH}`), []);
});

t.test('times of the lists are in seconds or in milliseconds', async (t) => {
  const exchange = share();
  const { trader, plain, clock } = exchange;
  const [alice, bob] = [await trader(1), await trader(2)];
  await bob.place({ tokenId: plain.tokenIds[1], priceTicks: 6_000, lots: 1_000 });
  await alice.place({ tokenId: plain.tokenIds[0], priceTicks: 4_000, lots: 1_000 });
  const second = Math.floor(clock.ms / 1_000);
  for (const route of ['/trades', '/activity']) {
    const rowsOf = async (range: string) =>
      (await ask(exchange, `${route}?user=${alice.address}&${range}`)).length;
    for (const unit of [1, 1_000]) {
      t.equal(await rowsOf(`start=${second * unit}&end=${second * unit}`), 1, route);
      t.equal(await rowsOf(`start=${(second + 1) * unit}`), 0, route);
      t.equal(await rowsOf(`end=${(second - 1) * unit}`), 0, route);
    }
  }
});

t.test('an answer has X-Seq, and min_seq is honoured', async (t) => {
  const { send, running } = share();
  const { headers } = await send('GET', '/trades?limit=1');
  const { appliedSeq } = running.services.exchange;
  t.equal(headers.get('x-seq'), `${appliedSeq}`);
  t.equal((await send('GET', `/trades?limit=1&min_seq=${appliedSeq}`)).status, 200);
  const { status, body } = await send('GET', `/trades?min_seq=${appliedSeq + 1}`);
  t.match([status, body], [400, { code: 'invalid_parameter', field: 'min_seq' }]);
});

const USER = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'cd'.repeat(32)}`;

/** Queries that are refused, and the field that the error names. */
const REFUSED: readonly (readonly [query: string, field: string])[] = [
  ['/trades?limit=10001', 'limit'],
  ['/trades?limit=-1', 'limit'],
  ['/trades?offset=10001', 'offset'],
  ['/trades?takerOnly=maybe', 'takerOnly'],
  ['/trades?filterType=CASH', 'filterType'],
  ['/trades?filterAmount=1', 'filterAmount'],
  ['/trades?filterType=GOLD&filterAmount=1', 'filterType'],
  ['/trades?filterType=CASH&filterAmount=-1', 'filterAmount'],
  ['/trades?market=0x12', 'market'],
  [`/trades?market=${HASH}&eventId=1`, 'eventId'],
  ['/trades?user=0x12', 'user'],
  ['/trades?side=buy', 'side'],
  ['/trades?cursorTimestamp=1', 'cursorId'],
  [`/trades?cursorId=1&cursorUser=${USER}`, 'cursorTimestamp'],
  ['/trades?cursorTimestamp=1&cursorId=1', 'cursorUser'],
  [`/trades?cursorTimestamp=1&cursorId=x&cursorUser=${USER}`, 'cursorId'],
  ['/trades?cursorTimestamp=1&cursorId=1&cursorUser=0x', 'cursorUser'],
  ['/activity', 'user'],
  [`/activity?user=${USER}&limit=501`, 'limit'],
  [`/activity?user=${USER}&offset=10001`, 'offset'],
  [`/activity?user=${USER}&type=GIFT`, 'type'],
  [`/activity?user=${USER}&conditionId=0x12`, 'market'],
  [`/activity?user=${USER}&market=${HASH}&conditionId=0x12`, 'conditionId'],
  [`/activity?user=${USER}&start=-1`, 'start'],
  [`/activity?user=${USER}&excludeDepositsWithdrawals=no`, 'excludeDepositsWithdrawals'],
  [`/activity?user=${USER}&sortBy=SIZE`, 'sortBy'],
  [`/activity?user=${USER}&sortDirection=UP`, 'sortDirection'],
];

t.test('values out of bounds are refused with their field', async (t) => {
  const { send } = share();
  for (const [path, field] of REFUSED) {
    const { status, text } = await send('GET', path);
    t.match([status, String(JSON.parse(text).field).split('.')[0]], [400, field], path);
  }
  for (const path of [
    'limit=10000&offset=10000',
    `market=${HASH}`,
    `user=${USER}`,
    'eventId=999',
  ]) {
    const { status, text } = await send('GET', `/trades?${path}&takerOnly=true`);
    if (!path.startsWith('limit')) t.equal(text, '[]');
    t.equal(status, 200, path);
  }
});
