import t, { type Test } from 'tap';
import { type Catalog, openCatalog } from '../../catalog/catalog.ts';
import type { KnownMarket } from '../../catalog/model/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { eventRecord, hex, marketRecord } from './fixture.ts';

function openNew(t: Test) {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  return catalog;
}

/** Reconciles the catalog with one market; returns the number of placeholders made. */
function ensure(catalog: Catalog, market: KnownMarket): number {
  return catalog.reconcile([market], new Map());
}

t.test('tradable markets are sorted by numeric event and market id, in engine units', async (t) => {
  const catalog = openNew(t);
  const tenth = marketRecord(10, { orderPriceMinTickSize: 0.001, orderMinSize: 1.5 });
  catalog.importEvents([
    eventRecord(20, { markets: [tenth, marketRecord(9)] }),
    eventRecord(3, { negRisk: true, markets: [marketRecord(30, { outcomes: '["Up", "Down"]' })] }),
  ]);
  t.strictSame(catalog.lookup.tradable(), [
    {
      conditionId: hex(30),
      tokenIds: ['30001', '30002'],
      outcomes: ['Up', 'Down'],
      slug: 'market-30',
      tickTicks: 100,
      minimumLots: 500,
      negRisk: true,
      eventId: '3',
      sourceFees: null,
    },
    {
      conditionId: hex(9),
      tokenIds: ['9001', '9002'],
      outcomes: ['Yes', 'No'],
      slug: 'market-9',
      tickTicks: 100,
      minimumLots: 500,
      negRisk: false,
      eventId: '20',
      sourceFees: null,
    },
    {
      conditionId: hex(10),
      tokenIds: ['10001', '10002'],
      outcomes: ['Yes', 'No'],
      slug: 'market-10',
      tickTicks: 10,
      minimumLots: 150,
      negRisk: false,
      eventId: '20',
      sourceFees: null,
    },
  ]);
});

t.test('every allowed tick size is a whole number of ticks', async (t) => {
  const catalog = openNew(t);
  const ticks = [0.1, 0.01, 0.005, 0.0025, 0.001, 0.0001];
  catalog.importEvents([
    eventRecord(1, {
      markets: ticks.map((tick, index) => marketRecord(index + 1, { orderPriceMinTickSize: tick })),
    }),
  ]);
  t.strictSame(
    catalog.lookup.tradable().map((market) => market.tickTicks),
    [1_000, 100, 50, 25, 10, 1],
  );
  t.strictSame(
    catalog.lookup.marketPage(0, 10).map((market) => market.minimumTickSize),
    ticks,
  );
});

t.test('an inactive, closed or archived market or one without a book is untradable', async (t) => {
  const catalog = openNew(t);
  const states = [
    { active: false },
    { closed: true },
    { archived: true },
    { enableOrderBook: false },
    { acceptingOrders: false },
    {},
  ];
  const markets = states.map((state, index) => marketRecord(index + 1, state));
  catalog.importEvents([eventRecord(1, { markets })]);
  t.equal(catalog.lookup.marketCount(), 6);
  t.strictSame(
    catalog.lookup.tradable().map((market) => market.slug),
    ['market-6'],
  );
});

t.test('pages go by numeric id and end where the markets end', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1), eventRecord(10), eventRecord(9), eventRecord(2)]);
  const idsOf = (offset: number, limit: number) =>
    catalog.lookup.marketPage(offset, limit).map((market) => market.id);
  t.strictSame(idsOf(0, 3), ['1', '2', '9']);
  t.strictSame(idsOf(3, 3), ['10']);
  t.strictSame(idsOf(4, 3), []);
  for (const [offset, limit] of [
    [-1, 1],
    [0.5, 1],
    [0, 0],
    [0, 1_001],
  ] as const) {
    t.throws(() => catalog.lookup.marketPage(offset, limit), /must be whole/);
  }
});

t.test('an unknown condition id has no market', async (t) => {
  t.equal(openNew(t).lookup.marketByCondition(hex(1)), undefined);
});

t.test('a stored market of the engine is left unchanged', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  const page = catalog.lookup.marketPage(0, 10);
  t.equal(ensure(catalog, { conditionId: hex(1), tokenIds: ['1001', '1002'] }), 0);
  t.strictSame(catalog.lookup.marketPage(0, 10), page);
});

t.test('a market that only the engine has gets one placeholder', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  const lost = { conditionId: hex(2), tokenIds: ['2001', '2002'] as const };
  const fine = { conditionId: hex(3), tokenIds: ['3001', '3002'] as const };
  t.equal(ensure(catalog, lost), 1);
  t.equal(ensure(catalog, lost), 0);
  t.equal(ensure(catalog, { ...fine, tickTicks: 1, minimumLots: 100 }), 1);
  t.equal(catalog.lookup.marketCount(), 3);
  t.match(catalog.lookup.marketByCondition(hex(2)), {
    id: '1000000000',
    eventId: '1000000000',
    slug: `market-${hex(2)}`,
    tokenIds: ['2001', '2002'],
    outcomes: ['Yes', 'No'],
    minimumTickSize: 0.01,
    minimumOrderSize: 5,
    active: true,
    tags: [],
  });
  t.match(catalog.lookup.marketByCondition(hex(3)), {
    id: '1000000001',
    minimumTickSize: 0.0001,
    minimumOrderSize: 1,
  });
  t.equal(catalog.lookup.tradable().length, 3);
});

t.test('the real record replaces a placeholder', async (t) => {
  const catalog = openNew(t);
  ensure(catalog, { conditionId: hex(1), tokenIds: ['1001', '1002'] });
  catalog.importEvents([eventRecord(1)]);
  t.strictSame(
    catalog.lookup.marketPage(0, 10).map((market) => [market.id, market.eventSlug]),
    [['1', 'event-1']],
  );
});

t.test('only a valid record with the same tokens replaces a placeholder', async (t) => {
  const catalog = openNew(t);
  ensure(catalog, { conditionId: hex(1), tokenIds: ['1001', '1002'] });
  catalog.importEvents([eventRecord(2)]);
  const before = catalog.lookup.marketPage(0, 10);
  t.throws(() => catalog.importEvents([eventRecord(1), eventRecord(3, { slug: 'event-2' })]));
  const foreign = marketRecord(1, { clobTokenIds: '["7", "8"]' });
  t.throws(() => catalog.importEvents([eventRecord(1, { markets: [foreign] })]));
  t.strictSame(catalog.lookup.marketPage(0, 10), before);
});

t.test('a catalog that contradicts the engine is refused with a clear sentence', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  const message = /this catalog belongs to another exchange: .*"market-1"/;
  t.throws(() => ensure(catalog, { conditionId: hex(1), tokenIds: ['1002', '1001'] }), {
    message,
  });
  t.throws(() => ensure(catalog, { conditionId: hex(2), tokenIds: ['1001', '2002'] }), {
    message,
  });
  t.equal(catalog.lookup.marketCount(), 1);
});

t.test('placeholders of one lost event share an event, and keep neg-risk', async (t) => {
  const catalog = openNew(t);
  const known = (number: number, eventId: string, negRisk = false): KnownMarket => ({
    conditionId: hex(number),
    tokenIds: [`${number}001`, `${number}002`],
    eventId,
    negRisk,
  });
  const markets = [known(1, '21', true), known(2, '21', true), known(3, '7'), known(4, 'no id')];
  t.equal(catalog.reconcile(markets, new Map()), 4);
  t.equal(catalog.reconcile(markets, new Map()), 0);
  const rows = catalog.lookup.marketPage(0, 10).map((market) => [market.eventSlug, market.negRisk]);
  t.strictSame(rows, [
    ['lost-event-21', true],
    ['lost-event-21', true],
    ['lost-event-7', false],
    ['lost-event-1000000003', false],
  ]);
  t.match(catalog.lookup.event(21), { id: 21, title: 'Event 21' });
  const negRiskEventId = catalog.lookup.marketByCondition(hex(1))?.negRiskEventId;
  t.match(negRiskEventId, /^0x[0-9a-f]{64}$/);
  catalog.importEvents([eventRecord(21, { negRisk: true, markets: [marketRecord(1)] })]);
  t.match(catalog.lookup.marketByCondition(hex(1)), {
    id: '1',
    eventSlug: 'event-21',
    negRiskEventId,
  });
  t.match(catalog.lookup.marketByCondition(hex(2)), { eventSlug: 'event-21', negRiskEventId });
  catalog.importEvents([eventRecord(70, { markets: [marketRecord(3)] })]);
  t.equal(catalog.lookup.event(7), undefined, 'an empty placeholder event is removed');
});

t.test('a placeholder joins its stored event, which only becomes neg-risk', async (t) => {
  const catalog = openNew(t);
  catalog.importEvents([eventRecord(1)]);
  const event = catalog.lookup.event(1);
  const lost = { conditionId: hex(2), tokenIds: ['2001', '2002'], eventId: '1' } as const;
  t.equal(ensure(catalog, { ...lost, negRisk: true }), 1);
  const { negRiskEventId } = catalog.lookup.marketByCondition(hex(2)) ?? {};
  t.match(negRiskEventId, /^0x/);
  t.strictSame(catalog.lookup.event(1), { ...event, negRisk: 1, negRiskEventId });
  t.equal(catalog.lookup.marketByCondition(hex(2))?.eventSlug, 'event-1');
});

// In the past the id of the newest reaction was given again after it was removed.
t.test('ids of comments and reactions are given once, also after a restart', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const [userAddress, nowIso] = [`0x${'1'.repeat(40)}`, '2026-01-01T00:00:00Z'];
  const given: unknown[] = [];
  for (const body of ['Rain.', 'Sun.']) {
    const catalog = openCatalog(path);
    if (given.length === 0) catalog.importEvents([eventRecord(1)]);
    const { comments } = catalog;
    const parent = { type: 'Event', id: 1 } as const;
    const said = { parent, body, userAddress, key: '', nowIso, sinceIso: nowIso };
    const { commentId: id } = comments.comment(said);
    const command = { id, userAddress, nowIso, reactionType: 'HEART' };
    given.push(id, JSON.parse(comments.react(command).reaction).id);
    comments.unreact(command);
    comments.removeComment({ id, userAddress, nowIso });
    catalog.close();
  }
  const [comment, reaction, nextComment, nextReaction] = given.map(Number);
  t.equal(nextComment, Number(comment) + 1);
  t.equal(nextReaction, Number(reaction) + 1);
});
