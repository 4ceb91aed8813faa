import { isDeepStrictEqual } from 'node:util';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { Random } from '../../../../http/codec/random.ts';
import type {
  DurableCommand,
  OrderRecord,
  PriceHistory,
  TradesQuery,
} from '../../../../persistence/index.ts';
import { type HoldersOf, Projection } from '../../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { MARKET_SQL } from '../../../../persistence/reads/records/markets.ts';
import { NOTIFICATION_SQL } from '../../../../persistence/reads/records/notifications.ts';
import type { PriceHistoryQuery } from '../../../../persistence/reads/records/queries.ts';
import {
  liveOrdersSql,
  openOrdersSql,
  RecordReads,
} from '../../../../persistence/reads/records/record-reads.ts';
import { RECORD_SQL } from '../../../../persistence/reads/records/rows.ts';
import { KEY_SQL, ReadTables } from '../../../../persistence/reads/tables/read-tables.ts';
import { tradeWalks } from '../../../../persistence/reads/tables/trade-walks.ts';
import { BUILDERS, enrich } from '../../enriched-stream.ts';
import { ProjectionOracle } from '../../projection/oracle.ts';
import { CONDITION, randomStream, smallBounds, YES } from '../../store-fixture.ts';

function project(durable: readonly DurableCommand[], holdersOf: HoldersOf): Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  new Projection(database, holdersOf).take(durable.map((command) => ({ ...command, checksum: 0 })));
  return database;
}

const { durable: plain, holdersOf } = randomStream(9, 6_000, smallBounds(9));
const durable = enrich(plain);
const database = project(durable, holdersOf);
const reads = new RecordReads(new ReadTables(database));
const oracle = new ProjectionOracle(durable, holdersOf);
const owners = [...new Set(oracle.accounts.map(({ owner }) => owner))];
const ALL = { offset: 0, limit: 1_000 };

type Filters = Omit<TradesQuery, 'offset' | 'limit'>;

/** Random filters. Many of them find at least one trade. */
function randomFilters(random: Random): Filters {
  const trade = random.pick(oracle.trades);
  const other = random.pick(oracle.trades);
  const maker = random.pick(trade.makers);
  const maybe = <Value>(name: keyof Filters, percent: number, values: readonly Value[]) =>
    random.chance(percent) ? { [name]: random.pick(values) } : {};
  return {
    ...maybe('owner', 50, [trade.takerOwner, maker.owner, other.takerOwner]),
    ...maybe('tradeId', 10, [trade.tradeId, other.tradeId, '']),
    ...maybe('takerAccount', 25, [trade.takerAccount, maker.account]),
    ...maybe('makerAccount', 25, [maker.account, other.takerAccount]),
    ...maybe('eitherAccount', 25, [maker.account, trade.takerAccount]),
    ...maybe('builder', 20, BUILDERS),
    ...maybe('builtAccount', 20, [trade.takerAccount, maker.account]),
    ...maybe('conditionId', 30, [trade.conditionId, other.conditionId]),
    ...maybe('tokenId', 30, [trade.tokenId, maker.tokenId, other.tokenId]),
    ...maybe('beforeMs', 20, [trade.timeMs, other.timeMs + 1]),
    ...maybe('afterMs', 20, [trade.timeMs - 1, other.timeMs, 0]),
  };
}

t.test('searches for trades find what a plain filter over all trades finds', (t) => {
  const random = new Random(4);
  const missed: unknown[] = [];
  let found = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const filters = randomFilters(random);
    const expected = oracle.search(filters);
    const { records, more } = reads.trades({ ...filters, offset: 0, limit: 20 });
    const isRight = isDeepStrictEqual(records, expected.slice(0, 20));
    if (!isRight || more !== expected.length > 20) missed.push(filters);
    found += expected.length > 0 ? 1 : 0;
  }
  t.same(missed, []);
  t.ok(found > 150, 'many searches find something');
  t.end();
});

t.test('pages of trades follow each other without gaps', (t) => {
  const owner = oracle.trades[0]?.takerOwner ?? '';
  const all = oracle.search({ owner });
  const pages = Array.from({ length: Math.ceil(all.length / 7) }, (_, page) =>
    reads.trades({ owner, offset: 7 * page, limit: 7 }),
  );
  for (const [index, { tradeId: after }] of all.entries()) {
    const rest = all.slice(index + 1, index + 8);
    t.same(reads.trades({ owner, after, offset: 0, limit: 7 }).records, rest);
  }
  t.same(
    pages.flatMap(({ records }) => records),
    all,
  );
  t.same(
    pages.map(({ more }) => more),
    pages.map((_, page) => 7 * (page + 1) < all.length),
  );
  t.end();
});

t.test('live and delayed orders are listed oldest first, by their owner and each filter', (t) => {
  // Only the beginning of the stream, because it may close its markets at the end.
  const begun = durable.slice(0, 1_000);
  const early = new RecordReads(new ReadTables(project(begun, holdersOf)));
  const { orders } = new ProjectionOracle(begun, holdersOf);
  const live = orders.filter(({ closeReason }) => closeReason === '');
  t.same([...new Set(live.map(({ status }) => status))].sort(), ['delayed', 'live']);
  const random = new Random(5);
  for (const owner of owners) {
    const own = live.filter((order) => order.owner === owner);
    const some = random.pick([...own, ...live]);
    const { orderId, conditionId, tokenId } = some;
    for (const filters of [
      {},
      { orderId },
      { conditionId },
      { tokenId },
      { conditionId, tokenId },
    ]) {
      const expected = own.filter((order) =>
        Object.entries(filters).every(([name, value]) =>
          Object.entries(order).some(([field, stored]) => field === name && stored === value),
        ),
      );
      t.same(early.liveOrders({ owner, ...filters, ...ALL }), { records: expected, more: false });
      t.same(early.liveOrders({ owner, ...filters, offset: 0, limit: 1 }), {
        records: expected.slice(0, 1),
        more: expected.length > 1,
      });
      // History: cursors were offsets, so that 50 cancels on a page hid 50 live orders.
      const after = random.pick(orders).orderId;
      const place = orders.findIndex((order) => order.orderId === after);
      if (!('orderId' in filters)) {
        t.same(
          early.liveOrders({ owner, ...filters, after, ...ALL }).records,
          expected.filter((order) => orders.indexOf(order) > place),
        );
      }
      t.same(early.liveOrders({ owner, ...filters, offset: 1, limit: 1_000 }), {
        records: expected.slice(1),
        more: false,
      });
    }
  }
  t.end();
});

t.test('open orders of all owners are listed page by page, by each filter', (t) => {
  const begun = durable.slice(0, 1_000);
  const early = new RecordReads(new ReadTables(project(begun, holdersOf)));
  const { orders } = new ProjectionOracle(begun, holdersOf);
  const open = orders.filter(({ closeReason }) => closeReason === '');
  const [first] = open;
  const { owner = '', conditionId = '' } = first ?? {};
  for (const filters of [{}, { owner }, { conditionId }, { owner, conditionId }]) {
    const expected = open.filter((order) =>
      Object.entries(filters).every(([name, value]) => order[name as 'owner'] === value),
    );
    const listed: OrderRecord[] = [];
    for (let more = true; more; ) {
      const after = listed.at(-1)?.orderId;
      const page = early.openOrders({ ...filters, limit: 3, ...(after && { after }) });
      listed.push(...(page?.records ?? []));
      more = page?.more ?? false;
    }
    if ('owner' in filters || 'conditionId' in filters) t.same(listed, expected, 'oldest first');
    t.same(new Set(listed.map(({ orderId }) => orderId)).size, expected.length);
    t.equal(listed.length, expected.length);
  }
  const closed = orders.find(({ closeReason }) => closeReason !== '');
  t.ok(early.openOrders({ after: closed?.orderId ?? '', limit: 1 }), 'after a closed order');
  t.equal(early.openOrders({ after: CONDITION, limit: 1 }), undefined);
  t.same(early.openOrders({ owner: CONDITION, limit: 1 }), { records: [], more: false });
  t.same(early.openOrders({ conditionId: CONDITION, limit: 1 }), { records: [], more: false });
  t.end();
});

t.test('unknown names find nothing', (t) => {
  const [owner = ''] = owners;
  const [market] = oracle.markets;
  const closed = oracle.orders.find(({ closeReason }) => closeReason !== '');
  const nothing = { records: [], more: false };
  t.equal(reads.order(CONDITION), undefined);
  t.equal(reads.order('nonsense'), undefined);
  t.same(reads.liveOrders({ owner: CONDITION, ...ALL }), nothing);
  t.same(reads.liveOrders({ owner, orderId: CONDITION, ...ALL }), nothing);
  t.same(reads.liveOrders({ owner, conditionId: CONDITION, ...ALL }), nothing);
  t.same(reads.liveOrders({ owner, tokenId: YES, ...ALL }), nothing);
  const closedId = { owner: closed?.owner ?? '', orderId: closed?.orderId ?? '' };
  t.same(reads.liveOrders({ ...closedId, ...ALL }), nothing, 'a closed order is not live');
  for (const name of ['owner', 'takerAccount', 'makerAccount', 'eitherAccount', 'tradeId']) {
    t.same(reads.trades({ [name]: CONDITION, ...ALL }), nothing);
  }
  t.same(reads.trades({ conditionId: CONDITION, ...ALL }), nothing);
  t.same(reads.trades({ tokenId: YES, ...ALL }), nothing);
  const mixed = { conditionId: market?.conditionId ?? '', tokenId: YES };
  t.same(reads.trades({ ...mixed, ...ALL }), nothing);
  t.end();
});

t.test('orders are listed in the order of the requested ids, without their trades', (t) => {
  const some = oracle.orders.filter(({ acceptedSeq }) => acceptedSeq % 9 === 0).reverse();
  const orderIds = some.map(({ orderId }) => orderId);
  t.ok(some.some(({ tradeIds }) => tradeIds.length > 0));
  t.same(reads.orders(['nonsense', ...orderIds, CONDITION]), [
    undefined,
    ...some.map((order) => ({ ...order, tradeIds: [], transactionHashes: [] })),
    undefined,
  ]);
  t.throws(() => reads.orders(Array.from({ length: 501 }, () => CONDITION)));
  t.end();
});

t.test('trades can be read without their makers', (t) => {
  const [first] = oracle.search({});
  const { records } = reads.trades({ takersOnly: true, offset: 0, limit: 1 });
  t.same(records, [{ ...first, makers: [] }]);
  t.end();
});

t.test('a limited list has the newest notifications of the owner', (t) => {
  const owner = owners.find((one) => oracle.notifications(one).length > 3) ?? '';
  const all = oracle.notifications(owner);
  t.same(reads.notifications({ owner, limit: 3 }), all.slice(0, 3));
  t.same(reads.notifications({ owner: CONDITION, limit: 3 }), []);
  t.throws(() => reads.notifications({ owner, limit: 0 }));
  t.end();
});

const HOUR_MS = 3_600_000;
const startMs = durable[0]?.timeMs ?? 0;
const endMs = durable.at(-1)?.timeMs ?? 0;

t.test('volumes add up what takers paid, in total and since a full hour', (t) => {
  const conditionIds = oracle.markets.map(({ conditionId }) => conditionId);
  const moments = [0, startMs, (startMs + endMs) / 2, endMs - HOUR_MS, endMs + HOUR_MS];
  for (const sinceMs of moments) {
    const expected = conditionIds.map((conditionId) => oracle.volume(conditionId, sinceMs));
    const asked = { conditionIds: [CONDITION, ...conditionIds], sinceMs };
    t.same(reads.volumes(asked), expected, 'an unknown market is left out');
  }
  const [first] = conditionIds;
  const unasked = { recentMicros: 0 };
  t.match(reads.volumes({ conditionIds: [first ?? ''] }), [unasked]);
  const late = conditionIds.map((id) => oracle.volume(id, (startMs + endMs) / 2).recentMicros);
  t.ok(late.some((micros) => micros > 0));
  t.throws(() => reads.volumes({ conditionIds: Array.from({ length: 501 }, () => CONDITION) }));
  t.end();
});

function historyOf({ tokenId, ...window }: PriceHistoryQuery): PriceHistory {
  return reads.priceHistories({ tokenIds: [tokenId], ...window })[0]!;
}

t.test('a price history has the last point of each step, without gaps', (t) => {
  const random = new Random(6);
  const tokens = oracle.markets.flatMap(({ tokenIds }) => tokenIds);
  const wrong: unknown[] = [];
  let filled = 0;
  for (let round = 0; round < 400; round += 1) {
    const stepMs = random.pick([1, 5, 30, 180, 720]) * 60_000;
    const [a = 0, b = 0] = [0, 1].map(() => startMs + random.below(endMs - startMs + HOUR_MS));
    const query = {
      tokenId: random.pick(tokens),
      startMs: Math.min(a, b) - random.pick([0, 0, 24 * HOUR_MS]),
      endMs: Math.max(a, b),
      stepMs,
    };
    const expected = oracle.history(query);
    const { stepCount, ...history } = historyOf({ ...query, limit: 10_000 });
    const shown = [...history.halfTicks].map((halfTicks, index) => ({
      timeMs: history.startMs + index * history.stepMs,
      halfTicks,
    }));
    if (stepCount !== expected.length || !isDeepStrictEqual(shown, expected)) wrong.push(query);
    filled += expected.length > 1 ? 1 : 0;
  }
  t.same(wrong, []);
  t.ok(filled > 200, 'most histories have steps');
  t.end();
});

t.test('a price history longer than its limit is only counted', (t) => {
  const [tokenId = ''] = oracle.markets[0]?.tokenIds ?? [];
  const query = { tokenId, startMs, endMs, stepMs: 60_000 };
  const { length } = oracle.history(query);
  t.match(historyOf({ ...query, limit: length }), { halfTicks: { length } });
  const longer = { halfTicks: { length: 0 }, stepCount: length };
  t.match(historyOf({ ...query, limit: length - 1 }), longer);
  t.throws(() => historyOf({ ...query, stepMs: 90_000, limit: 7 }));
  t.throws(() => historyOf({ ...query, limit: 20_001 }));
  t.end();
});

t.test('histories of several tokens share one limit', (t) => {
  const tokenIds = oracle.markets.flatMap((market) => market.tokenIds).slice(0, 3);
  const window = { startMs, endMs, stepMs: 60_000 };
  const lengths = tokenIds.map((tokenId) => oracle.history({ tokenId, ...window }).length);
  const [first = 0, second = 0, third = 0] = lengths;
  t.ok(first > 0 && second > 1 && third > 0);
  const shown = (limit: number): number[] =>
    reads.priceHistories({ tokenIds, ...window, limit }).map(({ halfTicks }) => halfTicks.length);
  const all = first + second + third;
  t.same(shown(all), lengths);
  t.same(shown(all - 1), [first, second, 0]);
  const counted = reads.priceHistories({ tokenIds, ...window, limit: first });
  t.same(
    counted.map(({ stepCount }) => stepCount),
    lengths,
    'all steps are counted',
  );
  t.end();
});

t.test('a token has no history before its first price', (t) => {
  const [tokenId = ''] = oracle.markets[0]?.tokenIds ?? [];
  const query = { startMs, endMs, stepMs: 60_000, limit: 10 };
  const early = { startMs: startMs - 2 * HOUR_MS, endMs: startMs - HOUR_MS };
  for (const asked of [{ tokenId: YES }, { tokenId, ...early }]) {
    const { halfTicks, stepCount } = historyOf({ ...query, ...asked });
    t.same([...halfTicks], []);
    t.equal(stepCount, 0);
  }
  t.end();
});

t.test('a page beyond its bound is refused by an assertion', (t) => {
  const pages: readonly (readonly [offset: number, limit: number])[] = [
    [0, 0],
    [0, 1_001],
    [-1, 10],
    [0.5, 10],
    [0, 1.5],
  ];
  for (const [offset, limit] of pages) t.throws(() => reads.trades({ offset, limit }));
  t.end();
});

/** The SQL of every combination of filters. */
function searches(): string[] {
  const names = [
    'ownerKey',
    'eitherKey',
    'takerKey',
    'makerKey',
    'builtKey',
    'builder',
    'marketKey',
    'outcome',
  ] as const;
  const combinations = Array.from({ length: 2 ** names.length }, (_, bits) => {
    const given = (name: (typeof names)[number]) =>
      bits & (1 << names.indexOf(name)) ? 1 : undefined;
    const plans = tradeWalks(
      {
        ownerKey: given('ownerKey'),
        eitherKey: given('eitherKey'),
        takerKey: given('takerKey'),
        makerKey: given('makerKey'),
        builtKey: given('builtKey'),
        builder: given('builder') && Buffer.alloc(32),
        marketKey: given('marketKey'),
        outcome: given('outcome'),
      },
      [1],
    );
    return plans.flat().map(({ sql }) => sql);
  });
  return combinations.flat();
}

const lists = [1, undefined].flatMap((marketKey) =>
  [1, undefined].map((outcome) => liveOrdersSql({ ownerKey: 1, marketKey, outcome })),
);

const openLists = [1, undefined].flatMap((ownerKey) =>
  [1, undefined].map((marketKey) => openOrdersSql({ ownerKey, marketKey })),
);

/** Whether a search in a market walks only that market, within the range of trade keys. */
function isNarrow(sql: string, walk = ''): boolean {
  return (
    !sql.includes('walked.market_key') || /market_key=\? AND (rowid|trade_key)>\?.*<\?/.test(walk)
  );
}

t.test('every statement reads ranges of indexes: nothing is scanned or sorted', (t) => {
  const fixed = [KEY_SQL, RECORD_SQL, NOTIFICATION_SQL, MARKET_SQL];
  const all = [
    ...new Set([...fixed.flatMap(Object.values<string>), ...lists, ...openLists, ...searches()]),
  ];
  const wrong = all.flatMap((sql) => {
    const plan = database.prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1').replaceAll(/@\w+/g, '1')}`,
    );
    const steps = plan.all().map(({ detail }) => detail);
    const isRanges =
      steps.some((step) => /^SEARCH/.test(step)) &&
      steps.every((step) => !/SCAN|TEMP B-TREE|AUTOMATIC/.test(step));
    return isRanges && isNarrow(sql, steps[0]) ? [] : [{ sql, steps }];
  });
  t.same(wrong, []);
  t.ok(all.length > 500, 'all combinations are there');
  t.end();
});
