import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { type DelayedOrderState, Engine, type RestingOrder } from '../../../engine/index.ts';
import { Random } from '../../../http/codec/random.ts';
import type { DurableCommand, OrderRecord } from '../../../persistence/index.ts';
import { type ProjectedCommand, Projection } from '../../../persistence/projection/projection.ts';
import { clearProjection, prepareProjection } from '../../../persistence/projection/schema.ts';
import { RecordReads } from '../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { isLong } from '../../long-set.ts';
import type { Scope } from '../../temporary-folder.ts';
import { booksAfter } from '../books-after.ts';
import { enrich } from '../enriched-stream.ts';
import { randomStream, smallBounds } from '../store-fixture.ts';
import { contents } from './contents.ts';
import { ProjectionOracle } from './oracle.ts';

function emptyProjection(scope: Scope): Database {
  const database = new SqliteDatabase(':memory:');
  scope.teardown(() => database.close());
  prepareProjection(database);
  return database;
}

function projected(durable: readonly DurableCommand[]): ProjectedCommand[] {
  return durable.map((command) => ({ ...command, checksum: 7 * command.seq, evidence: WHY }));
}

const WHY = { by: 'ann', reason: 'a test' };

interface Placed {
  readonly conditionId: string;
  readonly minute: number;
}

function byMarketAndMinute(a: Placed, b: Placed): number {
  return a.conditionId === b.conditionId
    ? a.minute - b.minute
    : a.conditionId < b.conditionId
      ? -1
      : 1;
}

/** Commands between two comparisons with the engine. */
const STEP = 500;

interface OpenOrder {
  readonly acceptedSeq: number;
  readonly orderId: string;
  readonly leftLots: number;
  /** 0 for a resting order. */
  readonly waitsUntilMs: number;
}

function bySeq(a: OpenOrder, b: OpenOrder): number {
  return a.acceptedSeq - b.acceptedSeq;
}

function openOf({ acceptedSeq, orderId, ...order }: OrderRecord): OpenOrder {
  return {
    acceptedSeq,
    orderId,
    leftLots: order.lots - order.filledLots,
    waitsUntilMs: order.status === 'delayed' ? order.releaseMs : 0,
  };
}

function restingOf({ acceptedSeq, orderId, remainingLots }: RestingOrder): OpenOrder {
  return {
    acceptedSeq,
    orderId,
    leftLots: remainingLots,
    waitsUntilMs: 0,
  };
}

function waitingOf(order: DelayedOrderState): OpenOrder {
  return {
    ...restingOf(order),
    waitsUntilMs: order.releaseMs,
  };
}

/** Numbers of compared open orders. */
const comparedCounts = { live: 0, delayed: 0 };
/** The number of compared trades that paid a builder. */
let builtCount = 0;
/** Kinds of compared notifications. */
const notificationKinds = new Set<string>();

for (const seed of isLong ? [1, 2, 3, 4] : [1, 5]) {
  const { durable: plain, holdersOf } = randomStream(seed, 4_000, smallBounds(seed));
  const durable = enrich(plain);

  t.test(`the tables of stream ${seed} have the orders and trades of its events`, (t) => {
    const database = emptyProjection(t);
    new Projection(database, holdersOf).take(projected(durable));
    const oracle = new ProjectionOracle(durable, holdersOf);
    const queries = new RecordReads(new ReadTables(database));
    t.ok(oracle.trades.length > 20, 'the stream has trades');
    builtCount += oracle.trades.filter(({ builderFeeMicros }) => builderFeeMicros > 0).length;
    t.same(
      oracle.orders.map(({ orderId }) => queries.order(orderId)),
      oracle.orders,
    );
    t.same(queries.trades({ offset: 0, limit: 1_000 }).records, oracle.search({}).slice(0, 1_000));
    t.end();
  });

  t.test(`the prices of stream ${seed} are those of its resting orders`, (t) => {
    const database = emptyProjection(t);
    new Projection(database, holdersOf).take(projected(durable));
    const oracle = new ProjectionOracle(durable, holdersOf);
    const points = database.prepare(
      'SELECT condition_id AS conditionId, minute, half_ticks AS halfTicks FROM price_points ' +
        'JOIN markets ON markets.market_key = price_points.market_key ORDER BY 1, 2',
    );
    t.ok(oracle.points.length > 20, 'the stream has prices');
    t.same(points.all(), oracle.points.sort(byMarketAndMinute));
    t.end();
  });

  t.test(`the notifications of stream ${seed} are events that owners did not cause`, (t) => {
    const database = emptyProjection(t);
    new Projection(database, holdersOf).take(projected(durable));
    const queries = new RecordReads(new ReadTables(database));
    const oracle = new ProjectionOracle(durable, holdersOf);
    const owners = new Set(oracle.orders.map(({ owner }) => owner));
    for (const owner of owners) {
      const notifications = oracle.notifications(owner).slice(0, 1_000);
      t.same(queries.notifications({ owner, limit: 1_000 }), notifications);
      for (const { kind } of notifications) notificationKinds.add(kind);
    }
    t.end();
  });

  t.test(`the open orders of stream ${seed} are those of the engine`, (t) => {
    const database = emptyProjection(t);
    const projection = new Projection(database, holdersOf);
    const queries = new RecordReads(new ReadTables(database));
    const engine = new Engine(smallBounds(seed));
    for (let end = STEP; end < plain.length; end += STEP) {
      const step = plain.slice(end - STEP, end);
      for (const { seq, timeMs, command } of step)
        engine.apply(seq, timeMs, engine.inputOf(command));
      projection.take(projected(step));
      const { accounts, markets, delayedOrders, unfinishedOrders } = engine.state();
      const owners = new Set([...accounts].map(({ owner }) => owner));
      const listed = [...owners].flatMap(
        (owner) => queries.liveOrders({ owner, offset: 0, limit: 1_000 }).records,
      );
      const resting = [...markets].flatMap(({ bids, asks }) => [...bids, ...asks]);
      const delayed = [...delayedOrders];
      comparedCounts.live += resting.length;
      comparedCounts.delayed += delayed.length;
      t.same(
        listed.map(openOf).sort(bySeq),
        [
          ...resting.map(restingOf),
          ...delayed.map(waitingOf),
          ...[...unfinishedOrders].map(restingOf),
        ].sort(bySeq),
      );
    }
    t.end();
  });

  t.test(`the tables of stream ${seed} do not depend on the projection's steps`, (t) => {
    const commands = projected(durable);
    const whole = emptyProjection(t);
    new Projection(whole, holdersOf).take(commands);

    const stepped = emptyProjection(t);
    const random = new Random(seed);
    let cursor = 0;
    while (cursor < commands.length) {
      // As after a restart: a new projection resumes from the tables and the books.
      const projection = new Projection(stepped, holdersOf, booksAfter(durable, cursor));
      t.equal(projection.cursor.seq, cursor);
      const middle = Math.min(cursor + random.below(60), commands.length);
      const end = Math.min(middle + random.below(60), commands.length);
      projection.take(commands.slice(cursor, middle));
      projection.take(commands.slice(middle, end));
      cursor = end;
    }
    t.same(contents(stepped), contents(whole));

    clearProjection(stepped);
    new Projection(stepped, holdersOf).take(commands);
    t.same(contents(stepped), contents(whole), 'rebuilt from an empty file');
    t.end();
  });
}

t.test('a step that fails changes neither the rows nor the cursor', (t) => {
  const { durable, holdersOf } = randomStream(1, 500);
  const database = emptyProjection(t);
  const before = contents(database);
  const broken = projected(durable).filter(({ seq }) => seq !== 40);
  t.throws(() => new Projection(database, holdersOf).take(broken), /without gaps/);
  t.same(contents(database), before);
  t.end();
});

t.test('tables of another version are emptied, tables of this version are kept', (t) => {
  const { durable, holdersOf } = randomStream(1, 500);
  const database = emptyProjection(t);
  new Projection(database, holdersOf).take(projected(durable));
  const made = contents(database);
  prepareProjection(database);
  t.same(contents(database), made);
  database.pragma('user_version = 999');
  database.exec('CREATE TABLE of_the_future (x); DROP TABLE trades');
  prepareProjection(database);
  t.equal(new Projection(database, holdersOf).cursor.seq, 0);
  new Projection(database, holdersOf).take(projected(durable));
  t.same(contents(database), made);
  t.end();
});

t.test('the streams have resting and delayed orders', async (t) => {
  t.ok(comparedCounts.live > 20);
  t.ok(comparedCounts.delayed > 5);
});

t.test('the streams have builder fees and every kind of notification', async (t) => {
  t.ok(builtCount > 20);
  t.same([...notificationKinds].sort(), ['cancellation', 'fill', 'resolution']);
});
