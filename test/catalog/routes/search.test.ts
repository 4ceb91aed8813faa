// GET /public-search over HTTP: results, pages and fields.
import t from 'tap';
import { Compile } from 'typebox/compile';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import { SearchResult } from '../../../catalog/routes/market.ts';
import { startMarketServer } from '../../http/routes/market-server.ts';
import { INTERFACE_FIELDS } from './documented-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

const events = builtinEvents().map((event, place) => ({
  ...event,
  creator: place % 2 === 0 ? '0xAbCd' : '',
}));
function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part);
}

/** Whether a plain search of an event's fields finds a part (wire 8.5). */
function finds(event: (typeof events)[number], part: string): boolean {
  return (
    [event.title, event.slug, event.ticker].some((text) => has(text, part)) ||
    event.markets.some(({ question, slug }) => has(question, part) || has(slug, part))
  );
}

interface Found {
  readonly events: readonly (Fields & { readonly id: string })[];
  readonly tags: readonly Fields[];
  readonly pagination: { readonly hasMore: boolean; readonly totalResults: number };
}

const check = Compile(SearchResult);
// Safe: checked at each use.
function asFound(body: unknown): Found {
  return body as Found;
}

/** The tests only read, so they share one server. */
const { get } = await startMarketServer(t, events);

t.test('a search finds the same as a plain filter, in any spelling', async (t) => {
  for (const term of ['port', 'meridian', 'mayor', 'bitcoin', 'btc', 'rain', 'fed', 'elect']) {
    const expected = events.filter((event) => finds(event, term)).map(({ id }) => id);
    for (const written of [term, term.toUpperCase(), `%20${term}%20`]) {
      const { status, body } = await get(`/public-search?q=${written}&limit_per_type=100`);
      t.equal(status, 200, written);
      t.ok(check.Check(body), JSON.stringify([...check.Errors(body)].slice(0, 2)));
      const { events: found, pagination } = asFound(body);
      t.same(found.map(({ id }) => id).toSorted(), expected.toSorted(), term);
      t.same(pagination, { hasMore: false, totalResults: expected.length });
    }
  }
  t.same((await get('/public-search?q=nothinglikethis')).body, {
    events: [],
    tags: [],
    pagination: { hasMore: false, totalResults: 0 },
  });
});

t.test('tags are found by label and slug, unless the search excludes them', async (t) => {
  const { tags } = asFound((await get('/public-search?q=sport')).body);
  const count = events.filter((event) => event.tags.some(({ slug }) => slug === 'sports')).length;
  t.same(tags, [{ id: '3', label: 'Sports', slug: 'sports', event_count: count }]);
  t.same(Object.keys(tags[0] ?? {}).toSorted(), INTERFACE_FIELDS.foundTag.toSorted());
  t.same(asFound((await get('/public-search?q=sport&search_tags=false')).body).tags, []);
  const answer = await get('/public-search?q=sport&search_profiles=true');
  t.same(Object.keys(answer.body ?? {}).toSorted(), INTERFACE_FIELDS.search.toSorted());
});

t.test('pages do not overlap, and the last one says so', async (t) => {
  const all = asFound((await get('/public-search?q=will&limit_per_type=500')).body);
  t.ok(all.events.length > 4);
  const read: string[] = [];
  for (let page = 1; page <= 20; page += 1) {
    const path = `/public-search?q=will&limit_per_type=3&page=${page}`;
    const { events: found, pagination } = asFound((await get(path)).body);
    read.push(...found.map(({ id }) => id));
    t.equal(pagination.totalResults, all.pagination.totalResults);
    t.equal(pagination.hasMore, page * 3 < all.pagination.totalResults);
    if (!pagination.hasMore) break;
  }
  t.same(
    read,
    all.events.map(({ id }) => id),
  );
});

t.test('a search by creator finds only its own events', async (t) => {
  const all = asFound((await get('/public-search?q=will&limit_per_type=100')).body).events;
  const own = asFound(
    (await get('/public-search?q=will&limit_per_type=100&creator=0xABCD')).body,
  ).events;
  const isOwn = (id: string) => events.find((event) => event.id === id)?.creator === '0xAbCd';
  t.same(
    own.map(({ id }) => id).toSorted(),
    all
      .map(({ id }) => id)
      .filter(isOwn)
      .toSorted(),
  );
  t.ok(own.length > 0 && own.length < all.length);
  t.same(asFound((await get('/public-search?q=will&creator=a-site')).body).events, []);
});

t.test('filters narrow the events of a search, and not its tags', async (t) => {
  const by = new Map<string, (event: (typeof events)[number]) => boolean>([
    ['events_status=active', ({ closed }) => !closed],
    ['events_status=resolved', ({ closed }) => closed],
    ['events_status=all&events_tag=', () => true],
    ['events_tag=politics', ({ tags }) => tags.some(({ slug }) => slug === 'politics')],
    ['events_tag=none', () => false],
    ['exclude_tag_id=1,3', ({ tags }) => tags.every(({ id }) => id !== '1' && id !== '3')],
    ['recurrence=Daily', ({ series }) => series.some(({ recurrence }) => recurrence === 'daily')],
    ['recurrence=daily&events_status=closed', () => false],
  ]);
  for (const [query, keeps] of by) {
    for (const term of ['will', 'e']) {
      const expected = events.filter((event) => finds(event, term) && keeps(event));
      const answer = await get(`/public-search?q=${term}&limit_per_type=100&${query}`);
      const { events: found, pagination } = asFound(answer.body);
      const ids = expected.map(({ id }) => id).toSorted();
      t.same(found.map(({ id }) => id).toSorted(), ids, `${term} ${query}`);
      t.same(pagination, { hasMore: false, totalResults: ids.length }, query);
    }
    const { tags } = asFound((await get(`/public-search?q=sport&${query}`)).body);
    t.same(
      tags.map(({ slug }) => slug),
      ['sports'],
      query,
    );
  }
});

t.test('a search sorts by a field, as ccxt asks for', async (t) => {
  const sortKeys = [
    ['volume', 'volume'],
    ['end_date', 'endDate'],
    ['startDate', 'startDate'],
  ] as const;
  for (const [sort, key] of sortKeys) {
    const read = async (ascending: boolean, part = 'limit_per_type=500') => {
      const path = `/public-search?q=will&${part}&sort=${sort}&ascending=${ascending}`;
      return asFound((await get(path)).body).events;
    };
    const values = (await read(true)).map((event) => event[key] ?? '');
    const isOrdered = values.every((value, at) => at === 0 || (values[at - 1] ?? '') <= value);
    t.ok(values.length > 4 && isOrdered, `${sort}: ${values}`);
    const down = (await read(false)).map(({ id }) => id);
    t.same(down, (await read(true)).map(({ id }) => id).reverse(), 'descending');
    const second = (await read(false, 'limit_per_type=3&page=2')).map(({ id }) => id);
    t.same(second, down.slice(3, 6), 'pages of one order');
  }
});

const refused: readonly (readonly [query: string, body: object])[] = [
  ['', { error: 'q is required', code: 'missing_field' }],
  ['q=', { error: 'q is required' }],
  ['q=%20%09', { error: 'q is required' }],
  ['q=a&ascending=true', { code: 'parameter_not_served', field: 'ascending' }],
  ['q=a&limit_per_type=0', { field: 'limit_per_type', limit: '1..500' }],
  ['q=a&limit_per_type=501', { field: 'limit_per_type', limit: '1..500' }],
  ['q=a&page=0', { field: 'page', limit: 1 }],
  ['q=a&page=x', { field: 'page' }],
  ['q=a&events_status=old', { field: 'events_status' }],
  ['q=a&search_tags=perhaps', { field: 'search_tags', limit: 'boolean' }],
  [`q=${'a'.repeat(201)}`, { field: 'q', limit: 200 }],
];

t.test('invalid searches are refused in the error form of the catalog', async (t) => {
  for (const [query, body] of refused) {
    const answer = await get(`/public-search?${query}`);
    t.equal(answer.status, 400, query);
    t.match(answer.body, { type: 'bad request', ...body }, query);
  }
  const unknown = await get('/public-search?q=a&sort=loudness');
  t.equal(unknown.status, 422);
  t.match(unknown.body, { code: 'order_fields_invalid', field: 'sort', actual: 'loudness' });
});

const clarifications: readonly (readonly [query: string, field: string, limit: unknown])[] = [
  ['limit=0', 'limit', '1..100'],
  ['offset=-1', 'offset', 0],
  ['market_id=rain', 'market_id.0', 'integer'],
  [`event_id=${'1,'.repeat(501)}`, 'event_id', 500],
  ['question_id=0x12', 'question_id', '0x and 64 hex digits'],
  ['state=done', 'state.0', undefined],
  ['show_in_frontend=maybe', 'show_in_frontend', 'boolean'],
  ['tx_hash=x', 'tx_hash', '0x and 64 hex digits'],
  ['order=title', 'order', /^id, createdAt, /],
];
t.test('clarifications, of which there are none, have their parameters checked', async (t) => {
  const all = 'market_id=1&market_id=2&state=queued&show_in_frontend=true&order=created_at&limit=9';
  t.match(await get(`/market-clarifications?${all}`), { status: 200, body: [] });
  for (const [query, field, limit] of clarifications) {
    const { status, body } = await get(`/market-clarifications?${query}`);
    t.equal(status, query.startsWith('order') ? 422 : 400, query);
    t.match(body, limit === undefined ? { field } : { field, limit }, query);
  }
});
