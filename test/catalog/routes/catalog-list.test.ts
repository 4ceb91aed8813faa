// GET /markets in its catalog form and GET /markets/{id} over HTTP, against filters in memory.
import t from 'tap';
import { Compile } from 'typebox/compile';
import {
  builtinEvents,
  type EventRecord,
  type MarketRecord,
} from '../../../catalog/builtin/index.ts';
import { MergedMarket, OneCatalogMarket } from '../../../catalog/routes/market.ts';
import { FullMarket } from '../../../http/format/full-market.ts';
import { getMarkets } from '../../../http/routes/markets/get-markets.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { type MarketServer, startMarketServer } from '../../http/routes/market-server.ts';
import { hex } from '../fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The built-in events, with different states and creators, so that each filter selects some. */
const events: readonly (EventRecord & Fields)[] = builtinEvents().map((event, place) => ({
  ...event,
  creator: ['0xAbCd', '0xffff', ''][place % 3] ?? '',
  markets: event.markets.map((market, index) => ({
    ...market,
    active: (place + index) % 4 !== 0,
    closed: (place + index) % 3 === 0,
    archived: (place + index) % 5 === 0,
    createdAt: `2026-0${1 + ((place * 5 + index) % 9)}-01T00:00:00Z`,
    ...(index % 4 === 3 ? { umaResolutionStatus: place % 2 === 0 ? 'proposed' : 'resolved' } : {}),
    volume: `${(place * 31 + index * 7) % 90}.5`,
    liquidityNum: (place * 17 + index * 3) % 50,
    ...(index % 2 === 1
      ? { gameId: 40 + place, sportsMarketType: 'totals', marketMakerAddress: '0xFeed' }
      : {}),
    ...(index % 3 === 1 ? { mirrorConditionId: hex(9_000 + place * 100 + index) } : {}),
  })),
}));

interface Row {
  readonly market: MarketRecord;
  readonly event: EventRecord & Fields;
}

const rows: readonly Row[] = events
  .flatMap((event) => event.markets.map((market) => ({ market, event })))
  .toSorted((a, b) => Number(a.market.id) - Number(b.market.id));

function tokensOf({ market }: Row): string[] {
  return JSON.parse(market.clobTokenIds);
}
function figure(market: object, name: string): unknown {
  return Object.entries(market).find(([key]) => key === name)?.[1];
}
function hasTag({ event }: Row, key: 'id' | 'slug', value: string): boolean {
  return event.tags.some((tag) => tag[key] === value);
}

const [first, second] = [rows[7], rows[30]];
if (first === undefined || second === undefined) throw new Error('the catalog is too small');
const [one, other] = [first.market, second.market];
const upper = one.conditionId.toUpperCase().replace('X', 'x');

const filters: readonly (readonly [query: string, keeps: (row: Row) => boolean])[] = [
  ['active=true', ({ market }) => market.active],
  ['active=false', ({ market }) => !market.active],
  ['closed=true', ({ market }) => market.closed],
  ['closed=0', ({ market }) => !market.closed],
  ['archived=1', ({ market }) => market.archived],
  ['archived=FALSE', ({ market }) => !market.archived],
  ['tag=weather', (row) => hasTag(row, 'slug', 'weather')],
  ['tag_slug=crypto', (row) => hasTag(row, 'slug', 'crypto')],
  ['tag_id=7', (row) => hasTag(row, 'id', '7')],
  [
    'tag=weather&tag_slug=science',
    (row) => hasTag(row, 'slug', 'weather') && hasTag(row, 'slug', 'science'),
  ],
  ['event_id=21', ({ event }) => event.id === '21'],
  ['event_slug=hottest-year-2027', ({ event }) => event.slug === 'hottest-year-2027'],
  ['eventSlug=hottest-year-2027', ({ event }) => event.slug === 'hottest-year-2027'],
  [`conditionId=${one.conditionId}`, ({ market }) => market === one],
  [`condition_id=${upper}`, ({ market }) => market === one],
  [
    `condition_ids=${one.conditionId},${other.conditionId}`,
    ({ market }) => market === one || market === other,
  ],
  [`slug=${one.slug}`, ({ market }) => market === one],
  [`slug=${one.slug}&slug=${other.slug}`, ({ market }) => market === one || market === other],
  [`id=${one.id}&id=${other.id}`, ({ market }) => market === one || market === other],
  [`clob_token_ids=${tokensOf(first)[1]}`, ({ market }) => market === one],
  [
    `clob_token_ids=0x${BigInt(tokensOf(first)[0] ?? 0).toString(16)}`,
    ({ market }) => market === one,
  ],
  ['creator=0xABCD', ({ event }) => event.creator === '0xAbCd'],
  [
    'closed=true&active=true&tag=sports',
    (row) => row.market.closed && row.market.active && hasTag(row, 'slug', 'sports'),
  ],
  ['tag_id=7,3', (row) => hasTag(row, 'id', '7') || hasTag(row, 'id', '3')],
  [`question_ids=${one.questionID}`, ({ market }) => market.questionID === one.questionID],
  ['game_id=43', ({ market }) => figure(market, 'gameId') === 43],
  ['sports_market_types=totals', ({ market }) => figure(market, 'gameId') !== undefined],
  ['market_maker_address=0xFEED', ({ market }) => figure(market, 'gameId') !== undefined],
  ['exclude_tag_id=7', (row) => !hasTag(row, 'id', '7')],
  ['mirror=true', ({ market }) => figure(market, 'mirrorConditionId') !== undefined],
  ['mirror=0', ({ market }) => figure(market, 'mirrorConditionId') === undefined],
  ['volume_min=40.5', ({ market }) => Number(figure(market, 'volume')) >= 40.5],
  ['volume_num_max=40.5', ({ market }) => Number(figure(market, 'volume')) <= 40.5],
  ['liquidity_num_min=25', ({ market }) => Number(figure(market, 'liquidityNum')) >= 25],
  ['liquidity_max=25', ({ market }) => Number(figure(market, 'liquidityNum')) <= 25],
  ['end_date_min=2028-01-01', ({ market }) => market.endDate >= '2028-01-01'],
  ['tag=&event_slug=&slug=&order=&active=&limit=100&unknown=1', () => true],
];
const nothing = [
  'start_date_max=2026-01-01',
  'tag=no-such-tag',
  'tag_id=999',
  'event_id=999',
  'eventSlug=none',
  `conditionId=${hex(1)}`,
  'slug=none',
  'id=5',
  `question_ids=${hex(2)}`,
  'game_id=7',
  'clob_token_ids=5',
  'creator=some-site',
];

// Safe: a test below checks the schema.
function idsOf(body: unknown): string[] {
  return (body as { readonly id: string }[]).map(({ id }) => id);
}

/** The tests only read, so they share one server of each kind. */
const server = await startMarketServer(t, events);
const { get } = server;
const unchanged = await startMarketServer(t, builtinEvents());

t.test('every filter returns the same records as a filter in memory', async (t) => {
  for (const [query, keeps] of filters) {
    const expected = rows.filter(keeps).map(({ market }) => market.id);
    t.ok(expected.length > 0, `${query} finds something`);
    for (const surface of ['', '/gamma']) {
      const { status, body } = await get(`${surface}/markets?limit=100&${query}`);
      t.equal(status, 200, query);
      t.same(idsOf(body), expected, query);
    }
  }
  for (const query of nothing) t.same((await get(`/markets?${query}`)).body, [], query);
});

t.test('an answer names the parameters that it ignored', async (t) => {
  const asked = async (path: string) => (await get(path)).ignored;
  t.equal(await asked('/markets?limit=1&page=2&sort_by=id'), 'page, sort_by');
  t.equal(await asked('/markets?limit=1&closed=true'), null);
  t.equal(
    await asked('/markets?next_cursor=&closed=true&page=2'),
    'page, closed',
    'the other form',
  );
  // In the past a name of every object counted as a parameter of the other form.
  t.equal(await asked('/markets?next_cursor=&toString=1'), 'toString');
  t.equal(await asked('/gamma/markets?next_cursor=MA==&limit=1'), 'next_cursor');
  t.equal(await asked('/book?token_id=5&side=BUY'), 'side', 'also where the request fails');
  t.match((await get('/markets?rewards_min_size=5')).body, {
    code: 'parameter_not_served',
    field: 'rewards_min_size',
  });
});

t.test('markets are found by the resolution status that they show', async (t) => {
  // Safe: a test below checks the schema.
  const shown = (await get('/markets?limit=100')).body as readonly Readonly<
    Record<string, string>
  >[];
  for (const status of ['proposed', 'resolved', 'disputed']) {
    const expected = shown.filter((one) => one.umaResolutionStatus === status).map(({ id }) => id);
    t.equal(expected.length > 0, status !== 'disputed', `${expected.length} ${status}`);
    const path = `/markets?limit=100&uma_resolution_status=${status}`;
    t.same(idsOf((await get(path)).body), expected, status);
    t.same(idsOf((await informationOf({ umaResolutionStatus: status })).body), expected, status);
  }
});

/** The answer of POST /markets/information. */
async function informationOf(asked: object, prefix = '/gamma') {
  const response = await fetch(`${server.running.url}${prefix}/markets/information`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

t.test('POST /markets/information is GET /markets with its filters in the body', async (t) => {
  const all = rows.map(({ market }) => market);
  const ids = all.map(({ id }) => Number(id));
  const tokens = [first, second].flatMap(tokensOf);
  const same: readonly (readonly [body: object, query: string])[] = [
    [{ id: ids }, `id=${ids.join()}&limit=100`],
    [{ conditionIds: [upper, other.conditionId] }, `condition_ids=${upper},${other.conditionId}`],
    [{ clobTokenIds: tokens }, `clob_token_ids=${tokens.join()}`],
    [{ slug: [one.slug], includeTags: true }, `slug=${one.slug}&include_tag=true`],
    [{ questionIds: [one.questionID] }, `question_ids=${one.questionID}`],
    [{ closed: true, tagId: 7, limit: 3, offset: 1 }, 'closed=true&tag_id=7&limit=3&offset=1'],
    [
      { volumeNumMin: 40.5, endDateMin: '2028-01-01' },
      'volume_num_min=40.5&end_date_min=2028-01-01',
    ],
    [{ sportsMarketTypes: ['totals'], gameId: '41' }, 'sports_market_types=totals&game_id=41'],
    [{ cyom: false, relatedTags: true, slug: ['none'] }, 'slug=none'],
  ];
  for (const [asked, query] of same) {
    const { status, body } = await informationOf(asked);
    t.equal(status, 200, query);
    t.same(
      body,
      (await get(`/gamma/markets?${query}&limit=100`.replace(/(limit=3.*)&.*/, '$1'))).body,
    );
  }
  t.equal(idsOf((await informationOf({ id: ids }, '')).body).length, ids.length, 'without prefix');
  const refused: readonly (readonly [body: object, told: object])[] = [
    [{ id: ['x'] }, { code: 'invalid_payload', field: /^id/ }],
    [{ slug: Array(101).fill('a') }, { code: 'too_many_items', field: 'slug', limit: 100 }],
    [{ conditionIds: ['0x12'] }, { code: 'invalid_parameter', field: 'conditionIds' }],
    [{ endDateMax: 'soon' }, { code: 'invalid_parameter', field: 'endDateMax' }],
    [{ cyom: true }, { code: 'parameter_not_served', field: 'cyom' }],
    [{ rewardsMinSize: 5 }, { code: 'parameter_not_served', field: 'rewardsMinSize' }],
    [
      { tokenIds: tokens },
      { code: 'parameter_not_served', field: 'tokenIds', reason: /clobTokenIds/ },
    ],
  ];
  for (const [asked, told] of refused) {
    t.match(await informationOf(asked), { status: 400, body: told }, JSON.stringify(asked));
  }
});

t.test('GET /gamma/status and /status say OK in plain text', async (t) => {
  for (const path of ['/gamma/status', '/status']) {
    const response = await fetch(server.running.url + path);
    t.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
    t.strictSame([response.status, await response.text()], [200, 'OK']);
  }
});

t.test('include_tag shows the tags of the event in each market', async (t) => {
  const tags = first.event.tags.map(({ slug }) => ({ slug }));
  const paths = [`slug/${one.slug}`, one.id, one.conditionId, `?slug=${one.slug}`].flatMap(
    (name) => {
      const path = `/markets${name.startsWith('?') ? '' : '/'}${name}`;
      return [[path, `${path}${path.includes('?') ? '&' : '?'}include_tag=true`] as const];
    },
  );
  for (const [plain, tagged] of paths) {
    const [without, with_] = [(await get(plain)).body, (await get(tagged)).body].map((body) =>
      Array.isArray(body) ? body[0] : body,
    );
    t.match(with_.tags, tags, tagged);
    t.notMatch(without.tags ?? [], tags, plain);
    t.same({ ...with_, tags: 0 }, { ...without, tags: 0 }, 'and nothing else');
  }
});

type Key = (row: Row) => string | number;
const orders: readonly (readonly [query: string, keys: readonly Key[], isAscending: boolean])[] = [
  ['', [], true],
  ['ascending=false', [], true],
  ['order=id', [], false],
  ['order=id&ascending=true', [], true],
  ['order=endDate', [({ market }) => market.endDate], false],
  ['order=end_date&ascending=true', [({ market }) => market.endDate], true],
  ['order=question&ascending=1', [({ market }) => market.question], true],
  ['order=slug', [({ market }) => market.slug], false],
  [
    'order=closed,createdAt',
    [({ market }) => Number(market.closed), ({ market }) => market.createdAt],
    false,
  ],
  ['order=active&order=start_date&ascending=true', [({ market }) => Number(market.active)], true],
  ['order=volume', [({ market }) => Number(figure(market, 'volume'))], false],
  ['order=volumeNum&ascending=true', [({ market }) => Number(figure(market, 'volume'))], true],
  ['order=liquidity_num', [({ market }) => Number(figure(market, 'liquidityNum'))], false],
  ['order=updatedAt, createdAt', [({ market }) => market.createdAt], false],
];

function sorted(keys: readonly Key[], isAscending: boolean): string[] {
  return rows
    .toSorted((a, b) => {
      for (const keyOf of [...keys, ({ market }: Row) => Number(market.id)]) {
        const [left, right] = [keyOf(a), keyOf(b)];
        if (left !== right) return left < right === isAscending ? -1 : 1;
      }
      return 0;
    })
    .map(({ market }) => market.id);
}

t.test('a list is sorted by its order parameter and paged', async (t) => {
  for (const [query, keys, isAscending] of orders) {
    const expected = sorted(keys, isAscending);
    const { body } = await get(`/markets?limit=100&${query}`);
    t.same(idsOf(body), expected, query);
    const page = await get(`/markets?limit=7&offset=9&${query}`);
    t.same(idsOf(page.body), expected.slice(9, 16), `a part of ${query}`);
  }
  t.equal(idsOf((await get('/markets')).body).length, 20, 'twenty by default');
  t.same((await get('/markets?offset=1000')).body, []);
});

const badQueries: readonly (readonly [query: string, field: string, limit: string | number])[] = [
  ['limit=0', 'limit', '1..100'],
  ['limit=-1', 'limit', '1..100'],
  ['limit=ten', 'limit', 'integer'],
  ['limit=1.5', 'limit', 'integer'],
  ['limit=1e1', 'limit', 'integer'],
  ['offset=-1', 'offset', 0],
  ['offset=x', 'offset', 'integer'],
  ['offset=99999999999999999999', 'offset', 'integer'],
  ['active=maybe', 'active', 'boolean'],
  ['closed=2', 'closed', 'boolean'],
  ['archived=no', 'archived', 'boolean'],
  ['ascending=down', 'ascending', 'boolean'],
  ['tag_id=weather', 'tag_id.0', 'integer'],
  ['question_ids=x', 'question_ids', '0x and 64 hex digits'],
  ['event_id=-5', 'event_id', 0],
  ['conditionId=0x12', 'conditionId', '0x and 64 hex digits'],
  ['condition_id=x', 'condition_id', '0x and 64 hex digits'],
  [`condition_ids=${hex(1)},x`, 'condition_ids', '0x and 64 hex digits'],
  ['clob_token_ids=5,x', 'clob_token_ids', 'a decimal uint256'],
  ['id=5,x', 'id.1', 'integer'],
  [`id=${'1,'.repeat(501)}`, 'id', 500],
];
const badOrders = ['title', 'bestBid', 'id,x', 'ID', 'm.id', 'id;DROP TABLE markets', 'record'];

t.test('invalid parameters of lists are refused', async (t) => {
  for (const surface of ['', '/gamma']) {
    for (const [query, field, limit] of badQueries) {
      const { status, body } = await get(`${surface}/markets?${query}`);
      t.equal(status, 400, query);
      t.match(body, { type: 'bad request', code: 'invalid_parameter', field, limit }, query);
      t.ok(isNamed(body), `${query} has an error text and the value`);
    }
    for (const order of badOrders) {
      const { status, body } = await get(`${surface}/markets?order=${encodeURIComponent(order)}`);
      t.equal(status, 422, order);
      t.match(body, {
        type: 'validation error',
        error: 'order fields are not valid',
        code: 'order_fields_invalid',
        field: 'order',
        limit: /^id, active, closed, question, slug, startDate, endDate, createdAt, updatedAt, /,
      });
    }
  }
});

function isNamed(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    String(body.error).startsWith('Invalid ') &&
    'actual' in body
  );
}

const SUMMARY = [
  ...['id', 'ticker', 'slug', 'title'],
  ...['description', 'resolutionSource', 'startDate', 'creationDate', 'endDate', 'image', 'icon'],
  ...['active', 'closed', 'archived', 'createdAt', 'updatedAt'],
];
/** The documented fields of a market that come from its record; the rest is `events`. */
const WORDS = [
  ...['id', 'question', 'conditionId', 'slug', 'resolutionSource', 'startDate', 'endDate'],
  ...['image', 'icon', 'description', 'outcomes', 'clobTokenIds', 'active', 'closed', 'archived'],
  ...['createdAt', 'updatedAt', 'questionID'],
  ...['orderPriceMinTickSize', 'orderMinSize', 'enableOrderBook', 'negRisk', 'groupItemTitle'],
] as const;

function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
function asFields(record: object): Fields {
  return Object.fromEntries(Object.entries(record));
}

t.test('every market is shown with the texts of its record', async (t) => {
  const { get } = unchanged;
  const { body } = await get('/markets?limit=100');
  t.ok(Compile(getMarkets.response).Check(body), 'as documented');
  for (const { market, event } of rows) {
    const record = builtinEvents()
      .flatMap((known) => known.markets)
      .find(({ id }) => id === market.id);
    const words = pick(asFields(record ?? {}), WORDS);
    // Safe: as documented, so a list of objects.
    const listed = (body as Fields[]).find(({ id }) => id === market.id) ?? {};
    t.same(pick(listed, WORDS), words, market.slug);
    const parent = asFields((await get(`/events/slug/${event.slug}`)).body ?? {});
    const { markets: _markets, tags: _tags, series: _series, ...whole } = parent;
    t.same(listed.events, [whole], 'its event without the lists');
    for (const path of [`/markets/${market.id}`, `/gamma/markets/${market.conditionId}`]) {
      const single = await get(path);
      t.ok(Compile(OneCatalogMarket).Check(single.body), path);
      t.same(pick(asFields(single.body ?? {}), WORDS), words);
      t.match(single.body, { events: [pick(event, SUMMARY)], acceptingOrders: true });
      t.same(asFields(single.body ?? {}).events, listed.events);
    }
  }
  const bare = { outcomePrices: '["0.5", "0.5"]' };
  t.match(body, [bare]);
  for (const name of ['bestBid', 'bestAsk', 'lastTradePrice', 'mirrorConditionId']) {
    t.notMatch(body, [{ [name]: /./ }], `${name} is absent if there is none`);
  }
});

const shared = ['question', 'description', 'active', 'closed', 'archived', 'icon', 'image'];

t.test('a market by condition id has both forms in one object', async (t) => {
  const { get } = unchanged;
  const { conditionId, id } = one;
  const merged = asFields((await get(`/markets/${conditionId}`)).body ?? {});
  const catalog = asFields((await get(`/gamma/markets/${conditionId}`)).body ?? {});
  const full = asFields((await get(`/clob/markets/${conditionId}`)).body ?? {});
  t.ok(Compile(MergedMarket).Check(merged));
  t.ok(Compile(FullMarket).Check(full));
  t.same(merged, { ...full, ...catalog });
  t.same(pick(full, shared), pick(catalog, shared), 'shared fields have equal values');
  t.equal(merged.outcomes, one.outcomes, 'a text, as in the catalog');
  t.same(full.outcomes, JSON.parse(one.outcomes), 'a list, as in the order book');
  t.equal(full.conditionId, undefined);
  t.equal(catalog.condition_id, undefined);
  const pages = (await get('/clob/markets')).body;
  t.match(pages, { data: [{ condition_id: String }] });
  t.same((await get(`/data/markets/${conditionId}`)).body, merged);
  t.same((await get(`/markets/${upper}`)).body, merged, 'in upper case too');
  t.same((await get(`/gamma/markets/${id}`)).body, catalog);
  t.same((await get(`/clob/markets/${id}`)).body, full);
});

const notThere: readonly (readonly [path: string, status: number, body: object])[] = [
  ['/markets/999', 404, { error: 'id not found', code: 'id_not_found' }],
  ['/clob/markets/999', 404, { error: 'market not found', code: 'market_not_found' }],
  [`/markets/${hex(1)}`, 404, { error: 'market not found', code: 'market_not_found' }],
  [`/clob/markets/${hex(1)}`, 404, { error: 'market not found', code: 'market_not_found' }],
  ['/gamma/markets/999', 404, { type: 'not found error', error: 'id not found' }],
  [`/gamma/markets/${hex(1)}`, 404, { type: 'not found error', error: 'id not found' }],
  ['/gamma/markets/0x12', 400, { type: 'bad request', error: 'Invalid id', field: 'id' }],
  ['/markets/rain', 400, { error: 'Invalid id', code: 'invalid_parameter', actual: 'rain' }],
  ['/markets/', 400, { error: 'Invalid id', code: 'invalid_parameter' }],
  [`/markets/${hex(1)}0`, 400, { error: 'Invalid id', code: 'invalid_parameter' }],
  [`/markets/${'9'.repeat(16)}`, 400, { error: 'Invalid id', code: 'invalid_parameter' }],
  [`/markets/${one.id}?creator=0xnobody`, 404, { code: 'id_not_found' }],
];

t.test('an unknown market is refused in the error form of the surface', async (t) => {
  for (const [path, status, body] of notThere) {
    const answer = await get(path);
    t.equal(answer.status, status, path);
    t.match(answer.body, body, path);
  }
});

async function byCreator({ get }: MarketServer, row: Row, creator: string): Promise<number> {
  return (await get(`/markets/${row.market.id}?creator=${creator}`)).status;
}

t.test('a market by id is found only for its own creator', async (t) => {
  for (const row of rows) {
    const { creator } = row.event;
    t.equal(await byCreator(server, row, String(creator).toUpperCase()), 200, 'its own');
    t.equal(await byCreator(server, row, '0xABCD'), creator === '0xAbCd' ? 200 : 404);
  }
});

const share = await shareTestExchange(t);

t.test('prices of the catalog form come from the live book', async (t) => {
  const exchange = share();
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = exchange.plain.tokenIds;
  const buy = { side: 'BUY', lots: 1_000 } as const;
  await alice.place({ ...buy, tokenId: yes, priceTicks: 4_500 });
  await bob.place({ ...buy, tokenId: no, priceTicks: 5_500 });
  await alice.place({ ...buy, tokenId: yes, priceTicks: 4_000 });
  await bob.place({ ...buy, tokenId: no, priceTicks: 5_700 });
  const { body } = await exchange.send('GET', `/markets?clob_token_ids=${no}`);
  t.match(body, [
    {
      conditionId: exchange.plain.conditionId,
      outcomePrices: '["0.415", "0.585"]',
      bestBid: 0.4,
      bestAsk: 0.43,
      lastTradePrice: 0.45,
    },
  ]);
  t.equal(body.length, 1);
});
