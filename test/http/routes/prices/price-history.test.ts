import t from 'tap';
import { Compile } from 'typebox/compile';
import { getPricesHistory, postBatchPricesHistory } from '../../../../http/routes/prices/index.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const isHistory = Compile(getPricesHistory.response);
const areHistories = Compile(postBatchPricesHistory.response);

/** The start of the current minute, in Unix seconds. */
function minuteOf({ clock }: TestExchange): number {
  return Math.floor(clock.ms / MINUTE) * 60;
}

/** Bids 0.4 and asks 0.6 in the first minute, bids 0.5 in the second; ends in the fifth. */
async function quote(exchange: TestExchange) {
  const { clock, plain } = exchange;
  const [yes, no] = plain.tokenIds;
  const trader = await exchange.trader(1);
  await trader.place({ tokenId: yes, priceTicks: 4_000 });
  await trader.place({ tokenId: no, priceTicks: 4_000 });
  clock.ms += MINUTE;
  await trader.place({ tokenId: yes, priceTicks: 5_000 });
  clock.ms += 3 * MINUTE;
}

async function get({ send }: TestExchange, query: string) {
  const { status, body } = await send('GET', `/prices-history?${query}`);
  return { status, body };
}

async function batch({ send }: TestExchange, body: unknown) {
  const answer = await send('POST', '/batch-prices-history', { body: JSON.stringify(body) });
  return { status: answer.status, body: answer.body };
}

const share = await shareTestExchange(t);

t.test(
  'GET /prices-history shows the midpoint of each minute, and fills the quiet ones',
  async (t) => {
    const exchange = share();
    const first = minuteOf(exchange);
    await quote(exchange);
    const [yes, no] = exchange.plain.tokenIds;
    const times = [0, 60, 120, 180, 240].map((second) => first + second);
    const yesPrices = [0.5, 0.55, 0.55, 0.55, 0.55];
    const expected = times.map((t, index) => ({ t, p: yesPrices[index] }));
    const { status, body } = await get(exchange, `market=${yes}&interval=1h`);
    t.equal(status, 200);
    t.ok(isHistory.Check(body), 'as documented');
    t.same(body, { history: expected });
    const noPrices = [0.5, 0.45, 0.45, 0.45, 0.45];
    const mirrored = times.map((t, index) => ({ t, p: noPrices[index] }));
    t.same((await get(exchange, `market=${no}&interval=1h`)).body, { history: mirrored });
  },
);

t.test("GET /prices-history accepts every form of clients' requests", async (t) => {
  const exchange = share();
  const first = minuteOf(exchange);
  await quote(exchange);
  const { tokenIds, conditionId } = exchange.plain;
  const [yes] = tokenIds;
  const points = (...prices: (readonly [number, number])[]) => ({
    history: prices.map(([t, p]) => ({ t, p })),
  });
  const [second, third] = [first + 60, first + 120];
  const halfDay = first - (first % 43_200);
  // A step has one price, also where a window ends within it.
  const quarter = first - (first % 10_800);
  const rows: readonly (readonly [string, object])[] = [
    [`market=${yes}`, points([halfDay, 0.55])],
    [`market=${yes}&interval=max`, points([halfDay, 0.55])],
    [`market=${yes}&interval=all&fidelity=720`, points([halfDay, 0.55])],
    [`market=${conditionId}`, points([halfDay, 0.55])],
    [`market=0x${BigInt(yes).toString(16)}`, points([halfDay, 0.55])],
    [`market=${yes}&startTs=${second}&endTs=${third}`, points([second, 0.55], [third, 0.55])],
    [`market=${yes}&start_ts=${second}&end_ts=${third}`, points([second, 0.55], [third, 0.55])],
    [`market=${yes}&startTs=${second}000&endTs=${second}000`, points([second, 0.55])],
    [`market=${yes}&startTs=${first}&endTs=${first}&interval=1w`, points([first, 0.5])],
    [`market=${yes}&endTs=${first}&interval=1h`, points([first, 0.5])],
    [`market=${yes}&endTs=${first - 60}&interval=1h`, points()],
    [`market=${yes}&endTs=${first}&interval=1h&fidelity=180`, points([quarter, 0.55])],
  ];
  for (const [query, expected] of rows) {
    t.same(await get(exchange, query), { status: 200, body: expected }, query);
  }
});

t.test('a one-sided book has no midpoint: the last one or the last trade stays', async (t) => {
  const exchange = share();
  const { clock, plain } = exchange;
  const first = minuteOf(exchange);
  const [yes, no] = plain.tokenIds;
  const [trader, taker] = [await exchange.trader(1), await exchange.trader(2)];
  await trader.place({ tokenId: yes, priceTicks: 2_000 });
  clock.ms += MINUTE;
  await trader.place({ tokenId: no, priceTicks: 4_000 });
  clock.ms += MINUTE;
  await taker.place({ tokenId: yes, priceTicks: 6_000 });
  clock.ms += MINUTE;
  await trader.place({ tokenId: yes, priceTicks: 3_000 });
  const [middle, traded] = [0.4, 0.6];
  const prices = [middle, traded, traded];
  const history = prices.map((p, index) => ({ t: first + 60 * (index + 1), p }));
  const expected = { status: 200, body: { history } };
  t.same(await get(exchange, `market=${yes}&interval=1h`), expected, 'none before the first');
});

t.test('min_seq makes a history and volumes wait for a change', async (t) => {
  const exchange = share();
  await quote(exchange);
  const { tokenIds, conditionId } = exchange.plain;
  const { appliedSeq } = exchange.running.services.exchange;
  const histories = JSON.stringify({ markets: tokenIds });
  const volumes = JSON.stringify({ conditions: [{ conditionId }] });
  const reads = [
    ['GET', `/prices-history?market=${tokenIds[0]}&`, {}],
    ['POST', '/batch-prices-history?', { body: histories }],
    ['POST', '/data/volumes?', { body: volumes }],
  ] as const;
  const later = { code: 'invalid_parameter', field: 'min_seq', actual: appliedSeq + 1 };
  for (const [method, path, terms] of reads) {
    const known = await exchange.send(method, `${path}min_seq=${appliedSeq}`, terms);
    t.ok(known.status < 300, path);
    const unknown = await exchange.send(method, `${path}min_seq=${appliedSeq + 1}`, terms);
    t.match(unknown, { status: 400, body: later }, path);
  }
});

t.test('a token that was never quoted has an empty history', async (t) => {
  const exchange = share();
  const [yes] = exchange.plain.tokenIds;
  t.same(await get(exchange, `market=${yes}`), { status: 200, body: { history: [] } });
});

t.test('GET /prices-history refuses wrong parameters with their field', async (t) => {
  const exchange = share();
  const [yes] = exchange.plain.tokenIds;
  const rows: readonly (readonly [string, number, object])[] = [
    ['', 400, { code: 'missing_field', field: 'market' }],
    ['market=yes', 400, { code: 'invalid_parameter', field: 'market' }],
    ['market=12345', 404, { code: 'book_not_found', field: 'market', actual: '12345' }],
    [`market=${yes}&interval=2h`, 400, { code: 'invalid_parameter', field: 'interval' }],
    [`market=${yes}&fidelity=0`, 400, { code: 'invalid_parameter', field: 'fidelity', actual: 0 }],
    [`market=${yes}&fidelity=10081`, 400, { field: 'fidelity', actual: 10_081 }],
    [`market=${yes}&fidelity=x`, 400, { code: 'invalid_parameter', field: 'fidelity' }],
    [`market=${yes}&startTs=now`, 400, { code: 'invalid_parameter', field: 'startTs' }],
    [`market=${yes}&startTs=20&endTs=10`, 400, { field: 'startTs', limit: 'not after endTs' }],
  ];
  for (const [query, status, expected] of rows) {
    t.match(await get(exchange, query), { status, body: expected }, query);
  }
});

t.test('the points of all histories of a reply are bounded together', async (t) => {
  const exchange = share();
  const startMs = exchange.clock.ms;
  await quote(exchange);
  const { tokenIds } = exchange.plain;
  exchange.clock.ms = startMs + 13 * DAY;
  const whole = await get(exchange, `market=${tokenIds[0]}&fidelity=1`);
  t.equal(whole.status, 200);
  const both = { markets: tokenIds, fidelity: 1 };
  const tooMany = { code: 'too_many_items', field: 'fidelity', limit: 20_000 };
  const actual = 2 * (13 * 24 * 60 + 1);
  t.match(await batch(exchange, both), { status: 400, body: { ...tooMany, actual } });
  exchange.clock.ms = startMs + 14 * DAY;
  const longer = { ...tooMany, actual: 14 * 24 * 60 + 1 };
  t.match(await get(exchange, `market=${tokenIds[0]}&fidelity=1`), { status: 400, body: longer });
  t.match(await get(exchange, `market=${tokenIds[0]}&fidelity=5`), { status: 200 });
});

t.test('POST /batch-prices-history has an entry under every name of the request', async (t) => {
  const exchange = share();
  const first = minuteOf(exchange);
  await quote(exchange);
  const { tokenIds, conditionId } = exchange.plain;
  const [yes, no] = tokenIds;
  const [quiet] = exchange.negRisk.tokenIds;
  const markets = [no, conditionId, '12345', quiet, no];
  const window = { startTs: first + 60, endTs: first + 60 };
  const { status, body } = await batch(exchange, { markets, ...window });
  t.equal(status, 200);
  t.ok(areHistories.Check(body), 'as documented');
  t.same(body, {
    history: {
      [no]: [{ t: first + 60, p: 0.45 }],
      [conditionId]: [{ t: first + 60, p: 0.55 }],
      '12345': [],
      [quiet]: [],
    },
  });
  const last = { [yes]: [{ t: first + 240, p: 0.55 }] };
  const bodies = [
    { start_ts: first + 240, end_ts: first + 240 },
    { start_ts: `${first + 240}`, end_ts: `${first + 240}` },
    { startTs: first + 240, interval: null, fidelity: null, endTs: null, start_ts: null },
    { interval: '1m', startTs: first + 240 },
  ];
  for (const terms of bodies) {
    t.match((await batch(exchange, { markets: [yes], ...terms })).body, { history: last });
  }
});

t.test('POST /batch-prices-history refuses wrong fields by name', async (t) => {
  const exchange = share();
  const [yes] = exchange.plain.tokenIds;
  const many = (count: number) => ({ markets: Array(count).fill(yes) });
  const rows: readonly (readonly [unknown, object])[] = [
    [{}, { code: 'missing_field', field: 'markets' }],
    [many(0), { code: 'invalid_payload', field: 'markets' }],
    [many(21), { code: 'too_many_items', field: 'markets', limit: 20, actual: 21 }],
    [{ markets: [yes, 'no'] }, { code: 'invalid_parameter', field: 'markets.1', actual: 'no' }],
    [{ markets: [7] }, { code: 'invalid_payload', field: 'markets.0' }],
    [
      { ...many(1), interval: '2h' },
      { code: 'invalid_payload', field: 'interval' },
    ],
    [
      { ...many(1), fidelity: 0 },
      { code: 'invalid_payload', field: 'fidelity' },
    ],
    [
      { ...many(1), startTs: 'now' },
      { code: 'invalid_parameter', field: 'startTs' },
    ],
    [
      { ...many(1), endTs: 1.5 },
      { code: 'invalid_payload', field: 'endTs' },
    ],
  ];
  for (const [body, expected] of rows) {
    t.match(await batch(exchange, body), { status: 400, body: expected }, JSON.stringify(body));
  }
  t.match(await batch(exchange, many(20)), { status: 200 });
});
