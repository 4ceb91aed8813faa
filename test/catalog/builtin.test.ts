import Database from 'better-sqlite3';
import t from 'tap';
import { builtinEvents, builtinImage, builtinRecords } from '../../catalog/builtin/index.ts';
import { openCatalog } from '../../catalog/catalog.ts';
import { RECORD_KINDS } from '../../catalog/model/index.ts';
import { deriveHexIdentity, deriveTokenIds } from '../../catalog/records/identity.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const events = builtinEvents();
const markets = events.flatMap((event) => event.markets);

function countOfDistinct(values: readonly unknown[]): number {
  return new Set(values).size;
}

t.test('the built-in catalog has 22 events and 50 markets', async (t) => {
  t.equal(events.length, 22);
  t.equal(markets.length, 50);
});

t.test('the built-in catalog has the usual categories of prediction markets', async (t) => {
  const tags = new Set(events.flatMap((event) => event.tags.map((tag) => tag.slug)));
  for (const kind of ['elections', 'sports', 'crypto', 'up-or-down', 'weather', 'economy']) {
    t.ok(tags.has(kind), kind);
  }
  for (const kind of ['film', 'music', 'science', 'tech']) t.ok(tags.has(kind), kind);
  t.equal(countOfDistinct(events.flatMap((event) => event.series.map(({ id }) => id))), 3);
  const ticks = new Set(markets.map((market) => market.orderPriceMinTickSize));
  t.strictSame([...ticks].sort(), [0.0001, 0.001, 0.01, 0.1]);
  t.strictSame(new Set(markets.map((market) => market.orderMinSize)), new Set([5, 1]));
});

t.test('four events are neg-risk, and with them all of their markets', async (t) => {
  const negRisk = events.filter((event) => event.negRisk);
  t.strictSame(
    negRisk.map((event) => [event.slug, event.markets.length]),
    [
      ['port-meridian-mayor-2027', 5],
      ['fed-decision-january-2028', 4],
      ['highest-temperature-london-2027-07-15', 4],
      ['coastal-league-champion-2028', 8],
    ],
  );
  for (const event of events) {
    t.ok(
      event.markets.every((market) => market.negRisk === event.negRisk),
      event.slug,
    );
    t.match(event.negRiskMarketID, event.negRisk ? /^0x[0-9a-f]{64}$/ : /^$/);
  }
});

t.test('ids, slugs, condition ids, question ids and token ids are unique', async (t) => {
  const tokens = markets.flatMap((market): string[] => JSON.parse(market.clobTokenIds));
  t.equal(countOfDistinct(tokens), 2 * markets.length);
  t.equal(countOfDistinct(markets.map((market) => market.id)), markets.length);
  t.equal(countOfDistinct(markets.map((market) => market.slug)), markets.length);
  t.equal(countOfDistinct(markets.map((market) => market.conditionId)), markets.length);
  t.equal(countOfDistinct(markets.map((market) => market.questionID)), markets.length);
  t.equal(countOfDistinct(events.map((event) => event.id)), events.length);
  t.equal(countOfDistinct(events.map((event) => event.slug)), events.length);
});

t.test('all events and markets end in 2027 or 2028', async (t) => {
  for (const { slug, endDate } of [...events, ...markets]) {
    t.match(endDate, /^202[78]-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/, slug);
  }
});

// Data folders store these ids: a change of the recipe or of a slug would orphan them. The expected
// values were computed with sha256sum and Python, not with this program.
t.test('ids follow the documented recipe', async (t) => {
  const token0 = '104064536820804819005240929458821484301020684220852638928313924457608826032022';
  const token1 = '71795688771189641741319924506587310633753043913242458460110913772362915096484';
  const rain = markets.find((market) => market.slug === 'will-it-rain-in-oslo-on-1-june-2027');
  t.match(rain, {
    id: '1800',
    conditionId: '0x3fc42a3bc6c04f2ba694d4f7fa37c42ad46ce7f22ec33596efa755ce2e53a4d6',
    questionID: '0xe831c0b08938570182657e49e40a3ca379bef0c9fabd6c2a432179bb3c7fe5d5',
    clobTokenIds: `["${token0}", "${token1}"]`,
    outcomes: '["Yes", "No"]',
  });
  for (const { slug, conditionId, questionID, clobTokenIds } of markets) {
    t.equal(conditionId, deriveHexIdentity('condition', slug), slug);
    t.equal(questionID, deriveHexIdentity('question', slug), slug);
    t.strictSame(JSON.parse(clobTokenIds), deriveTokenIds(conditionId), slug);
  }
  for (const { id, negRisk, negRiskMarketID } of events) {
    t.equal(negRiskMarketID, negRisk ? deriveHexIdentity('neg-risk-event', id) : '', id);
  }
});

t.test('an import stores every field of the built-in catalog', async (t) => {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  catalog.importEvents(builtinEvents());
  t.equal(catalog.lookup.marketCount(), 50);
  t.equal(catalog.lookup.tradable().length, 50);
  const expected = events.flatMap((event) =>
    event.markets.map((market) => ({
      id: market.id,
      question: market.question,
      conditionId: market.conditionId,
      slug: market.slug,
      description: market.description,
      resolutionSource: market.resolutionSource,
      groupItemTitle: market.groupItemTitle,
      questionId: market.questionID,
      outcomes: JSON.parse(market.outcomes),
      tokenIds: JSON.parse(market.clobTokenIds),
      startDate: market.startDate,
      endDate: market.endDate,
      gameStartTime: null,
      image: market.image,
      icon: market.icon,
      active: true,
      closed: false,
      archived: false,
      enableOrderBook: true,
      acceptingOrders: true,
      createdAt: market.createdAt,
      updatedAt: market.updatedAt,
      eventId: event.id,
      eventSlug: event.slug,
      eventTitle: event.title,
      eventTicker: event.ticker,
      eventDescription: event.description,
      negRisk: market.negRisk,
      negRiskEventId: event.negRiskMarketID,
      tags: event.tags.map((tag) => tag.slug),
      creator: `0x${'c0ffee'.repeat(6)}c0de`,
      mirrorConditionId: '',
      mirrorTokenIds: ['', ''],
      sourcePrices: undefined,
      minimumTickSize: market.orderPriceMinTickSize,
      minimumOrderSize: market.orderMinSize,
    })),
  );
  t.strictSame(catalog.lookup.marketPage(0, 1_000), expected);
});

t.test(
  'the built-in catalog has every kind of record, with pictures from this program',
  async (t) => {
    const path = `${temporaryFolder(t)}/catalog.db`;
    const catalog = openCatalog(path);
    catalog.importEvents(builtinEvents());
    // Twice: loading it again must add nothing.
    for (const batch of [...builtinRecords(), ...builtinRecords()]) catalog.putRecords(batch);
    catalog.close();
    const kinds = [
      'tags',
      'series',
      'events',
      'markets',
      ...builtinRecords().map(({ kind }) => kind),
    ];
    t.strictSame(kinds.toSorted(), [...RECORD_KINDS].toSorted());
    const database = new Database(path, { readonly: true });
    t.teardown(() => database.close());
    const counts = ['creators', 'creator_sites', 'profiles', 'comments', 'reactions', 'teams'].map(
      (table) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    t.strictSame(counts, [1, 1, 3, 7, 4, 4]);
    const text = JSON.stringify([builtinEvents(), builtinRecords()]);
    const named = new Set(
      Array.from(text.matchAll(/"\/images\/([^"]+)"/g), ([, file]) => file ?? ''),
    );
    t.equal(named.size, 10);
    for (const file of named)
      t.match(builtinImage(file)?.toString(), /^<svg xmlns=.*<\/svg>\n$/s, file);
    for (const file of ['', 'house', '../images.ts', 'images/house.svg', 'house.svg/..']) {
      t.equal(builtinImage(file), undefined, file);
    }
    t.strictSame(database.pragma('foreign_key_check'), []);
  },
);
