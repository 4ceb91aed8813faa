// Compares GET /events over HTTP with filters in memory, also when a client reads it by cursors.
import t from 'tap';
import { builtinEvents, type EventRecord } from '../../../catalog/builtin/index.ts';
import { KUEST } from '../../default-settings.ts';
import { startMarketServer } from '../../http/routes/market-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The built-in events, with different states, figures and dates. */
const events: readonly (EventRecord & Fields)[] = builtinEvents().map((event, place) => ({
  ...event,
  creator: ['0xAbCd', '0xffff', ''][place % 3] ?? '',
  active: place % 4 !== 0,
  closed: place % 3 === 0,
  archived: place % 5 === 0,
  featured: place % 2 === 0,
  volume: (place * 37) % 100,
  liquidity: (place * 53) % 70,
  competitive: place / 100,
  startDate: `2026-0${1 + (place % 9)}-01T00:00:00Z`,
  ...gameFields(place),
  createdAt: `2026-0${1 + ((place * 5) % 9)}-02T03:04:05Z`,
}));

/** Fields of events on games, as sources give them. */
function gameFields(place: number): Fields {
  if (place % 3 === 0) return {};
  return {
    startTime: `2026-0${1 + (place % 9)}-03T19:30:00Z`,
    eventDate: `2026-0${1 + (place % 9)}-03`,
    eventWeek: place % 4,
    gameId: 500 + (place % 5),
    parentEventId: 11 + (place % 2),
    featuredOrder: (place * 7) % 11,
  };
}

type Row = EventRecord & Fields;
function hasTag({ tags }: Row, key: 'id' | 'slug', value: string): boolean {
  return tags.some((tag) => tag[key] === value);
}
function inSeries({ series }: Row, slug: string): boolean {
  return series.some((one) => one.slug === slug);
}
function numberOf(event: Row, name: string): number {
  return Number(event[name]);
}

const filters: readonly (readonly [query: string, keeps: (event: Row) => boolean])[] = [
  ['active=true', ({ active }) => active],
  ['active=false', ({ active }) => !active],
  ['closed=1', ({ closed }) => closed],
  ['closed=false', ({ closed }) => !closed],
  ['archived=TRUE', ({ archived }) => archived],
  ['active=true&closed=false&archived=false', (one) => one.active && !one.closed && !one.archived],
  ['tag=weather', (one) => hasTag(one, 'slug', 'weather')],
  ['tag_slug=crypto', (one) => hasTag(one, 'slug', 'crypto')],
  ['tag_id=7', (one) => hasTag(one, 'id', '7')],
  ['tag_id=7&related_tags=true', (one) => hasTag(one, 'id', '7')],
  ['tag_id=7&tag_id=3', (one) => hasTag(one, 'id', '7') || hasTag(one, 'id', '3')],
  ['recurrence=DAILY', (one) => one.series.some(({ recurrence }) => recurrence === 'daily')],
  ['exclude_tag_id=7', (one) => !hasTag(one, 'id', '7')],
  [
    'exclude_tag_id=7&exclude_tag_id=3',
    (one) => !hasTag(one, 'id', '7') && !hasTag(one, 'id', '3'),
  ],
  [
    'tag=sports&exclude_tag_id=4',
    (one) => hasTag(one, 'slug', 'sports') && !hasTag(one, 'id', '4'),
  ],
  ['series_slug=fed-interest-rates', (one) => inSeries(one, 'fed-interest-rates')],
  ['series_id=2', (one) => one.series.some(({ id }) => id === '2')],
  ['slug=port-meridian-mayor-2027', ({ slug }) => slug === 'port-meridian-mayor-2027'],
  ['id=11&id=12', ({ id }) => id === '11' || id === '12'],
  ['id=11,12', ({ id }) => id === '11' || id === '12'],
  ['featured=true', ({ featured }) => featured === true],
  ['featured=false', ({ featured }) => featured !== true],
  ['volume_min=40', (one) => numberOf(one, 'volume') >= 40],
  ['volume_min=20&volume_max=60.5', (one) => within(numberOf(one, 'volume'), 20, 60.5)],
  ['liquidity_max=30', (one) => numberOf(one, 'liquidity') <= 30],
  ['liquidity_min=10&liquidity_max=53', (one) => within(numberOf(one, 'liquidity'), 10, 53)],
  ['start_date_min=2026-05-01', ({ startDate }) => startDate >= '2026-05-01'],
  ['start_date_max=2026-05-01T00:00:00Z', ({ startDate }) => startDate <= '2026-05-01T00:00:00Z'],
  ['start_date_min=2026-05-01T02:00:00%2B02:00', ({ startDate }) => startDate >= '2026-05-01'],
  ['end_date_min=2028-01-01', ({ endDate }) => endDate >= '2028-01-01'],
  ['end_date_max=2027-12-31', ({ endDate }) => endDate <= '2027-12-31'],
  ['creator=0xABCD', ({ creator }) => creator === '0xAbCd'],
  ['start_time_min=2026-05-01', ({ startTime = '' }) => `${startTime}` >= '2026-05-01'],
  [
    'start_time_max=2026-05-03T21:30:00%2B02:00',
    ({ startTime }) => startTime !== undefined && `${startTime}` <= '2026-05-03T19:30:00Z',
  ],
  ['event_date=2026-05-03', ({ eventDate }) => eventDate === '2026-05-03'],
  ['event_date=2026-05-03T10:00:00Z', ({ eventDate }) => eventDate === '2026-05-03'],
  ['event_week=2', ({ eventWeek }) => eventWeek === 2],
  ['game_id=501&game_id=503', ({ gameId }) => gameId === 501 || gameId === 503],
  ['parent_event_id=12', ({ parentEventId }) => parentEventId === 12],
  ['partner_slug=x&parent_event_id=12', ({ parentEventId }) => parentEventId === 12],
  ['title_search=MAYOR', ({ title }) => /mayor/i.test(title)],
  ['title_search=%20r%20of%20 ', ({ title }) => /r of/i.test(title)],
  ['title_search=ma', ({ title }) => /ma/i.test(title)],
  ['title_search=a', ({ title }) => /a/i.test(title)],
  ['title_search=&tag=&slug=&creator=&order=&closed=&volume_min=&unknown=1', () => true],
];

function within(value: number, low: number, high: number): boolean {
  return low <= value && value <= high;
}

// Safe: the forms are checked in shapes.test.ts.
function idsOf(body: unknown): string[] {
  return (body as { readonly id: string }[]).map(({ id }) => id);
}
const sortedById = events.toSorted((a, b) => Number(a.id) - Number(b.id));

/** The tests only read, so they share one server. */
const { get, running } = await startMarketServer(t, events);

t.test('every filter returns the same events as a filter in memory', async (t) => {
  for (const [query, keeps] of filters) {
    const expected = sortedById.filter(keeps).map(({ id }) => id);
    t.ok(expected.length > 0, `${query} finds something`);
    for (const surface of ['', '/gamma']) {
      const { status, body } = await get(`${surface}/events?limit=100&${query}`);
      t.equal(status, 200, query);
      t.same(idsOf(body), expected, query);
    }
    // Safe: shapes.test.ts compares the answers with their schemas.
    const { data, pagination } = (await get(`/events/pagination?limit=3&${query}`)).body as Fields;
    t.same(idsOf(data), expected.slice(0, 3), query);
    const [totalResults, hasMore] = [expected.length, expected.length > 3];
    t.same(pagination, { hasMore, totalResults }, query);
  }
  for (const query of [
    'title_search="',
    'event_week=9',
    'tag=none',
    'id=5',
    'slug=none',
    'series_slug=none',
    'creator=a-site',
  ]) {
    t.same((await get(`/events?${query}`)).body, [], query);
  }
});

const orders: readonly (readonly [query: string, keys: readonly string[], isAscending: boolean])[] =
  [
    ['', [], true],
    ['ascending=false', [], true],
    ['order=id', [], false],
    ['order=title&ascending=true', ['title'], true],
    ['order=slug', ['slug'], false],
    ['order=ticker&ascending=1', ['ticker'], true],
    ['order=startDate', ['startDate'], false],
    ['order=start_date,end_date&ascending=true', ['startDate', 'endDate'], true],
    ['order=creationDate', ['creationDate'], false],
    ['order=createdAt&order=title', ['createdAt', 'title'], false],
    ['order=volume', ['volume'], false],
    ['order=liquidity&ascending=true', ['liquidity'], true],
    ['order=competitive', ['competitive'], false],
  ];

function compare(left: Row, right: Row, keys: readonly string[]): number {
  for (const key of keys) {
    const [a, b] = [left[key], right[key]];
    if (a !== b) return (typeof a === 'number' ? a < Number(b) : `${a}` < `${b}`) ? -1 : 1;
  }
  return Number(left.id) - Number(right.id);
}

function sorted(keys: readonly string[], isAscending: boolean): string[] {
  return events
    .toSorted((a, b) => compare(a, b, keys) * (isAscending ? 1 : -1))
    .map(({ id }) => id);
}

t.test('a list is sorted by its order parameter and paged', async (t) => {
  for (const [query, keys, isAscending] of orders) {
    const expected = sorted(keys, isAscending);
    t.same(idsOf((await get(`/events?limit=100&${query}`)).body), expected, query);
    const part = await get(`/events?limit=4&offset=5&${query}`);
    t.same(idsOf(part.body), expected.slice(5, 9), `a part of ${query}`);
  }
  t.equal(idsOf((await get('/events')).body).length, Math.min(20, events.length), 'by default');
  t.same((await get('/events?offset=1000')).body, []);
  const totalResults = events.length;
  for (const [offset, hasMore] of [
    [totalResults - 5, true],
    [totalResults - 4, false],
    [1_000, false],
  ] as const) {
    const { body } = await get(`/events/pagination?limit=4&offset=${offset}`);
    t.match(body, { pagination: { hasMore, totalResults } }, `from ${offset}`);
  }
});

t.test('featured events come first in their order, and no other order counts then', async (t) => {
  const rankOf = ({ featuredOrder = 99 }: Row) => Number(featuredOrder);
  const expected = sortedById.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ id }) => id);
  for (const query of [
    'featured_order=true',
    'order=featuredOrder&ascending=true&featured_order=true',
    'order=featured_order&ascending=true&featured_order=false',
  ]) {
    t.same(idsOf((await get(`/events?limit=100&${query}`)).body), expected, query);
  }
  t.match(await get('/events/keyset?featured_order=true&order=volume'), {
    status: 400,
    body: { code: 'invalid_parameter', field: 'featured_order', actual: 'order=volume' },
  });
});

t.test(
  'with cursors a client reads each element once, and the last page has no cursor',
  async (t) => {
    for (const [kind, path, all] of [
      ['events', '/events/keyset', sorted(['title'], true)],
      ['markets', '/markets/keyset', undefined],
    ] as const) {
      const order = kind === 'events' ? 'order=title&ascending=true' : 'closed=false';
      const expected = all ?? idsOf((await get('/markets?limit=100&closed=false')).body);
      const read: string[] = [];
      let cursor: unknown = '';
      for (let pages = 0; cursor !== undefined && pages < 50; pages += 1) {
        const { status, body } = await get(`${path}?limit=3&${order}&after_cursor=${cursor}`);
        t.equal(status, 200);
        // Safe: shapes.test.ts compares the answers with their schemas.
        const page = body as Readonly<Record<string, unknown>>;
        read.push(...idsOf(page[kind]));
        cursor = page.next_cursor;
      }
      t.same(read, expected, kind);
      t.equal(cursor, undefined);
      t.equal((await get(`${path}?after_cursor=x`)).status, 400);
      t.match((await get(`${path}?offset=3`)).body, { field: 'offset' });
    }
  },
);

interface Next {
  readonly next_cursor?: string;
}

// In the past cursors were offsets: a client missed as many items as had left the list before.
t.test('what leaves the list while a client reads it moves nothing', async (t) => {
  const { write } = running.services.exchange.catalog;
  const nowIso = '2026-01-01T00:00:00Z';
  const archive = async ({ id }: Row) => {
    const said = { by: 'test', reason: 'test' };
    await write.edit({ kind: 'event', id: Number(id), changes: { archived: true }, nowIso, said });
  };
  const end = async ({ conditionId }: { readonly conditionId: string }) => {
    await write.markEnded(new Map([[conditionId, nowIso]]));
  };
  for (const [kind, filter, leave] of [
    ['events', 'archived=false&order=title', archive],
    ['markets', 'closed=false&order=volume', end],
  ] as const) {
    const list = `/${kind}/keyset?${filter}&limit=3`;
    const expected = idsOf((await get(`/${kind}?${filter}&limit=100`)).body);
    const read: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      type Page = Record<typeof kind, (Row & { readonly conditionId: string })[]>;
      // Safe: shapes.test.ts compares the answers with their schemas.
      const page = (await get(`${list}&after_cursor=${cursor}`)).body as Page & Next;
      read.push(...idsOf(page[kind]));
      for (const one of page[kind]) await leave(one);
      cursor = page.next_cursor;
      if (cursor === undefined) continue;
      const other = await get(`/${kind}/keyset?limit=3&after_cursor=${cursor}`);
      t.match(other, { status: 400, body: { field: 'after_cursor', code: 'invalid_cursor' } });
    }
    t.same(read, expected);
    t.ok(read.length > 9, kind);
  }
});

const badQueries: readonly (readonly [query: string, field: string, limit: string | number])[] = [
  ['limit=0', 'limit', '1..100'],
  ['limit=-1', 'limit', '1..100'],
  ['limit=ten', 'limit', 'integer'],
  ['limit=1.5', 'limit', 'integer'],
  ['offset=-1', 'offset', 0],
  ['offset=99999999999999999999', 'offset', 'integer'],
  ['featured=maybe', 'featured', 'boolean'],
  ['tag_id=weather', 'tag_id', 'integer'],
  ['exclude_tag_id=1,x', 'exclude_tag_id.1', 'integer'],
  ['volume_min=much', 'volume_min', 'number'],
  ['start_date_min=yesterday', 'start_date_min', 'a day or a time in ISO 8601'],
  ['end_date_min=2026-02-30', 'end_date_min', 'a day or a time in ISO 8601'],
  ['end_date_max=2026-13-40', 'end_date_max', 'a day or a time in ISO 8601'],
  [`slug=${'a,'.repeat(501)}`, 'slug', 500],
];

t.test(
  'invalid parameters of event lists are refused in the error form of the catalog',
  async (t) => {
    for (const [query, field, limit] of badQueries) {
      const { status, body } = await get(`/events?${query}`);
      t.equal(status, 400, query);
      t.match(body, { type: 'bad request', code: 'invalid_parameter', field, limit }, query);
      t.match(body, { error: /^Invalid / });
    }
    for (const order of ['question', 'TITLE', 'id;DROP TABLE events', 'record']) {
      const { status, body } = await get(`/events?order=${encodeURIComponent(order)}`);
      t.equal(status, 422, order);
      t.match(body, { type: 'validation error', error: 'order fields are not valid' });
    }
  },
);

t.test('a limit that is too high is clamped, or refused in the dialect kuest', async (t) => {
  t.equal(idsOf((await get('/events?limit=500')).body).length, events.length);
  const kuest = await startMarketServer(t, events, { profile: KUEST });
  const { status, body } = await kuest.get('/events?limit=101');
  t.equal(status, 400);
  t.match(body, { code: 'invalid_parameter', field: 'limit', limit: '1..100', actual: 101 });
  t.equal(idsOf((await kuest.get('/events?limit=100')).body).length, events.length);
});
