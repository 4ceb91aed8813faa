import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { Engine, isChange, lots } from '../../../engine/index.ts';
import type { Exchange } from '../../../persistence/index.ts';
import { Projector } from '../../../persistence/projection/projector.ts';
import { isLong, times } from '../../long-set.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { durableOf, makeClosedFolder, makeFolder } from '../journal/fixture.ts';
import {
  ALICE,
  closeSpoilt,
  counterOrder,
  openBeside,
  openFor,
  openSpoilt,
  order,
  orderIdOf,
  randomStream,
  submitAll,
  until,
  WORLD,
} from '../store-fixture.ts';
import { ProjectionOracle } from './oracle.ts';

/** All orders as the reader shows them now. */
function readAll(exchange: Exchange, orderIds: readonly string[]) {
  return Promise.all(orderIds.map((orderId) => exchange.reader.order(orderId)));
}

function alterProjection(dataDir: string, sql: string): void {
  const projection = new SqliteDatabase(join(dataDir, 'analytics.db'));
  projection.exec(sql);
  projection.close();
}

/** The number of steps until, after the middle, no work is due that a start would do. */
function quietPlace(steps: ReturnType<typeof randomStream>['steps']): number {
  const engine = new Engine();
  let seq = 0;
  const place = steps.findIndex(({ timeMs, command }, index) => {
    if (engine.apply(seq + 1, timeMs, engine.inputOf(command)).some(isChange)) seq += 1;
    return index > steps.length / 2 && engine.nextDueMs() > timeMs;
  });
  return place + 1;
}

t.test(
  "reads show the engine's events: live, after a restart, and from an empty file",
  async (t) => {
    const { steps, durable, holdersOf } = randomStream(6, times(1_000, 2_000));
    const oracle = new ProjectionOracle(durable, holdersOf);
    const orderIds = oracle.orders.map(({ orderId }) => orderId);
    let nowMs = 0;
    const now = () => nowMs;
    const half = quietPlace(steps);
    const play = (exchange: Exchange, part: typeof steps) =>
      part.map(({ timeMs, command }) => {
        nowMs = timeMs;
        return exchange.submit(command);
      });
    const halfSeq = steps.slice(0, half).filter(({ events }) => events.some(isChange)).length;
    const dataDir = makeFolder(t, { durable: durable.slice(0, halfSeq) });
    // The start empties a file of another version, although its cursor is up to date.
    alterProjection(dataDir, 'PRAGMA user_version = 999');
    nowMs = durable[halfSeq - 1]?.timeMs ?? 0;

    const first = await openFor(t, dataDir, { now });
    const answers = play(first, steps.slice(half));
    t.same(await readAll(first, orderIds), oracle.orders, 'read before commands are durable');
    await Promise.all(answers);
    await first.close();
    const second = await openFor(t, dataDir, { now });
    t.same(await readAll(second, orderIds), oracle.orders, 'after a restart');
    const { records } = await second.reader.trades({ offset: 0, limit: 1_000 });
    t.same(records, oracle.search({}));
  },
);

t.test('the projection of another journal is rebuilt', async (t) => {
  const dataDir = makeFolder(t, { durable: durableOf([...WORLD, order(1), order(2)]) });
  alterProjection(dataDir, 'UPDATE progress SET checksum = 1');
  const exchange = await openFor(t, dataDir);
  t.equal((await exchange.reader.order(orderIdOf(1)))?.lots, 10);
});

t.test('a projection file that is not a database is rebuilt at the start', async (t) => {
  const dataDir = makeClosedFolder(t, [...WORLD, order(1)]);
  writeFileSync(join(dataDir, 'analytics.db'), 'x'.repeat(4_096));
  const downs: string[] = [];
  const exchange = await openFor(t, dataDir, {
    on: { thread_down: ({ name, error }) => downs.push(`${name}: ${error.message}`) },
  });
  t.match(await exchange.reader.order(orderIdOf(1)), { status: 'live' });
  t.match(downs, [
    /^the projector's thread: .*analytics\.db can't be used .*: the next start makes it again/,
  ]);
});

t.test('a projection that shows other cash than the journal is made again', async (t) => {
  const dataDir = makeFolder(t, { durable: durableOf([...WORLD, order(1)]) });
  alterProjection(
    dataDir,
    'UPDATE holding_points SET amount = amount | 1048576; UPDATE orders SET lots = lots | 1048576',
  );
  const downs: string[] = [];
  const exchange = await openFor(t, dataDir, {
    on: { thread_down: ({ name, error }) => downs.push(`${name}: ${error.message}`) },
  });
  await until(() => downs.length > 0);
  t.match(downs, [
    /^the projector's thread: .*analytics\.db is damaged and .*: the micros of cash of 0x\w+ are/,
  ]);
  await exchange.submit(order(2));
  let lots: unknown;
  await until(async () => {
    const found = await exchange.reader.order(orderIdOf(2)).catch(() => undefined);
    if (found !== undefined) lots = (await exchange.reader.order(orderIdOf(1)))?.lots;
    return found !== undefined;
  });
  t.equal(lots, 10);
});

t.test('a damaged journal is not reported as a damaged projection', async (t) => {
  const folder = temporaryFolder(t);
  const data = {
    journalPath: join(folder, 'journal.db'),
    projectionPath: join(folder, 'analytics.db'),
    snapshots: join(folder, 'snapshots'),
    temporary: true,
  };
  for (const path of [data.journalPath, data.projectionPath]) {
    writeFileSync(path, 'x'.repeat(4_096));
  }
  const fail = (error: Error) => t.fail(error.message);
  const projector = new Projector({ data, durableSeq: 7, onDown: fail, onFatal: fail });
  await t.rejects(projector.start(), { code: 'thread_failed', message: /not a database/ });
  t.ok(existsSync(data.projectionPath), 'nothing is removed');
});

t.test(
  'a projection that is damaged at run time stops reads, not trading, until a restart',
  async (t) => {
    const dataDir = temporaryFolder(t);
    const downs: string[] = [];
    const exchange = await openSpoilt(t, dataDir, {
      on: { thread_down: ({ name, error }) => downs.push(`${name}: ${error.message}`) },
    });
    await submitAll(exchange, [...WORLD, order(1)]);
    await exchange.reader.order(orderIdOf(1));
    const beside = openBeside(t, join(dataDir, 'analytics.db'));
    beside.unsafeMode();
    beside.pragma('writable_schema = ON');
    beside.exec("UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'orders'");
    beside.pragma('schema_version = 99'); // makes open connections read the schema again
    beside.close();
    await exchange.submit(order(2));
    await until(() => downs.some((line) => line.includes('makes it again')));
    await t.rejects(exchange.reader.order(orderIdOf(2)), { code: 'reader_unavailable' });
    t.match(await exchange.submit(order(3)), { seq: 6 }, 'trading continues');
    await t.rejects(exchange.reader.order(orderIdOf(3)), { code: 'reader_unavailable' });
    await closeSpoilt(exchange);
    const again = await openFor(t, dataDir);
    t.match(await again.reader.order(orderIdOf(3)), { status: 'live' });
  },
);

type Fault = readonly [what: string, harm: string, mend: string];

const FAILING_WRITES: Fault = [
  'its writes fail',
  "CREATE TRIGGER harm BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'injected'); END",
  'DROP TRIGGER harm',
];
/** The projector waits for 5 s, then its thread dies. */
const LOCKED: Fault = ['another writer holds its lock', 'BEGIN IMMEDIATE', 'ROLLBACK'];

for (const [what, harm, mend] of isLong ? [FAILING_WRITES, LOCKED] : [FAILING_WRITES]) {
  t.test(
    `reads are refused while the projector is down, and continue later: ${what}`,
    async (t) => {
      const dataDir = temporaryFolder(t);
      const exchange = await openFor(t, dataDir);
      await submitAll(exchange, [...WORLD, order(1, { lots: lots(20) })]);
      await exchange.reader.order(orderIdOf(1));
      const beside = openBeside(t, join(dataDir, 'analytics.db'));
      beside.exec(harm);
      await exchange.submit(counterOrder(2));
      await t.rejects(exchange.reader.order(orderIdOf(2)), { code: 'reader_unavailable' });
      await t.rejects(exchange.reader.order(orderIdOf(2)), { code: 'reader_unavailable' });
      t.match(await exchange.submit(counterOrder(3)), { seq: 6 }, 'trading continues');
      beside.exec(mend);
      let found: unknown;
      await until(async () => {
        found = await exchange.reader.order(orderIdOf(3)).catch(() => undefined);
        return found !== undefined;
      });
      t.match(found, { orderId: orderIdOf(3), status: 'matched' });
      await checkTradeIds(t, exchange);
    },
  );
}

/** Checks that orders have the ids of their trades, and takers also the transaction hashes. */
async function checkTradeIds(test: Test, exchange: Exchange): Promise<void> {
  const { records } = await exchange.reader.trades({ owner: ALICE, offset: 0, limit: 10 });
  test.equal(records.length, 2);
  test.match(await exchange.reader.order(orderIdOf(1)), {
    status: 'matched',
    tradeIds: records.map(({ tradeId }) => tradeId).reverse(),
    transactionHashes: [],
  });
  test.match(await exchange.reader.order(orderIdOf(3)), {
    tradeIds: [records[0]?.tradeId],
    transactionHashes: [records[0]?.transactionHash],
  });
}

t.test('reads do not wait for a projector that does not run', async (t) => {
  const paths = { journalPath: '', projectionPath: '', snapshots: '', temporary: true };
  const fail = (error: Error) => t.fail(error.message);
  const projector = new Projector({ data: paths, durableSeq: 7, onDown: fail, onFatal: fail });
  const waiting = projector.reach(7);
  await Promise.all([t.rejects(waiting, { code: 'reader_unavailable' }), projector.stop()]);
  await t.rejects(projector.reach(7), { code: 'reader_unavailable' });
});
