// Searches of the catalog against a plain filter over everything that was imported.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import { type Catalog, openCatalog } from '../../persistence/catalog.ts';
import {
  MARKET_ORDER_NAMES,
  type MarketCondition,
  type MarketOrder,
  type MarketSearch,
} from '../../persistence/catalog-questions.ts';
import { eventRecord, hex, marketRecord } from './catalog-fixture.ts';

const TAGS = [1, 2, 3].map((id) => ({ id: `${id}`, slug: `tag-${id}`, label: `Tag ${id}` }));
const CREATORS = ['', '0xAbCd', '0xffff'];
const EVENTS = 12;
const MARKETS_AN_EVENT = 3;

/** A market as the oracle sees it. */
interface Listed {
  readonly id: number;
  readonly eventId: number;
  readonly tagIds: readonly number[];
  readonly record: Readonly<Record<string, unknown>>;
}

const dayOf = (number: number): string => `2027-0${1 + (number % 3)}-11T00:00:00Z`;

/** Every mix of flags, dates that are there and not, many that are equal. */
const stateOf = (id: number) => ({
  active: id % 2 === 0,
  closed: id % 3 === 0,
  archived: id % 5 === 0,
  creator: CREATORS[id % 3] ?? '',
  question: `Question ${(id * 7) % 5}?`,
  ...(id % 4 === 0 ? {} : { endDate: dayOf(id), startDate: dayOf(id * 2) }),
  createdAt: dayOf(id * 3),
  updatedAt: dayOf(id + 1),
});

const listed: readonly Listed[] = Array.from({ length: EVENTS * MARKETS_AN_EVENT }, (_, index) => {
  const id = index + 1;
  const eventId = 1 + (index % EVENTS);
  const tagIds = [1, 2, 3].filter((tag) => eventId % (tag + 1) === 0);
  return { id, eventId, tagIds, record: marketRecord(id, stateOf(id)) };
});

const filled = (t: Test): Catalog => {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  const events = Array.from({ length: EVENTS }, (_, index) => {
    const markets = listed.filter(({ eventId }) => eventId === index + 1);
    const tags = TAGS.filter(({ id }) => markets[0]?.tagIds.includes(Number(id)));
    return eventRecord(index + 1, { tags, markets: markets.map(({ record }) => record) });
  });
  catalog.importEvents(events);
  return catalog;
};

const texts = (anyOf: MarketCondition['anyOf']): readonly string[] => anyOf.map(String);

const holds = ({ kind, anyOf }: MarketCondition, market: Listed): boolean => {
  const { id, eventId, tagIds } = market;
  const isOf = (values: readonly unknown[]): boolean =>
    values.some((value) => texts(anyOf).includes(String(value)));
  switch (kind) {
    case 'id':
      return isOf([id]);
    case 'slug':
      return isOf([`market-${id}`]);
    case 'conditionId':
      return isOf([hex(id)]);
    case 'tokenId':
      return isOf([`${id}001`, `${id}002`]);
    case 'creator': {
      const creator = (CREATORS[id % 3] ?? '').toLowerCase();
      return texts(anyOf).some((text) => text.toLowerCase() === creator);
    }
    case 'eventId':
      return isOf([eventId]);
    case 'eventSlug':
      return isOf([`event-${eventId}`]);
    case 'tagId':
      return isOf(tagIds);
    case 'exceptTagId':
      return !isOf(tagIds);
    case 'tagSlug':
      return isOf(tagIds.map((tag) => `tag-${tag}`));
  }
};

/** What sorts a market; a date that is missing is less than any. */
const keyOf = (order: MarketOrder, { id, record }: Listed): string | number => {
  if (order === 'id') return id;
  const value = record[order];
  return typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? value : '';
};

const compare = (search: MarketSearch, a: Listed, b: Listed): number => {
  for (const order of [...search.order, 'id' as const]) {
    const [first, second] = [keyOf(order, a), keyOf(order, b)];
    if (first !== second) return first < second === search.ascending ? -1 : 1;
  }
  return 0;
};

const oracle = (search: MarketSearch): string[] =>
  listed
    .filter((market) => search.conditions.every((condition) => holds(condition, market)))
    .filter(({ record }) =>
      Object.entries(search.flags).every(([flag, is]) => is === undefined || record[flag] === is),
    )
    .toSorted((a, b) => compare(search, a, b))
    .slice(search.offset, search.offset + search.limit)
    .map(({ id }) => `${id}`);

const found = (catalog: Catalog, search: MarketSearch): string[] =>
  catalog.look.searchMarkets(search).map(({ id }) => id);

const ALL: MarketSearch = {
  conditions: [],
  flags: {},
  order: [],
  ascending: true,
  offset: 0,
  limit: 1_000,
};

const conditions: readonly MarketCondition[] = [
  { kind: 'id', anyOf: [3, 5, 99] },
  { kind: 'slug', anyOf: ['market-7'] },
  { kind: 'slug', anyOf: ['market-7', 'market-8', "'); DROP TABLE markets; --"] },
  { kind: 'conditionId', anyOf: [hex(9), hex(10)] },
  { kind: 'tokenId', anyOf: ['11001', '11002', '12002'] },
  { kind: 'creator', anyOf: ['0xABCD'] },
  { kind: 'creator', anyOf: ['0xffff'] },
  { kind: 'eventId', anyOf: [4] },
  { kind: 'eventSlug', anyOf: ['event-5'] },
  { kind: 'tagId', anyOf: [1] },
  { kind: 'tagSlug', anyOf: ['tag-2'] },
];

t.test('each condition finds what a plain filter finds, and not everything', async (t) => {
  const catalog = filled(t);
  for (const condition of conditions) {
    const expected = oracle({ ...ALL, conditions: [condition] });
    const name = JSON.stringify(condition);
    t.ok(expected.length > 0 && expected.length < listed.length, `${name} tells markets apart`);
    t.strictSame(found(catalog, { ...ALL, conditions: [condition] }), expected, name);
    const none = { ...condition, anyOf: ['no such value'] };
    t.strictSame(
      found(catalog, { ...ALL, conditions: [none] }),
      [],
      `${condition.kind} of nothing`,
    );
  }
  t.equal(catalog.look.marketCount(), listed.length, 'a value is never SQL');
});

t.test('each order sorts as its values do, both ways', async (t) => {
  const catalog = filled(t);
  for (const order of MARKET_ORDER_NAMES) {
    for (const ascending of [true, false]) {
      const search = { ...ALL, order: [order], ascending };
      t.strictSame(found(catalog, search), oracle(search), `${order} ${ascending}`);
    }
  }
});

const flag = fc.option(fc.boolean(), { nil: undefined });
const searches: fc.Arbitrary<MarketSearch> = fc.record({
  conditions: fc.subarray([...conditions], { maxLength: 3 }),
  flags: fc.record({ active: flag, closed: flag, archived: flag }),
  order: fc.subarray(['active', 'endDate', 'question', 'closed', 'slug'] as MarketOrder[]),
  ascending: fc.boolean(),
  offset: fc.integer({ min: 0, max: 40 }),
  limit: fc.integer({ min: 1, max: 40 }),
});

t.test('any search finds what a plain filter finds', async (t) => {
  const catalog = filled(t);
  fc.assert(
    fc.property(searches, (search) => {
      const [actual, expected] = [found(catalog, search), oracle(search)];
      if (`${actual}` !== `${expected}`) throw new Error(`found ${actual}, not ${expected}`);
    }),
    { numRuns: 400 },
  );
  t.pass('in 400 searches of more shapes than there are statements kept');
});

t.test('a search has its bounds', async (t) => {
  const catalog = filled(t);
  for (const changes of [{ offset: -1 }, { offset: 0.5 }, { limit: 0 }, { limit: 1_001 }]) {
    t.throws(() => catalog.look.searchMarkets({ ...ALL, ...changes }), /must be whole/);
  }
});

t.test('pages of tradable markets leave out the others', async (t) => {
  const catalog = filled(t);
  const tradable = listed
    .filter(({ record }) => record.active && !record.closed && !record.archived)
    .map(({ id }) => `${id}`);
  t.equal(catalog.look.marketCount('tradable'), tradable.length);
  const idsOf = (offset: number, limit: number): string[] =>
    catalog.look.marketPage(offset, limit, 'tradable').map(({ id }) => id);
  t.strictSame(idsOf(0, 100), tradable);
  t.strictSame([...idsOf(0, 3), ...idsOf(3, 100)], tradable);
});

t.test('a market and an event are found by their numbers', async (t) => {
  const catalog = filled(t);
  t.match(catalog.look.market(7), { id: '7', conditionId: hex(7), eventSlug: 'event-7' });
  t.equal(catalog.look.market(99), undefined);
  t.match(catalog.look.event(7), { id: '7', slug: 'event-7', title: 'Event 7', active: true });
  t.equal(catalog.look.event(99), undefined);
});

const leftovers: readonly (readonly [string, object, string | null, readonly [string, string]])[] =
  [
    ['nothing', {}, null, ['', '']],
    ['ISO', { gameStartTime: '2027-03-23T19:00:00Z' }, '2027-03-23T19:00:00Z', ['', '']],
    [
      'the form of public catalogs',
      { gameStartTime: '2027-03-23 19:00:00+00' },
      '2027-03-23T19:00:00Z',
      ['', ''],
    ],
    [
      'another zone',
      { gameStartTime: '2027-03-23T19:00:00.5+02:30' },
      '2027-03-23T16:30:00.500Z',
      ['', ''],
    ],
    [
      'a zone of four digits',
      { gameStartTime: '2027-03-23 19:00:00-0230' },
      '2027-03-23T21:30:00Z',
      ['', ''],
    ],
    ['a day', { gameStartTime: '2027-03-23' }, null, ['', '']],
    ['no date', { gameStartTime: '2027-13-23T19:00:00Z' }, null, ['', '']],
    ['a number', { gameStartTime: 7, mirrorClobTokenIds: 7 }, null, ['', '']],
    ['a list', { gameStartTime: [], mirrorClobTokenIds: ['1', '2'] }, null, ['1', '2']],
    ['two tokens', { mirrorClobTokenIds: '["1", "2"]' }, null, ['1', '2']],
    ['three tokens', { mirrorClobTokenIds: '["1", "2", "3"]' }, null, ['', '']],
    ['no JSON', { mirrorClobTokenIds: '["1", ' }, null, ['', '']],
  ];
t.test('fields without a column are read as far as they can be', async (t) => {
  for (const [name, fields, gameStartTime, mirrorTokenIds] of leftovers) {
    const catalog = openCatalog(':memory:');
    catalog.importEvents([eventRecord(1, { markets: [marketRecord(1, { ...fields })] })]);
    t.match(catalog.look.market(1), { gameStartTime, mirrorTokenIds }, name);
    catalog.close();
  }
});
