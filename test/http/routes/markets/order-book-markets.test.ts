// The four order-book lists of markets over HTTP: forms, prices, cursors and prefixes.
import t, { type Test } from 'tap';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ROUTES } from '../../../all-routes.ts';
import { eventRecord, hex, marketRecord } from '../../../catalog/fixture.ts';
import { times } from '../../../long-set.ts';
import { startTestExchange } from '../../exchange-fixture.ts';
import { startMarketServer } from '../market-server.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Page {
  readonly data: readonly Fields[];
  readonly next_cursor: string;
  readonly limit: number;
  readonly count: number;
}

// The tables of the published interface, copied by hand, not from the program.
const FULL = {
  enable_order_book: 'boolean',
  active: 'boolean',
  closed: 'boolean',
  archived: 'boolean',
  accepting_orders: 'boolean',
  accepting_order_timestamp: 'date',
  minimum_order_size: 'number',
  minimum_tick_size: 'number',
  condition_id: 'string',
  question_id: 'string',
  question: 'string',
  description: 'string',
  market_slug: 'string',
  end_date_iso: 'date',
  game_start_time: 'date',
  seconds_delay: 'number',
  fpmm: 'string',
  maker_base_fee: 'number',
  taker_base_fee: 'number',
  notifications_enabled: 'boolean',
  neg_risk: 'boolean',
  neg_risk_market_id: 'string',
  neg_risk_request_id: 'string',
  icon: 'string',
  image: 'string',
  rewards: 'rewards',
  is_50_50_outcome: 'boolean',
  tokens: 'tokens',
  tags: 'strings',
  itode: 'boolean',
  taker_order_delay_ms: 'number',
  order_age_seconds: 'number',
  blockaid_check_enabled: 'boolean',
  scanner_check_enabled: 'boolean',
} as const;
const FULL_ALONE = [
  'itode',
  'taker_order_delay_ms',
  'order_age_seconds',
  'blockaid_check_enabled',
  'scanner_check_enabled',
];
const SAMPLING = {
  ...Object.fromEntries(Object.entries(FULL).filter(([name]) => !FULL_ALONE.includes(name))),
  creator: 'string',
  mirror_condition_id: 'string',
  tokens: 'mirrored tokens',
};
const SIMPLIFIED = {
  condition_id: 'string',
  creator: 'string',
  mirror_condition_id: 'string',
  status: 'string',
  slug: 'string',
  question: 'string',
  neg_risk: 'boolean',
  active: 'boolean',
  closed: 'boolean',
  archived: 'boolean',
  accepting_orders: 'boolean',
  market_id: 'number',
  tokens: 'mirrored tokens',
  rewards: 'rewards',
  assets_ids: 'strings',
  outcomes: 'strings',
} as const;

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isToken(value: unknown, isMirrored: boolean): boolean {
  return (
    isObject(value) &&
    /^\d+$/.test(String(value.token_id)) &&
    typeof value.outcome === 'string' &&
    typeof value.price === 'number' &&
    typeof value.winner === 'boolean' &&
    (isMirrored ? typeof value.mirror_token_id === 'string' : !('mirror_token_id' in value))
  );
}

function isRewards(value: unknown): boolean {
  return (
    isObject(value) &&
    Array.isArray(value.rates) &&
    typeof value.min_size === 'number' &&
    typeof value.max_spread === 'number'
  );
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'date') return value === null || (typeof value === 'string' && ISO.test(value));
  if (type === 'rewards') return isRewards(value);
  if (type === 'strings') {
    return Array.isArray(value) && value.every((one) => typeof one === 'string');
  }
  if (!type.endsWith('tokens')) return typeof value === type;
  if (!Array.isArray(value) || value.length !== 2) return false;
  return value.every((one) => isToken(one, type.startsWith('mirrored')));
}

function wrongFields(market: Fields, types: Readonly<Record<string, string>>): string[] {
  return Object.entries(types)
    .filter(([name, type]) => !isOfType(market[name], type))
    .map(([name]) => `${name} is ${JSON.stringify(market[name])}`);
}

const LISTS = [
  ['/markets', FULL],
  ['/sampling-markets', SAMPLING],
  ['/simplified-markets', SIMPLIFIED],
  ['/sampling-simplified-markets', SIMPLIFIED],
] as const;

function responseOf(path: string) {
  return ROUTES.find((route) => route.path === path)?.response ?? Type.Never();
}

// Safe: the first test checks the whole body against the documented schema.
function pageOf(body: unknown): Page {
  return body as Page;
}

/** An exchange with the built-in catalog. */
const exchange = await startTestExchange(t);

t.test('every market of the built-in catalog has every field in each list', async (t) => {
  for (const [path, types] of LISTS) {
    const { status, headers, body } = await exchange.send('GET', `${path}?next_cursor=MA==`);
    const contentType = headers.get('content-type');
    t.match({ status, contentType }, { status: 200, contentType: 'application/json' }, path);
    t.ok(Compile(responseOf(path)).Check(body), 'as documented');
    const { data, ...bounds } = pageOf(body);
    t.same(bounds, { next_cursor: 'LTE=', limit: 500, count: 50 });
    t.equal(data.length, 50);
    t.same(
      data.flatMap((market) => wrongFields(market, types)),
      [],
      `${path} has all fields`,
    );
  }
  const [sampled] = pageOf((await exchange.send('GET', '/sampling-markets')).body).data;
  for (const name of FULL_ALONE) t.notOk(sampled && name in sampled, `no ${name} in a sample`);
});

function sparse(number: number, changes: object): Fields {
  return marketRecord(number, { ...changes });
}
const STATES: readonly Fields[] = [
  sparse(1, {}),
  sparse(2, { closed: true }),
  sparse(3, { acceptingOrders: false }),
  sparse(4, { archived: true }),
  sparse(5, { active: false }),
  sparse(6, { enableOrderBook: false }),
  sparse(7, {}),
];

t.test('the sampling lists leave out markets that accept no orders', async (t) => {
  const { get, running } = await startMarketServer(t, [eventRecord(1, { markets: STATES })]);
  const read = async (path: string) => pageOf((await get(path)).body);
  const statuses = (await read('/simplified-markets')).data.map(({ status }) => status);
  t.same(statuses, ['active', 'closed', 'paused', 'closed', 'paused', 'paused', 'active']);
  for (const path of ['/sampling-markets', '/sampling-simplified-markets']) {
    const { data, count, next_cursor } = await read(path);
    t.same(
      data.map(({ market_id }) => market_id),
      [1, 7],
    );
    t.match({ count, next_cursor }, { count: 2, next_cursor: 'LTE=' });
  }
  await running.services.exchange.catalog.write.importEvents([eventRecord(9)]);
  t.equal((await read('/simplified-markets')).data.length, 8);
  t.equal((await read('/sampling-markets')).data.length, 2, 'one the engine has not opened');
});

t.test('a page may begin with markets that the engine has not opened', async (t) => {
  const { get, running } = await startMarketServer(t, [eventRecord(700)]);
  const later = Array.from({ length: 60 }, (_, index) => eventRecord(index + 1));
  await running.services.exchange.catalog.write.importEvents(later);
  const { body } = await get('/sampling-markets');
  t.match(body, { data: [{ market_id: 700 }], count: 1, next_cursor: 'LTE=' });
});

t.test('missing texts are empty, and missing dates are null', async (t) => {
  const negRisk = eventRecord(2, {
    negRisk: true,
    tags: [{ id: '4', slug: 'some-tag', label: 'Some Tag' }],
    markets: [
      marketRecord(2, {
        endDate: '2027-06-01T00:00:00+02:00',
        gameStartTime: '2027-05-31 18:00:00+00',
        questionID: `0x${'12'.repeat(32)}`,
        mirrorConditionId: `0x${'34'.repeat(32)}`,
        mirrorClobTokenIds: '["71", "72"]',
        creator: '0xC0',
        orderPriceMinTickSize: 0.001,
        orderMinSize: 1.5,
      }),
      // A neg-risk event with a single market is not opened.
      marketRecord(3),
    ],
  });
  const { get } = await startMarketServer(t, [eventRecord(1), negRisk]);
  const { data } = pageOf((await get('/markets?next_cursor=')).body);
  t.match(data[0], {
    end_date_iso: null,
    game_start_time: null,
    accepting_order_timestamp: ISO,
    question_id: '',
    neg_risk_market_id: '',
    tags: [],
    minimum_tick_size: 0.01,
    minimum_order_size: 5,
  });
  t.match(data[1], {
    end_date_iso: '2027-05-31T22:00:00Z',
    game_start_time: '2027-05-31T18:00:00Z',
    question_id: `0x${'12'.repeat(32)}`,
    neg_risk: true,
    neg_risk_market_id: /^0x[0-9a-f]{64}$/,
    tags: ['some-tag'],
    minimum_tick_size: 0.001,
    minimum_order_size: 1.5,
    market_slug: 'market-2',
    slug: 'market-2',
    market_id: 2,
    event: { id: '2', slug: 'event-2', title: 'Event 2', ticker: 'event-2', description: '' },
  });
  const sampled = pageOf((await get('/sampling-markets')).body).data[1];
  t.match(sampled, {
    creator: '0xC0',
    mirror_condition_id: `0x${'34'.repeat(32)}`,
    tokens: [{ mirror_token_id: '71' }, { mirror_token_id: '72' }],
  });
});

t.test('prices come from the live book, in every list', async (t) => {
  const alice = await exchange.trader(1);
  const [yes, no] = exchange.plain.tokenIds;
  const bid = { tokenId: yes, side: 'BUY', priceTicks: 4_000, lots: 1_000 } as const;
  t.equal((await alice.place(bid)).status, 200);
  t.equal((await alice.place({ ...bid, tokenId: no, priceTicks: 5_000 })).status, 200);
  for (const [path] of LISTS) {
    const { body } = await exchange.send('GET', `${path}?next_cursor=MA==`);
    const { data } = pageOf(body);
    const market = data.find(({ condition_id }) => condition_id === exchange.plain.conditionId);
    t.match(market, { tokens: [{ token_id: yes, price: 0.45 }, { price: 0.55 }] }, path);
  }
});

/** 1,023 markets: two full pages and a rest, slices and pages that end within an event. */
const MANY = Array.from({ length: 341 }, (_, index) =>
  eventRecord(index + 1, {
    markets: [0, 1, 2].map((place) =>
      marketRecord(3 * index + place + 1, { acceptingOrders: place > 0 }),
    ),
  }),
);

async function walk(
  get: (path: string) => Promise<{ readonly body: unknown }>,
  path: string,
  afterPage = async () => {},
): Promise<{ ids: unknown[]; counts: number[] }> {
  const ids: unknown[] = [];
  const counts: number[] = [];
  let cursor = 'MA==';
  while (cursor !== 'LTE=' && counts.length < 10) {
    const page = pageOf((await get(`${path}?next_cursor=${encodeURIComponent(cursor)}`)).body);
    ids.push(...page.data.map(({ market_id }) => market_id));
    counts.push(page.count);
    cursor = page.next_cursor;
    await afterPage();
  }
  return { ids, counts };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

t.test('the pages of a list have each market once', async (t) => {
  const { get, running } = await startMarketServer(t, MANY);
  const open = numbers(1_023).filter((id) => id % 3 !== 1);
  for (const [path] of LISTS) {
    const isSampling = path.startsWith('/sampling');
    const { ids, counts } = await walk(get, path);
    t.same(ids, isSampling ? open : numbers(1_023), path);
    t.same(counts, isSampling ? [500, 182] : [500, 500, 23]);
  }
  // In the past a client missed as many markets as had closed before its next page.
  const ends = new Map(numbers(300).map((id) => [hex(id), '2026-01-01T00:00:00Z']));
  const { write } = running.services.exchange.catalog;
  const { ids } = await walk(get, '/sampling-markets', () => write.markEnded(ends));
  t.same(ids, open, 'also when markets close meanwhile');
});

t.test('a page of long texts ends early, and the list still has each market once', async (t) => {
  const long = 'word '.repeat(9_990);
  const markets = numbers(520).map((id) => {
    const description = id % 26 === 0 ? '' : long;
    return marketRecord(id, { description, acceptingOrders: id % 7 !== 0 });
  });
  const { get } = await startMarketServer(t, [eventRecord(1, { markets })]);
  const { ids, counts } = await walk(get, '/markets');
  t.same(ids, numbers(520));
  t.ok(counts.length > 2 && counts.every((count) => count < 200), `${counts} markets a page`);
  const sampled = await walk(get, '/sampling-markets');
  t.same(
    sampled.ids,
    numbers(520).filter((id) => id % 7 !== 0),
  );
  t.same((await walk(get, '/simplified-markets')).counts, [500, 20], 'short ones are not cut');
});

t.test('a page with some long texts is full', async (t) => {
  const markets = numbers(520).map((id) =>
    marketRecord(id, { description: id < 30 ? 'word '.repeat(9_990) : '' }),
  );
  // A server each: a full page and a short one, or in a short run the full one alone.
  for (const number of [520, 29].slice(0, times(1, 2))) {
    const event = eventRecord(1, { markets: markets.slice(0, number) });
    const { get } = await startMarketServer(t, [event]);
    const counts = number > 500 ? [500, number - 500] : [number];
    t.same(await walk(get, '/markets'), { ids: numbers(number), counts });
  }
});

/** Nine markets, only read. */
const { get } = await startMarketServer(t, MANY.slice(0, 3));

const refusedCursors = ['LTE=', 'abc', '100', 'LTU=', 'MS41', '=', 'MA', 'ICAx'];

async function cursorTraps(t: Test, surface: string): Promise<void> {
  for (const [name] of LISTS) {
    const path = `${surface}${name}`;
    const first = (await get(`${path}?next_cursor=MA%3D%3D`)).body;
    t.match(first, { count: name.startsWith('/sampling') ? 6 : 9, next_cursor: 'LTE=' }, path);
    t.same((await get(`${path}?next_cursor=`)).body, first, 'an empty cursor is the first page');
    t.same((await get(`${path}?next_cursor`)).body, first, 'and so is one without "="');
    t.same((await get(`${path}?next_cursor=abc&next_cursor=MA==`)).body, first, 'the last counts');
    const further = '&limit=0&offset=x&unknown=1';
    t.same((await get(`${path}?next_cursor=MA==${further}`)).body, first, 'the rest is ignored');
    const second = pageOf((await get(`${path}?next_cursor=Mg==`)).body);
    t.same(second.data, pageOf(first).data.slice(2), 'an offset inside a page');
    const past = (await get(`${path}?next_cursor=OTk5OTk5`)).body;
    t.same(past, { data: [], next_cursor: 'LTE=', limit: 500, count: 0 }, 'past the end');
    for (const cursor of refusedCursors) {
      const { status, body } = await get(`${path}?next_cursor=${encodeURIComponent(cursor)}`);
      t.equal(status, 400, `${path} ${cursor}`);
      t.match(body, {
        error: 'next item should be greater than or equal to 0',
        code: 'invalid_cursor',
        field: 'next_cursor',
        actual: cursor,
      });
    }
  }
}
t.test('malformed cursors are refused', async (t) => cursorTraps(t, ''));
t.test('malformed cursors are refused under /clob', async (t) => cursorTraps(t, '/clob'));

t.test('GET /markets without a cursor depends on the surface', async (t) => {
  const pages = ['/clob/markets', '/clob/markets?limit=0&order=x', '/markets?next_cursor'];
  for (const path of [...pages, '/data/markets?next_cursor=']) {
    const { status, body } = await get(path);
    t.equal(status, 200, path);
    t.match(body, { count: 9, data: [{ market_slug: 'market-1' }] }, path);
  }
  const lists = ['/markets', '/gamma/markets', '/gamma/markets?next_cursor=LTE='];
  for (const path of [...lists, '/data/markets', '/markets?nextcursor=MA==']) {
    const { status, body } = await get(path);
    t.equal(status, 200, path);
    t.ok(Array.isArray(body) && body.length === 9, path);
    t.match(body, [{ id: '1', conditionId: String }], path);
  }
});

t.test('an empty catalog has one empty page', async (t) => {
  const { get } = await startMarketServer(t, []);
  for (const [path] of LISTS) {
    const { body } = await get(`${path}?next_cursor=MA==`);
    t.same(body, { data: [], next_cursor: 'LTE=', limit: 500, count: 0 });
  }
  t.same((await get('/markets')).body, []);
});
