import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { openCatalog } from '../../catalog/catalog.ts';
import { CATALOG_BOUNDS } from '../../catalog/model/bounds.ts';
import { CatalogImportError } from '../../catalog/model/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventRecord, hex, marketRecord } from './fixture.ts';

function openNew(t: Test) {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  return catalog;
}

/** The refusals of an import into a catalog that already holds `stored`, as sentences. */
function sentencesOf(input: unknown, stored: unknown = []): string[] {
  const catalog = openCatalog(':memory:');
  try {
    catalog.importEvents(stored);
    catalog.importEvents(input);
    return [];
  } catch (error) {
    if (!(error instanceof CatalogImportError)) throw error;
    return error.refusals.map((refusal) => refusal.sentence);
  } finally {
    catalog.close();
  }
}

const HEX_RULE = 'must be 0x and 64 lower-case hex digits, but is';
const LONG = 'x'.repeat(1_001);
const LINE_RULE = 'must be a text of 1 to 1000 characters, but is';
const SLUG_RULE = 'must be 1 to 300 letters, digits, "-", "_", "." and "~", but is';
/** How a refusal shows a long text. */
function shortened(length: number): string {
  return `"${'x'.repeat(80)}…" (${length} characters)`;
}
const ID_RULE = 'must be a number from 1 to 999999999 written as text, but is';
const TOO_LARGE = `${2n ** 256n}`;

t.test('a file that is not a list of events is refused', async (t) => {
  const rule = 'must be an array of at most 100000 events, but is';
  t.strictSame(sentencesOf(null), [`$ ${rule} null`]);
  t.strictSame(sentencesOf('[]'), [`$ ${rule} "[]"`]);
  t.strictSame(sentencesOf({ markets: [] }), [`$ ${rule} an object`]);
  t.strictSame(sentencesOf({ events: 7 }), [`$.events ${rule} 7`]);
  t.strictSame(sentencesOf([7]).slice(0, 1), ['$[0] must be an object, but is 7']);
  t.strictSame(sentencesOf({ events: [eventRecord(1)] }), []);
});

t.test('each bad field of an event is refused with its path, rule and value', async (t) => {
  const table: readonly [string, unknown, string][] = [
    ['id', undefined, `${ID_RULE} missing`],
    ['id', 12, `${ID_RULE} 12`],
    ['id', '012', `${ID_RULE} "012"`],
    ['id', '1000000000', `${ID_RULE} "1000000000"`],
    ['slug', undefined, `${SLUG_RULE} missing`],
    ['slug', 'a b', `${SLUG_RULE} "a b"`],
    ['slug', 'x'.repeat(301), `${SLUG_RULE} ${shortened(301)}`],
    ['title', '', `${LINE_RULE} ""`],
    ['title', 5, `${LINE_RULE} 5`],
    ['title', LONG, `${LINE_RULE} ${shortened(1_001)}`],
    ['ticker', [], 'must be a text of at most 1000 characters, but is an array of 0'],
    ['description', {}, 'must be a text of at most 50000 characters, but is an object'],
    ['active', 'yes', 'must be true or false, but is "yes"'],
    ['negRisk', 1, 'must be true or false, but is 1'],
    ['negRiskMarketID', '0xAB', `${HEX_RULE} "0xAB"`],
    ['markets', {}, 'must be an array of at most 1000, but is an object'],
    ['tags', 'sports', 'must be an array of at most 100, but is "sports"'],
    ['tags', new Array(101), 'must be an array of at most 100, but is an array of 101'],
  ];
  for (const [field, value, expected] of table) {
    const event = eventRecord(1, { [field]: value });
    t.strictSame(sentencesOf([event]), [`$[0].${field} ${expected}`]);
  }
});

t.test('each bad field of a market is refused with its path, rule and value', async (t) => {
  const labelRule =
    'must be a text holding a JSON array of two different labels of 1 to 200 characters, but is';
  const tokenRule =
    'must be a text holding a JSON array of two decimal numbers from 1 to 2^256 - 1, but is';
  const tickRule = 'must be one of 0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001, but is';
  const sizeRule = 'must be a multiple of 0.01 from 0.01 to 10000000, but is';
  const table: readonly [string, unknown, string][] = [
    ['id', '-1', `${ID_RULE} "-1"`],
    ['conditionId', undefined, `${HEX_RULE} missing`],
    ['conditionId', hex(171).toUpperCase(), `${HEX_RULE} "${hex(171).toUpperCase()}"`],
    ['questionID', '0x12', `${HEX_RULE} "0x12"`],
    ['mirrorConditionId', 3, `${HEX_RULE} 3`],
    ['question', undefined, `${LINE_RULE} missing`],
    ['outcomes', ['Yes', 'No'], `${labelRule} an array of 2`],
    ['outcomes', '["Yes", "No"', `${labelRule} "[\\"Yes\\", \\"No\\""`],
    ['outcomes', '["A", "B", "C"]', `${labelRule} "[\\"A\\", \\"B\\", \\"C\\"]"`],
    ['outcomes', '["Yes", 1]', `${labelRule} "[\\"Yes\\", 1]"`],
    ['outcomes', '["A", "A"]', `${labelRule} "[\\"A\\", \\"A\\"]"`],
    ['outcomes', '["A", ""]', `${labelRule} "[\\"A\\", \\"\\"]"`],
    ['clobTokenIds', undefined, `${tokenRule} missing`],
    ['clobTokenIds', '["1", "0x2"]', `${tokenRule} ${JSON.stringify('["1", "0x2"]')}`],
    ['clobTokenIds', '["0", "2"]', `${tokenRule} ${JSON.stringify('["0", "2"]')}`],
    ['clobTokenIds', '["01", "2"]', `${tokenRule} ${JSON.stringify('["01", "2"]')}`],
    [
      'clobTokenIds',
      `["1", "${TOO_LARGE}"]`,
      `${tokenRule} "[\\"1\\", \\"${TOO_LARGE.slice(0, 73)}…" (87 characters)`,
    ],
    ['orderPriceMinTickSize', 0.02, `${tickRule} 0.02`],
    ['orderPriceMinTickSize', '0.01', `${tickRule} "0.01"`],
    ['orderMinSize', 0, `${sizeRule} 0`],
    ['orderMinSize', 0.005, `${sizeRule} 0.005`],
    ['orderMinSize', 10_000_001, `${sizeRule} 10000001`],
    ['orderMinSize', Number.NaN, `${sizeRule} NaN`],
    ['enableOrderBook', 0, 'must be true or false, but is 0'],
  ];
  for (const [field, value, expected] of table) {
    const event = eventRecord(1, { markets: [marketRecord(1, { [field]: value })] });
    t.strictSame(sentencesOf([event]), [`$[0].markets[0].${field} ${expected}`]);
  }
  t.strictSame(sentencesOf([eventRecord(1, { markets: [marketRecord(1, { x: LONG })] })]), []);
  const vast = marketRecord(1, { x: 'x'.repeat(200_000) });
  t.match(sentencesOf([eventRecord(1, { markets: [vast] })]), [
    /^\$\[0\].markets\[0\] must be at most 200000 characters of further fields, but is 20/,
  ]);
});

t.test('dates need a day of the calendar, a time and a zone', async (t) => {
  // The year 10000 in UTC, which would not sort as a text.
  const LATE = '9999-12-31T23:59:59-01:00';
  const bad = [
    '2027-06-01',
    '2027-06-01T12:00:00',
    '2027-02-30T12:00:00Z',
    '2027-13-01T12:00:00Z',
    LATE,
  ];
  for (const endDate of [...bad, '2027-06-01T25:00:00Z', 'soon', 1_800_000_000]) {
    t.strictSame(sentencesOf([eventRecord(1, { endDate })]), [
      '$[0].endDate must be a date and time with its zone, up to the year 9999, such as ' +
        `2027-06-30T12:00:00Z, but is ${JSON.stringify(endDate)}`,
    ]);
  }
});

t.test('dates are stored in UTC, so that they sort as text', async (t) => {
  const table = [
    ['2027-06-01T12:00:00Z', '2027-06-01T12:00:00Z'],
    ['2027-06-01T12:00:00+02:00', '2027-06-01T10:00:00Z'],
    ['2027-06-01T12:00:00.123456Z', '2027-06-01T12:00:00.123456Z'],
    ['2027-06-01T12:00:00.000007+02:00', '2027-06-01T10:00:00.000007Z'],
    ['2027-06-01T12:00:00.123400Z', '2027-06-01T12:00:00.1234Z'],
    ['2027-06-01T12:00:00.123000Z', '2027-06-01T12:00:00.123Z'],
    ['2027-06-01T12:00:00.000000Z', '2027-06-01T12:00:00Z'],
    ['2027-06-01T12:00:00.123456789Z', '2027-06-01T12:00:00.123456Z'],
    ['', null],
    [null, null],
  ];
  for (const [endDate, expected] of table) {
    const catalog = openNew(t);
    catalog.importEvents([eventRecord(1, { markets: [marketRecord(1, { endDate })] })]);
    t.equal(catalog.lookup.marketByCondition(hex(1))?.endDate, expected);
  }
});

t.test('a name that occurs twice in one import is refused with both places', async (t) => {
  const table: readonly [Record<string, unknown>, string][] = [
    [
      { id: '1' },
      '.id must be a market id that no other record has, but is 1, as at $[0].markets[0].id',
    ],
    [
      { slug: 'market-1' },
      '.slug must be a market slug that no other record has, but is market-1, as at ' +
        '$[0].markets[0].slug',
    ],
    [
      { conditionId: hex(1) },
      `.conditionId must be a condition id that no other record has, but is ${hex(1)}, ` +
        'as at $[0].markets[0].conditionId',
    ],
    [
      { clobTokenIds: '["2001", "1002"]' },
      '.clobTokenIds must be a token id that no other record has, but is 1002, as at ' +
        '$[0].markets[0].clobTokenIds',
    ],
    [
      { clobTokenIds: '["2001", "2001"]' },
      '.clobTokenIds must be a token id that no other record has, but is 2001, as at ' +
        '$[1].markets[0].clobTokenIds',
    ],
  ];
  for (const [changes, expected] of table) {
    const second = eventRecord(2, { markets: [marketRecord(2, changes)] });
    t.strictSame(sentencesOf([eventRecord(1), second]), [`$[1].markets[0]${expected}`]);
  }
  t.strictSame(sentencesOf([eventRecord(1), eventRecord(2, { id: '1', slug: 'event-1' })]), [
    '$[1].id must be an event id that no other record has, but is 1, as at $[0].id',
    '$[1].slug must be an event slug that no other record has, but is event-1, as at $[0].slug',
  ]);
});

t.test('a tag or series has one id and one slug, in the import and in the store', async (t) => {
  const tag = (id: string, slug: string) => ({ tags: [{ id, slug, label: slug }] });
  const series = (id: string, slug: string) => ({ series: [{ id, slug, title: slug }] });
  const first = eventRecord(1, { ...tag('1', 'sports'), ...series('1', 'cup') });
  const cases = [
    { changes: tag('1', 'sport'), path: 'tags[0].slug' },
    { changes: tag('2', 'sports'), path: 'tags[0].id', stored: 'tags[0].slug' },
    { changes: series('1', 'cups'), path: 'series[0].slug' },
    { changes: series('2', 'cup'), path: 'series[0].id', stored: 'series[0].slug' },
  ];
  for (const { changes, path, stored } of cases) {
    const second = eventRecord(2, changes);
    t.match(sentencesOf([first, second])[0], `$[1].${path} must be`);
    // A stored record may get another slug, but not the slug of a record with another id.
    if (stored)
      t.match(
        sentencesOf([second], [first])[0],
        `$[0].${stored} must be a slug that no other record has`,
      );
    else t.strictSame(sentencesOf([second], [first]), []);
  }
});

t.test('stored records keep their names and markets their trading identity', async (t) => {
  const stored = [eventRecord(1), eventRecord(2)];
  const market = (changes: Record<string, unknown>) =>
    eventRecord(1, { markets: [marketRecord(1, changes)] });
  const table: readonly [unknown, string][] = [
    [
      eventRecord(1, { slug: 'event-2' }),
      '.slug must be a slug that no other record has, but is event-2, stored with id 2',
    ],
    [
      market({ slug: 'market-2' }),
      '.markets[0].slug must be a slug that no other record has, but is market-2, stored with id 2',
    ],
    [
      market({ conditionId: hex(9) }),
      `.markets[0].conditionId must be ${hex(1)}, which is fixed for the stored market 1, ` +
        `but is ${hex(9)}`,
    ],
    [
      market({ clobTokenIds: '["1002", "1001"]' }),
      '.markets[0].clobTokenIds must be 1001, 1002, which is fixed for the stored market 1, ' +
        'but is 1002, 1001',
    ],
    [
      market({ negRisk: true }),
      '.markets[0].negRisk must be false, which is fixed for the stored market 1, but is true',
    ],
    [
      eventRecord(2, { markets: [marketRecord(1)] }),
      '.markets[0] must be in event 1, which is fixed for the stored market 1, but is in event 2',
    ],
    [
      eventRecord(3, { markets: [marketRecord(3, { conditionId: hex(1) })] }),
      '.markets[0].conditionId must be a condition id that no other record has, but is ' +
        `${hex(1)}, ` +
        'stored with id 1',
    ],
    [
      eventRecord(3, { markets: [marketRecord(3, { clobTokenIds: '["3001", "2002"]' })] }),
      '.markets[0].clobTokenIds must be token ids that no other record has, but is 2002, ' +
        'stored with id 2',
    ],
  ];
  for (const [event, expected] of table) {
    t.strictSame(sentencesOf([event], stored), [`$[0]${expected}`]);
  }
});

t.test('one refused record, malformed or in conflict, refuses the whole import', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  const before = catalog.lookup.marketPage(0, 10);
  const badByItself = eventRecord(3, { title: '' });
  const badByStore = eventRecord(3, { slug: 'event-1' });
  for (const bad of [badByItself, badByStore]) {
    t.throws(
      () => catalog.importEvents([eventRecord(1, { title: 'New' }), eventRecord(2), bad]),
      CatalogImportError,
    );
    t.strictSame(catalog.lookup.marketPage(0, 10), before);
  }
});

t.test('a refusal has path, limit and value; only the first of many are listed', async (t) => {
  const catalog = openNew(t);
  const events = Array.from({ length: 150 }, (_, index) => eventRecord(index + 1, { title: 5 }));
  try {
    catalog.importEvents(events);
    t.fail('was not refused');
  } catch (error) {
    if (!(error instanceof CatalogImportError)) throw error;
    t.equal(error.count, 150);
    t.equal(error.refusals.length, CATALOG_BOUNDS.refusalsListed);
    t.strictSame(error.refusals[0], {
      path: '$[0].title',
      field: 'title',
      limit: 'a text of 1 to 1000 characters',
      actual: '5',
      sentence: '$[0].title must be a text of 1 to 1000 characters, but is 5',
    });
    t.match(error.message, /^catalog import refused: \$\[0\]\.title .* \(and 149 more\)$/);
  }
});

t.test('a stored record gets new texts, state, tags and series; the rest is kept', async (t) => {
  const catalog = openNew(t);
  const tag = (id: number) => ({ id: `${id}`, slug: `tag-${id}`, label: `Tag ${id}` });
  const second = marketRecord(12, { question: 'Stays?' });
  const markets = [marketRecord(1), second];
  catalog.importEvents([eventRecord(1, { markets, tags: [tag(2), tag(1), tag(2)] })]);
  t.strictSame(catalog.lookup.marketByCondition(hex(1))?.tags, ['tag-2', 'tag-1']);
  const changed = marketRecord(1, { closed: true, slug: 'renamed', outcomes: '["Up", "Down"]' });
  catalog.importEvents([eventRecord(1, { title: 'Renamed', markets: [changed], tags: [tag(3)] })]);
  t.equal(catalog.lookup.marketCount(), 2);
  t.match(catalog.lookup.marketByCondition(hex(1)), {
    slug: 'renamed',
    closed: true,
    outcomes: ['Up', 'Down'],
    tags: ['tag-3'],
    eventTitle: 'Renamed',
  });
  t.equal(catalog.lookup.marketByCondition(hex(12))?.question, 'Stays?');
});

t.test('missing fields get their documented defaults', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1, { creator: '0xCreator' })]);
  t.match(catalog.lookup.marketByCondition(hex(1)), {
    active: true,
    closed: false,
    archived: false,
    enableOrderBook: true,
    acceptingOrders: true,
    description: '',
    questionId: '',
    startDate: null,
    createdAt: null,
    eventTicker: 'event-1',
    negRisk: false,
    negRiskEventId: '',
    minimumTickSize: 0.01,
    minimumOrderSize: 5,
    creator: '0xCreator',
  });
});

t.test('markets inherit neg-risk from their event, which gets an id if it has none', async (t) => {
  const catalog = openNew(t);
  const plain = marketRecord(12, { negRisk: false });
  catalog.importEvents([
    eventRecord(1, { negRisk: true, markets: [marketRecord(1), plain] }),
    eventRecord(2, { negRisk: true, negRiskMarketID: hex(77) }),
  ]);
  const first = catalog.lookup.marketByCondition(hex(1));
  t.equal(first?.negRisk, true);
  // sha256 of "outcome-exchange/neg-risk-event/1", made with sha256sum.
  t.equal(
    first?.negRiskEventId,
    '0xcbca96fde79a929526a7b6fc12ce7a0b557c0f72dd802717903f9505410784df',
  );
  t.match(catalog.lookup.marketByCondition(hex(12)), { negRisk: false, negRiskEventId: '' });
  t.match(catalog.lookup.marketByCondition(hex(2)), { negRisk: true, negRiskEventId: hex(77) });
  const contrary = eventRecord(3, {
    negRisk: false,
    markets: [marketRecord(3, { negRisk: true })],
  });
  t.strictSame(sentencesOf([contrary]), [
    '$[0].negRisk must be true, as $[0].markets[0].negRisk is, but is false',
  ]);
});

t.test('source fields without a column are stored unchanged', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  const prices = { outcomePrices: '["0.0005", "0.9995"]' };
  const market = marketRecord(1, { seriesColor: 'red', events: [{ id: '1' }], ...prices });
  const tag = { id: '1', slug: 'sports', label: 'Sports', forceShow: true };
  const series = { id: '1', slug: 'cup', title: 'Cup', volume: 3 };
  const eventMetadata = { context_description: 'Words' };
  catalog.importEvents([
    eventRecord(1, { markets: [market], tags: [tag], series: [series], eventMetadata }),
  ]);
  const [read] = catalog.lookup.marketPage(0, 1);
  t.same(read?.sourcePrices, ['0.0005', '0.9995'], 'the order book lists have its prices');
  catalog.close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  const kept = ['events', 'markets', 'tags', 'series'].map((table) =>
    JSON.parse(`${database.prepare(`SELECT record FROM ${table}`).pluck().get()}`),
  );
  t.match(kept, [{ eventMetadata }, { seriesColor: 'red' }, { forceShow: true }, { volume: 3 }]);
  t.same(kept.slice(2), [{ forceShow: true }, { volume: 3 }]);
});
