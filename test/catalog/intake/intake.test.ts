/** Syncs and imports: valid records are stored, bad ones refused, and local changes stay. */
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { type Catalog, openCatalog } from '../../../catalog/catalog.ts';
import type { PageReport, RecordKind } from '../../../catalog/model/index.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, hex, marketRecord } from '../fixture.ts';

const SOURCE = 'https://catalog.example';

function openNew(t: Test): Catalog {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  return catalog;
}

/** Stands for lists that are nested too deep for JSON.stringify. */
const DEEP = 'a text in place of lists in lists';
const NESTED = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

function page(
  catalog: Catalog,
  kind: RecordKind,
  records: readonly unknown[],
  source = SOURCE,
): PageReport {
  const text = Buffer.from(JSON.stringify(records).replace(`"${DEEP}"`, NESTED));
  return catalog.intake.putPage({ source, kind, text, mark: `${records.length}` });
}

function sentences({ refusals }: PageReport): string[] {
  return refusals.map(({ sentence }) => sentence);
}
function counts(added: number, updated: number, unchanged: number, refused: number) {
  return {
    added,
    updated,
    unchanged,
    refused,
  };
}

t.test('a page is stored, recognised when repeated, and updated when changed', async (t) => {
  const catalog = openNew(t);
  const tag = { id: '7', label: 'Weather', slug: 'weather' };
  const first = page(catalog, 'events', [
    eventRecord(1, { tags: [tag], own: 'x' }),
    eventRecord(2),
  ]);
  t.strictSame(first.counts, { events: counts(2, 0, 0, 0), markets: counts(2, 0, 0, 0) });
  t.equal(catalog.intake.mark(SOURCE, 'events'), '2');
  const again = page(catalog, 'events', [
    eventRecord(1, { tags: [tag], own: 'x' }),
    eventRecord(2),
  ]);
  t.strictSame(again.counts, { events: counts(0, 0, 2, 0) });
  const changed = page(catalog, 'events', [
    eventRecord(1, { title: 'New', markets: [marketRecord(1), marketRecord(3)] }),
  ]);
  t.strictSame(changed.counts, { events: counts(0, 1, 0, 0), markets: counts(1, 0, 1, 0) });
  t.equal(catalog.lookup.event(1)?.title, 'New');
});

t.test('a refused record of a page changes nothing and does not stop the others', async (t) => {
  const table: readonly (readonly [unknown, RegExp])[] = [
    [7, /^events #1: it must be an object, but is 7/],
    [null, /must be an object/],
    [[], /must be an object, but is an array/],
    [{}, /^events #1: id must be a number/],
    [eventRecord(9, { id: 9 }), /id must be a number from 1/],
    [eventRecord(9, { title: undefined }), /^events 9: title must be a text/],
    [eventRecord(9, { endDate: 'soon' }), /endDate must be a date/],
    [eventRecord(9, { slug: 'a b' }), /slug must be 1 to 300 letters/],
    [eventRecord(9, { deep: DEEP }), /nested at most 64 levels/],
    [eventRecord(9, { markets: 'none' }), /markets must be an array/],
    [eventRecord(9, { vast: 'x'.repeat(300_000) }), /characters of further fields/],
    [
      eventRecord(9, { slug: 'event-1' }),
      /slug must be a slug that no other record has, but is event-1/,
    ],
  ];
  for (const [bad, reason] of table) {
    const catalog = openNew(t);
    const report = page(catalog, 'events', [eventRecord(1), bad, eventRecord(2)]);
    t.match(sentences(report), [reason]);
    t.strictSame(report.counts.events, counts(2, 0, 0, 1));
    t.strictSame(
      [1, 2, 9].map((id) => catalog.lookup.event(id)?.id),
      [1, 2, undefined],
    );
    t.equal(catalog.lookup.market(9), undefined);
  }
});

t.test('a valid event is stored without its refused markets, tags and series', async (t) => {
  const catalog = openNew(t);
  const event = eventRecord(1, {
    markets: [marketRecord(1), marketRecord(2, { clobTokenIds: '[]' }), marketRecord(3), 5],
    tags: [{ id: '1', slug: 'one', label: 'One' }, { id: '2' }],
    series: [{ id: 'x' }],
  });
  const report = page(catalog, 'events', [event]);
  t.match(sentences(report).toSorted(), [
    /^markets #3: it must be an object, but is 5 \(in events 1\)/,
    /^markets 2: clobTokenIds must be a text .* \(in events 1\)/,
    /^series x: slug must be/,
    /^tags 2: slug must be/,
  ]);
  t.strictSame(report.counts.events, counts(1, 0, 0, 0));
  t.strictSame(report.counts.markets, counts(2, 0, 0, 2));
  t.strictSame(catalog.lookup.market(1)?.tags, ['one']);
  t.equal(page(catalog, 'events', [event]).refused, 4, 'the refused parts are reported again');
});

t.test('a stored market keeps its identity, whatever a source says', async (t) => {
  const catalog = openNew(t);
  page(catalog, 'events', [eventRecord(1)]);
  const table: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [
      { clobTokenIds: '["8", "9"]' },
      /clobTokenIds must be 1001, 1002, which is fixed for the stored market 1/,
    ],
    [{ conditionId: hex(8) }, /conditionId must be .*, which is fixed for the stored market 1/],
    [{ negRisk: true }, /negRisk/],
  ];
  for (const [change, reason] of table) {
    const report = page(catalog, 'events', [
      eventRecord(1, { markets: [marketRecord(1, change)] }),
    ]);
    t.match(sentences(report).join('\n'), reason);
  }
  t.strictSame(catalog.lookup.marketByCondition(hex(1))?.tokenIds, ['1001', '1002']);
});

t.test("a sync changes no record of this exchange's operator", async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1), eventRecord(2)]);
  const plan = { name: 'event/event-3', eventId: 3, request: {}, commands: [], evidence: {} };
  catalog.additions.addEvent(eventRecord(3), plan);
  const report = page(catalog, 'events', [
    eventRecord(1, { slug: 'foreign', title: 'Foreign', markets: [marketRecord(11)] }),
    eventRecord(2, { title: 'The same, said better' }),
    eventRecord(3, { title: 'Foreign' }),
  ]);
  t.match(sentences(report), [
    /^events 1: another record of this exchange has this id: event-1/,
    /^events 3: this exchange's operator added a record with this id/,
  ]);
  t.strictSame(
    [1, 2, 3].map((id) => catalog.lookup.event(id)?.title),
    ['Event 1', 'The same, said better', 'Event 3'],
  );
  t.equal(catalog.lookup.market(11), undefined);
  const late = { ...marketRecord(12), events: [{ id: '3', slug: 'event-3', title: 'x' }] };
  t.match(sentences(page(catalog, 'markets', [late])), [
    /this exchange's operator added its event 3/,
  ]);
});

t.test(
  'a source changes no record of another source, unless both mean the same record',
  async (t) => {
    const catalog = openNew(t);
    page(catalog, 'events', [eventRecord(1)]);
    const renamed = eventRecord(1, { slug: 'renamed' });
    t.equal(page(catalog, 'events', [renamed], 'https://other.example').refused, 1);
    t.equal(page(catalog, 'events', [renamed]).refused, 0, 'its own source renames it');
    t.equal(catalog.lookup.event(1)?.slug, 'renamed');
  },
);

t.test('a sync neither opens nor closes a market that trades here', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  page(catalog, 'events', [eventRecord(2)]);
  const over = { closed: true, active: false, acceptingOrders: false };
  for (const id of [1, 2]) {
    page(catalog, 'events', [eventRecord(id, { ...over, markets: [marketRecord(id, over)] })]);
  }
  t.strictSame(
    [1, 2].map((id) => [catalog.lookup.market(id)?.closed, catalog.lookup.event(id)?.closed]),
    [
      [false, 0],
      [true, 1],
    ],
  );
});

t.test('imported markets do not trade until they are opened', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  page(catalog, 'events', [eventRecord(2), eventRecord(3)]);
  const slugs = (markets: readonly { slug: string }[]) => markets.map(({ slug }) => slug);
  t.strictSame(slugs(catalog.lookup.tradable()), ['market-1']);
  t.strictSame(slugs(catalog.lookup.importedTradable()), ['market-2', 'market-3']);
  catalog.intake.markTraded([hex(3)]);
  t.strictSame(slugs(catalog.lookup.tradable()), ['market-1', 'market-3']);
});

t.test('a single market goes into its stored event, or creates it', async (t) => {
  const catalog = openNew(t);
  page(catalog, 'events', [
    eventRecord(1, {
      markets: [
        marketRecord(1, { mirrorConditionId: hex(77), orderPriceMinTickSize: 0.001, own: 'kept' }),
      ],
    }),
  ]);
  const inEvent = (number: number, id: number) => ({
    ...marketRecord(number),
    events: [{ id: `${id}`, ticker: `t-${id}`, slug: `event-${id}`, title: `Event ${id}` }],
  });
  const report = page(catalog, 'markets', [
    { ...inEvent(1, 1), question: 'Said again?' },
    inEvent(2, 1),
    inEvent(3, 8),
    { ...marketRecord(4), events: ['x'] },
  ]);
  t.strictSame(report.counts.markets, counts(2, 1, 0, 1));
  t.match(sentences(report), [/^markets 4: events must be a list with the event/]);
  const { question, mirrorConditionId, minimumTickSize } = catalog.lookup.market(1) ?? {};
  t.strictSame([question, mirrorConditionId, minimumTickSize], ['Said again?', hex(77), 0.001]);
  t.equal(catalog.lookup.market(3)?.eventTitle, 'Event 8');
});

function file(catalog: Catalog, records: readonly unknown[], kind: RecordKind = 'events') {
  return catalog.intake.putFile(records.map((value, index) => ({ kind, value, place: index + 1 })));
}

t.test('a file is stored completely, or not at all and every refusal is reported', async (t) => {
  const catalog = openNew(t);
  const good = file(catalog, [eventRecord(1), eventRecord(2, { unknown: { kept: [1] } })]);
  t.strictSame(good.counts, { events: counts(2, 0, 0, 0), markets: counts(2, 0, 0, 0) });
  const again = file(catalog, [eventRecord(1), eventRecord(2, { title: 'New' })]);
  t.strictSame(again.counts, { events: counts(0, 1, 1, 0), markets: counts(0, 0, 2, 0) });
  const bad = file(catalog, [
    eventRecord(3),
    eventRecord(1, { title: 'Lost' }),
    eventRecord(4, { title: '', endDate: 'x' }),
    eventRecord(3),
    eventRecord(2, { slug: 'other', markets: [marketRecord(22)] }),
  ]);
  t.match(sentences(bad), [
    /^events 4: title must be/,
    /^events 4: endDate must be/,
    /^events 3: it occurs twice, as record 1 and 4/,
    /^events 2: the stored event event-2 has the same id, but no market in common with this one/,
  ]);
  t.equal(catalog.lookup.event(3), undefined);
  t.equal(catalog.lookup.event(1)?.title, 'Event 1');
  t.strictSame(catalog.lookup.importedTradable().length, 2);
});

t.test('teams and sports with numeric ids are recognised when repeated', (t) => {
  const catalog = openNew(t);
  const team = (id: number, name: string) => ({ id, name, league: 'Coastal', abbreviation: 'C' });
  t.match(page(catalog, 'teams', [team(1, 'Kings'), team(2, 'Peaks')]).counts.teams, { added: 2 });
  const again = page(catalog, 'teams', [team(1, 'Kings'), team(2, 'Hills')]);
  t.match(again.counts.teams, { added: 0, updated: 1, unchanged: 1 });
  const other = page(catalog, 'teams', [team(1, 'Another')], 'https://elsewhere.example');
  t.match(sentences(other), [/another record of this exchange has this id: Kings/]);
  t.match(page(catalog, 'sports', [{ id: 1, sport: 'tennis' }]).counts.sports, { added: 1 });
  t.match(page(catalog, 'sports', [{ id: 1, sport: 'tennis' }]).counts.sports, { unchanged: 1 });
  t.end();
});

// In the past such a file was refused: 292 of 292 markets of a public list had lost their events.
t.test('markets that name no event get one, and a neg-risk group gets one together', async (t) => {
  const catalog = openNew(t);
  const group = { negRisk: true, negRiskMarketID: hex(900) };
  const flat = [
    marketRecord(1, { question: 'Rain?', description: 'Rules', events: undefined }),
    marketRecord(2, { events: null, closed: true }),
    marketRecord(3, { events: [], slug: 'event-of-another' }),
    marketRecord(4, { ...group, closed: true }),
    marketRecord(5, group),
  ];
  page(catalog, 'events', [eventRecord(70, { slug: 'event-of-another', markets: [] })]);
  const importFlat = () =>
    catalog.intake.putFile(flat.map((value, place) => ({ kind: 'markets', value, place })));
  const report = importFlat();
  t.strictSame(sentences(report), []);
  t.equal(report.ownEvents, 4);
  t.strictSame(report.counts, { markets: counts(5, 0, 0, 0), events: counts(4, 0, 0, 0) });
  const eventOf = (id: number) => {
    const eventId = Number(catalog.lookup.market(id)?.eventId);
    return catalog.lookup.event(eventId);
  };
  t.match(eventOf(1), { slug: 'market-1', title: 'Rain?', description: 'Rules', closed: 0 });
  t.match(eventOf(2), { slug: 'market-2', closed: 1 }, 'closed like its market');
  t.match(eventOf(3), { slug: 'event-event-of-another' }, 'a slug that another event has');
  t.match(eventOf(4), { slug: 'market-4', negRisk: 1, negRiskEventId: hex(900), closed: 0 });
  t.equal(eventOf(5)?.id, eventOf(4)?.id);
  const ids = [1, 2, 3, 4, 5].map((id) => eventOf(id)?.id);
  const again = importFlat();
  t.strictSame(again.counts, { markets: counts(0, 0, 5, 0) }, 'a stored market keeps its event');
  t.equal(again.ownEvents, 0);
  t.strictSame(
    [1, 2, 3, 4, 5].map((id) => eventOf(id)?.id),
    ids,
  );
});

t.test('a sync gives markets without an event the same events', async (t) => {
  const catalog = openNew(t);
  const records = [marketRecord(1), marketRecord(2, { slug: 'not a slug' })];
  const first = page(catalog, 'markets', records);
  t.match(first, { ownEvents: 1, refused: 1, counts: { events: counts(1, 0, 0, 0) } });
  t.match(sentences(first), [/^markets 2: slug must be/]);
  t.match(page(catalog, 'markets', records.slice(0, 1)), {
    ownEvents: 0,
    counts: { markets: counts(0, 0, 1, 0) },
  });
  const other = page(catalog, 'markets', [marketRecord(1)], 'https://other.example');
  t.match(other, { ownEvents: 0, refused: 0 }, 'also from another source');
});

// In the past a repeated profile counted as added, and market types were refused: they are texts.
t.test('profiles and market types are recognised when repeated', async (t) => {
  const catalog = openNew(t);
  const profile = (name: string) => ({ proxyWallet: '0xAb', name });
  const own = { ...profile('Own'), baseAddress: '0xCd' };
  t.match(page(catalog, 'profiles', [profile('Ada'), own]).counts.profiles, { added: 2 });
  const again = page(catalog, 'profiles', [profile('Ben'), own]).counts.profiles;
  t.match(again, { added: 0, updated: 1, unchanged: 1 });
  const types = (names: readonly unknown[]) => page(catalog, 'marketTypes', names);
  t.match(types(['totals', 'spreads']).counts.marketTypes, { added: 2, refused: 0 });
  const more = types(['totals', 'moneyline', '', 7]);
  t.match(more.counts.marketTypes, { added: 1, unchanged: 1, refused: 2 });
  t.match(sentences(more), [/^marketTypes #2: it must be a text/, /^marketTypes #3: /]);
});

// In the past they were named by their place, as if they had no id.
t.test('a refusal names a numeric id', async (t) => {
  const catalog = openNew(t);
  const teams = [{ id: 7, name: '' }, { id: '8', name: '' }, { name: '' }];
  const named = page(catalog, 'teams', teams).refusals.map(({ id }) => id);
  t.strictSame(named, ['7', '8', '#2']);
});

// In the past only comments of a sync were protected, and a file imported again undid the edit.
t.test('a file that is imported again undoes no edit and no removed reaction', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  page(catalog, 'events', [eventRecord(1)]);
  const reaction = { id: '5', reactionType: 'HEART', icon: '', userAddress: '0xb' };
  const comment = {
    ...{ id: '3', body: 'Rain', userAddress: '0xa', createdAt: '2026-05-01T00:00:00Z' },
    ...{ parentEntityType: 'Event', parentEntityID: 1, reactions: [reaction] },
  };
  t.strictSame(sentences(file(catalog, [comment], 'comments')), []);
  const by = (userAddress: string) => ({ id: 3, userAddress, nowIso: '2026-05-01T00:01:00Z' });
  catalog.comments.editComment({ ...by('0xa'), body: 'Sun' });
  catalog.comments.unreact({ ...by('0xb'), reactionType: 'HEART' });
  file(catalog, [comment], 'comments');
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  const told = new CatalogAnswers(database).answer('commentThread', { id: 3 });
  t.match(told && answerValue(told), [{ body: 'Sun', reactions: [] }]);
});

// In the past a search for an unknown series left its writer unfinished, and each next writer of
// the thread made a new buffer of 256 KiB.
t.test('a series that is not there leaves the buffer of its answer to the next one', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  openCatalog(path).close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  const answers = new CatalogAnswers(database);
  answers.answer('marketTypes', {});
  const make = Buffer.allocUnsafeSlow;
  let made = 0;
  Buffer.allocUnsafeSlow = (bytes) => {
    if (bytes > 100_000) made += 1;
    return make(bytes);
  };
  t.teardown(() => {
    Buffer.allocUnsafeSlow = make;
  });
  for (let time = 0; time < 3; time += 1) t.equal(answers.answer('series', { id: 7 }), undefined);
  t.equal(made, 0);
});
