// The fields of the answers of each catalog route: the documented ones and further fields of the
// imported records; and which fields are absent in which answers.
import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { builtinEvents } from '../../../catalog/builtin/index.ts';
import { CATALOG_ROUTES } from '../../../catalog/routes/routes.ts';
import { getMarkets } from '../../../http/routes/markets/get-markets.ts';
import { startMarketServer } from '../../http/routes/market-server.ts';
import { hex } from '../fixture.ts';
import {
  INTERFACE_FIELDS,
  OPTIONAL_MARKET_FIELDS,
  PUBLIC_EVENT_FIELDS,
  PUBLIC_MARKET_FIELDS,
} from './documented-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

const MIRROR = { mirrorConditionId: hex(77), mirrorClobTokenIds: '["771", "772"]' };

/** The first market of each event has a mirror, and records have further fields. */
const events = builtinEvents().map((event, place) => ({
  ...event,
  eventMetadata: { context_description: `number ${place}` },
  sourceWord: 'of the event',
  markets: event.markets.map((market, index) => ({
    ...market,
    ...(index === 0 ? { ...MIRROR, mirrorConditionId: hex(77_000 + place) } : {}),
    marketWord: { deep: [1, '{"outcomePrices":1}'] },
  })),
}));
const withSeries = events.find(({ series }) => series.length > 0);
const [event] = events;
const market = event?.markets[0];
if (event === undefined || market === undefined || withSeries === undefined) {
  throw new Error('the built-in catalog has events, markets and series');
}

function asList(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw new Error('a list is expected');
  return value;
}
// Safe: a test below checks the schemas of the answers.
function asFields(value: unknown): Fields {
  return value as Fields;
}

/** Checks that a value has all fields of `must`, and other fields only of `may`. */
function sameFields(t: Test, value: Fields, must: readonly string[], may: readonly string[]) {
  const keys = Object.keys(value);
  t.same(
    must.filter((name) => !keys.includes(name)),
    [],
    'the documented fields are there',
  );
  t.same(
    keys.filter((name) => !must.includes(name) && !may.includes(name)),
    [],
    'and no unknown ones',
  );
}

const MARKET_MAY = [...OPTIONAL_MARKET_FIELDS, 'marketWord', 'creator'];
const EVENT_MAY = ['negRiskMarketID', 'sourceWord', 'creator'];

function checkMarket(t: Test, one: Fields, summary: readonly string[]): void {
  sameFields(t, one, [...INTERFACE_FIELDS.market, ...PUBLIC_MARKET_FIELDS], MARKET_MAY);
  for (const parent of asList(one.events)) sameFields(t, parent, summary, EVENT_MAY);
}

function checkEvent(t: Test, one: Fields, isById: boolean): void {
  sameFields(t, one, [...INTERFACE_FIELDS.event, ...PUBLIC_EVENT_FIELDS], EVENT_MAY);
  for (const tag of asList(one.tags)) sameFields(t, tag, INTERFACE_FIELDS.tag, []);
  for (const series of asList(one.series)) {
    sameFields(t, series, INTERFACE_FIELDS.seriesBrief, []);
  }
  for (const [index, nested] of asList(one.markets).entries()) {
    const hasMirror = isById && index === 0;
    const must = hasMirror ? INTERFACE_FIELDS.mirroredMarket : INTERFACE_FIELDS.market;
    sameFields(t, nested, [...must, ...PUBLIC_MARKET_FIELDS], MARKET_MAY);
    const [parent] = asList(nested.events);
    if (parent !== undefined) sameFields(t, parent, INTERFACE_FIELDS.eventBrief, []);
  }
}

/** The tests only read, so they share one server. */
const { get } = await startMarketServer(t, events);

t.test('each answer has its documented fields', async (t) => {
  const { eventSummary } = INTERFACE_FIELDS;
  const eventOfMarket = [...eventSummary, 'eventMetadata', ...PUBLIC_EVENT_FIELDS];
  for (const one of asList((await get('/markets?limit=100')).body)) {
    checkMarket(t, one, eventOfMarket);
  }
  for (const path of [
    `/markets/${market.id}`,
    `/gamma/markets/${market.conditionId}`,
    `/markets/slug/${market.slug}`,
  ]) {
    checkMarket(t, asFields((await get(path)).body), eventOfMarket);
  }
  for (const one of asList((await get('/events?limit=100')).body)) checkEvent(t, one, false);
  for (const { id, slug } of events) {
    checkEvent(t, asFields((await get(`/events/${id}`)).body), true);
    checkEvent(t, asFields((await get(`/events/slug/${slug}`)).body), false);
  }
  for (const one of asList((await get('/series')).body)) {
    sameFields(t, one, INTERFACE_FIELDS.series, []);
    for (const part of asList(one.events)) sameFields(t, part, eventSummary, []);
    t.same((await get(`/series/${one.id}`)).body, one, 'by its id a series is the same');
  }
  for (const one of asList((await get('/tags?limit=100')).body)) {
    sameFields(t, one, INTERFACE_FIELDS.tag, []);
    t.same((await get(`/tags/${one.id}`)).body, one);
    t.same((await get(`/tags/slug/${one.slug}`)).body, one);
  }
});

function schemaOf(path: string) {
  const route = [...CATALOG_ROUTES, getMarkets].find((one) => one.path === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  return Compile(route.response);
}

const documented: readonly (readonly [path: string, asked: string])[] = [
  ['/events', '/events?limit=100'],
  ['/events/{id}', `/events/${event.id}`],
  ['/events/slug/{slug}', `/events/slug/${event.slug}`],
  ['/events/{id}/tags', `/events/${event.id}/tags`],
  ['/events/{id}/comments/count', `/events/${event.id}/comments/count`],
  ['/events/keyset', '/events/keyset?limit=2'],
  ['/events/pagination', '/events/pagination?limit=2'],
  ['/markets', '/markets?limit=100'],
  ['/markets/keyset', '/markets/keyset?limit=2'],
  ['/markets/slug/{slug}', `/markets/slug/${market.slug}`],
  ['/markets/{id}/tags', `/markets/${market.id}/tags`],
  ['/markets/{id}/description', `/markets/${market.conditionId}/description`],
  ['/series', '/series'],
  ['/series/{id}', '/series/1'],
  ['/series/{id}/comments/count', '/series/1/comments/count'],
  ['/tags', '/tags'],
  ['/tags/{id}', '/tags/1'],
  ['/tags/slug/{slug}', '/tags/slug/politics'],
  ['/tags/{id}/related-tags', '/tags/1/related-tags'],
  ['/tags/slug/{slug}/related-tags', '/tags/slug/politics/related-tags'],
  ['/tags/{id}/related-tags/tags', '/tags/1/related-tags/tags'],
  ['/tags/slug/{slug}/related-tags/tags', '/tags/slug/politics/related-tags/tags'],
  ['/public-search', '/public-search?q=port'],
];

t.test('each answer conforms to its documented schema', async (t) => {
  for (const [path, asked] of documented) {
    const { status, body } = await get(asked);
    t.equal(status, 200, asked);
    const schema = schemaOf(path);
    t.ok(schema.Check(body), `${asked}: ${JSON.stringify([...schema.Errors(body)].slice(0, 2))}`);
  }
});

t.test('texts are those of the record; only an event by id shows mirrors', async (t) => {
  const byId = asFields((await get(`/events/${event.id}`)).body);
  const { tags, series, markets, ...words } = event;
  t.match(byId, words, 'also further fields of the source');
  t.same(byId.tags, tags);
  t.match(asFields((await get(`/events/${withSeries.id}`)).body).series, withSeries.series);
  t.same(byId.series, series);
  t.match(byId.markets, markets, 'nested markets with their mirrors');
  const bySlug = (await get(`/events/slug/${event.slug}`)).body;
  const listed = asList((await get(`/events?id=${event.id}`)).body)[0];
  t.same(bySlug, listed, 'a list and a slug show the same');
  const without = asList(byId.markets).map(
    ({ mirrorConditionId: _, mirrorClobTokenIds: __, ...rest }) => rest,
  );
  t.same(asFields(bySlug).markets, without, 'the same without mirrors');
  for (const path of [`/markets/${market.id}`, `/markets?id=${market.id}`]) {
    t.notMatch(JSON.stringify((await get(path)).body), /"mirror/, path);
  }
  t.same((await get(`/events/${event.id}/tags`)).body, tags);
  t.same((await get(`/markets/${market.id}/tags`)).body, tags, 'those of its event');
  const { id, description } = market;
  t.match((await get(`/markets/${id}/description`)).body, { id, description });
});

t.test('a market by its slug is the market by its id', async (t) => {
  const byId = (await get(`/markets/${market.id}`)).body;
  t.same((await get(`/markets/slug/${market.slug}`)).body, byId);
  t.same((await get(`/gamma/markets/slug/${market.slug}`)).body, byId);
});

t.test('lists of series and tags are filtered and sorted', async (t) => {
  const slugsOf = async (path: string) => asList((await get(path)).body).map(({ slug }) => slug);
  const all = asList((await get('/series')).body);
  const slugs = all.map(({ slug }) => `${slug}`);
  const of = (recurrence: string) => all.filter((one) => one.recurrence === recurrence);
  t.same(
    await slugsOf('/series?recurrence=DAILY'),
    of('daily').map(({ slug }) => slug),
  );
  t.ok(of('daily').length > 0 && of('daily').length < all.length);
  t.same(await slugsOf('/series?closed=false&recurrence='), slugs);
  t.same(await slugsOf('/series?closed=true'), []);
  t.same(await slugsOf(`/series?slug=${slugs[2]},${slugs[0]}`), [slugs[0], slugs[2]]);
  t.same(await slugsOf('/series?order=slug&ascending=true'), slugs.toSorted());
  t.same(await slugsOf('/series?order=slug'), slugs.toSorted().reverse());
  const bare = asList((await get('/series?exclude_events=true')).body);
  t.same(
    bare,
    all.map((one) => ({ ...one, events: [] })),
  );
  const labels = asList((await get('/tags?limit=100&order=label&ascending=true')).body);
  t.same(
    labels.map(({ label }) => `${label}`),
    labels.map(({ label }) => `${label}`).toSorted(),
  );
  t.match(await get('/tags?order=rank'), { status: 422, body: { code: 'order_fields_invalid' } });
});

t.test('the creator filters single records and their parts', async (t) => {
  const creator = `creator=${event.creator || 'nobody'}`;
  const paths = [
    `/events/${event.id}/tags`,
    `/markets/${market.id}/tags`,
    `/markets/${market.id}/description`,
    `/tags/${event.tags[0]?.id}`,
    `/tags/slug/${event.tags[0]?.slug}`,
  ];
  for (const path of paths) {
    t.equal((await get(`${path}?${creator}`)).status, 200, path);
    t.equal((await get(`${path}?creator=0xffff`)).status, 404, path);
  }
});

const notThere = [
  '/events/999',
  '/events/slug/none',
  '/events/999/tags',
  '/events/999/comments/count',
  '/events/creators/999',
  '/markets/999',
  '/markets/slug/none',
  '/markets/999/tags',
  '/markets/999/description',
  `/markets/${hex(1)}/description`,
  '/series/999',
  '/series/999/comments/count',
  '/tags/999',
  '/tags/slug/none',
  '/tags/999/related-tags',
  '/tags/slug/none/related-tags',
  '/tags/slug/none/related-tags/tags',
  '/comments/999',
  `/events/${event.id}?creator=0xnobody`,
  `/events/slug/${event.slug}?creator=a-site`,
  `/markets/slug/${market.slug}?creator=0xnobody`,
];

const malformed: readonly (readonly [path: string, field: string])[] = [
  ['/events/rain', 'id'],
  ['/events/-1', 'id'],
  ['/events/1.5', 'id'],
  [`/events/${'9'.repeat(16)}`, 'id'],
  ['/events/rain/tags', 'id'],
  ['/events/rain/comments/count', 'id'],
  ['/events/creators/x', 'id'],
  ['/markets/rain/tags', 'id'],
  ['/markets/0x12/description', 'id'],
  ['/series/x', 'id'],
  ['/series/x/comments/count', 'id'],
  ['/tags/x', 'id'],
  ['/tags/x/related-tags', 'id'],
  ['/tags/x/related-tags/tags', 'id'],
  ['/comments/x', 'id'],
];

t.test(
  'unknown ids answer 404 and malformed ids 400, in the error form of the catalog',
  async (t) => {
    for (const path of notThere) {
      const { status, body } = await get(path);
      t.equal(status, 404, path);
      const name = path.includes('/slug/') ? 'slug' : 'id';
      const expected = { error: `${name} not found`, code: `${name}_not_found`, field: name };
      t.match(body, { type: 'not found error', ...expected }, path);
    }
    for (const [path, field] of malformed) {
      const { status, body } = await get(path);
      t.equal(status, 400, path);
      t.match(body, { type: 'bad request', error: 'Invalid id', field }, path);
    }
  },
);
