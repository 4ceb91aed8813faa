// Markets that the engine ended are closed in the catalog: live, after imports, after a crash.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { type Catalog, openCatalog } from '../../../catalog/catalog.ts';
import { EngineMarkets } from '../../../catalog/engine-markets.ts';
import { type Command, micros, ticks } from '../../../engine/index.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import { makeClosedFolder } from '../../persistence/journal/fixture.ts';
import { createMarket, openFor, until } from '../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord, hex, marketRecord, writesOf } from '../fixture.ts';

const EARLY = '2026-06-01T00:00:00Z';
const LATE = '2026-06-02T00:00:00Z';

/** Two events: markets 1 and 2, and market 3. */
const EVENTS = [
  eventRecord(1, { markets: [marketRecord(1), marketRecord(2, { updatedAt: LATE })] }),
  eventRecord(3),
];

function openStored(t: Test) {
  const catalog = openCatalog(':memory:');
  t.teardown(() => catalog.close());
  catalog.importEvents(EVENTS);
  return catalog;
}

function endsOf(...numbers: number[]): Map<string, string> {
  return new Map(numbers.map((number) => [hex(number), EARLY]));
}

/** The ids of the closed markets and events. */
function closedIn(catalog: Catalog): [markets: string[], events: number[]] {
  return [
    catalog.lookup
      .marketPage(0, 10)
      .filter(({ closed, acceptingOrders }) => closed && !acceptingOrders)
      .map(({ id }) => id),
    [1, 3].filter((id) => catalog.lookup.event(id)?.closed),
  ];
}

t.test('an ended market is closed, and an event when all its markets are', async (t) => {
  const catalog = openStored(t);
  const rows: [ended: number[], markets: string[], events: number[]][] = [
    [[1], ['1'], []],
    [[1], ['1'], []],
    [[3], ['1', '3'], [3]],
    [[7], ['1', '3'], [3]],
    [
      [2, 1],
      ['1', '2', '3'],
      [1, 3],
    ],
  ];
  for (const [ended, markets, events] of rows) {
    catalog.markEnded(endsOf(...ended));
    t.strictSame(closedIn(catalog), [markets, events], `${ended}`);
  }
  t.strictSame(catalog.lookup.tradable(), []);
  t.equal(catalog.lookup.market(1)?.updatedAt, EARLY);
  t.equal(catalog.lookup.market(2)?.updatedAt, LATE, 'updatedAt never goes back');
  t.equal(catalog.lookup.event(1)?.updatedAt, LATE);
  t.equal(catalog.lookup.event(1)?.closedTime, EARLY, 'the time of the end itself');
});

t.test('an import reopens no ended market', async (t) => {
  const catalog = openStored(t);
  catalog.markEnded(endsOf(1, 3, 4));
  const before = closedIn(catalog);
  catalog.importEvents(EVENTS);
  t.strictSame(closedIn(catalog), before);
  t.equal(catalog.lookup.event(3)?.closedTime, EARLY);
  catalog.importEvents([eventRecord(3, { title: 'Without its market', markets: [] })]);
  t.strictSame(closedIn(catalog), before, 'also without markets in the record');
  catalog.importEvents([eventRecord(3, { markets: [marketRecord(3), marketRecord(4)] })]);
  t.strictSame(closedIn(catalog), [['1', '3', '4'], [3]], 'a market imported after its end');
  catalog.importEvents([eventRecord(3, { markets: [marketRecord(5)] })]);
  t.strictSame(closedIn(catalog), [['1', '3', '4'], []], 'an event with an open market is open');
  t.equal(catalog.lookup.event(3)?.closedTime, null);
});

t.test('reconcile closes markets that ended and reopens those that did not', async (t) => {
  const catalog = openStored(t);
  catalog.markEnded(endsOf(1, 2));
  catalog.reconcile([], endsOf(2, 3));
  t.strictSame(closedIn(catalog), [['2', '3'], [3]]);
  t.match(catalog.lookup.market(1), { closed: false, acceptingOrders: true });
});

const close: Command = { kind: 'close_market', conditionId: hex(1) };
function durable(command: Command, kind: 'market_closed' | 'market_created'): DurableCommand {
  return {
    seq: 1,
    timeMs: Date.parse(EARLY),
    command,
    events: [{ kind, conditionId: hex(1) }],
  };
}

t.test('a failed write is reported and repeated', async (t) => {
  const path = join(temporaryFolder(t), 'catalog.db');
  const catalog = openCatalog(path);
  t.teardown(() => catalog.close());
  catalog.importEvents(EVENTS);
  const failures: unknown[] = [];
  const feed = new EngineMarkets({ onFailure: (error) => failures.push(error) });
  await feed.open(writesOf(catalog));
  t.teardown(() => feed.close());
  const foreign = new Database(path);
  t.teardown(() => foreign.close());
  foreign.exec('ALTER TABLE ended_markets RENAME TO hidden');
  feed.consume([durable(close, 'market_closed')]);
  t.strictSame(closedIn(catalog), [[], []], 'consuming a command writes nothing by itself');
  await until(() => failures.length > 0);
  t.match(failures, [/ended_markets/]);
  foreign.exec('ALTER TABLE hidden RENAME TO ended_markets');
  await until(() => closedIn(catalog)[0].length > 0);
  t.strictSame(closedIn(catalog), [['1'], []]);
});

t.test('closing the feed writes the remaining ends', async (t) => {
  const catalog = openStored(t);
  const feed = new EngineMarkets({ onFailure: () => undefined });
  await feed.open(writesOf(catalog));
  feed.consume([durable(close, 'market_closed')]);
  await feed.close();
  t.strictSame(closedIn(catalog), [['1'], []]);
});

/** A market of the engine for record 1, and what ends it. */
const made = { ...createMarket, conditionId: hex(1), tokenIds: ['1001', '1002'] } as Command;
const resolve: Command = {
  kind: 'resolve_market',
  conditionId: hex(1),
  payoutTicks: ticks(10_000),
  redeemAll: false,
};

t.test('a start writes the ends that a crash lost', async (t) => {
  const dataDir = temporaryFolder(t);
  const first = await openFor(t, dataDir, { now: () => Date.parse(EARLY) });
  await first.catalog.write.importEvents(EVENTS);
  await first.submit(made);
  for (const command of [close, resolve]) await first.submit(command);
  await until(() => first.catalog.lookup.market(1)?.closed === true);
  t.match(first.catalog.lookup.market(1), { updatedAt: EARLY, acceptingOrders: false });
  await first.close();
  // As if the process had been killed before its catalog was written.
  const catalog = openCatalog(join(dataDir, 'catalog.db'));
  catalog.reconcile([], new Map());
  t.equal(catalog.lookup.market(1)?.closed, false);
  catalog.close();
  const second = await openFor(t, dataDir);
  t.match(second.catalog.lookup.market(1), {
    closed: true,
    acceptingOrders: false,
    updatedAt: EARLY,
  });
});

t.test('a placeholder has the current terms of its market, and its end', async (t) => {
  const terms = { tickTicks: ticks(10), minimumBudgetMicros: micros(5) };
  const dataDir = makeClosedFolder(t, [
    { ...made, eventId: '21', negRisk: true } as Command,
    { kind: 'change_market', conditionId: hex(1), ...terms },
    close,
  ]);
  const exchange = await openFor(t, dataDir);
  t.match(exchange.catalog.lookup.marketByCondition(hex(1)), {
    minimumTickSize: 0.001,
    minimumOrderSize: 0.01,
    negRisk: true,
    eventId: '21',
    closed: true,
  });
});
