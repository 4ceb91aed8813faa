import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { HOUR_MS, lots, ticks } from '../../../engine/index.ts';
import { BOUNDS } from '../../../engine/model/index.ts';
import { Random } from '../../../http/codec/random.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { prepareStatements } from '../../../persistence/projection/statements.ts';
import { ProjectionVolumes } from '../../../persistence/projection/volumes.ts';
import { RecordReads } from '../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { wideText } from '../../../persistence/shared/index.ts';
import type { TradeHead } from '../../../persistence/shared/trade-records.ts';
import { CONDITION, NO, YES } from '../store-fixture.ts';

interface Trade {
  readonly timeMs: number;
  readonly lots: number;
}

const START_MS = 1_763_785_234_567;
const KEPT_HOURS = 366 * 24;
const PRICE = 2_500;
const random = new Random(11);
const trades: Trade[] = [];
for (let timeMs = START_MS; trades.length < 1_500; ) {
  trades.push({ timeMs, lots: random.between(1, 900) });
  timeMs += random.below(random.pick([60_000, HOUR_MS, 12 * HOUR_MS, 120 * HOUR_MS]));
}
const newestHour = Math.floor(trades.at(-1)!.timeMs / HOUR_MS);

/** Projects in steps of at most `most` trades, each by a new projection. */
function project(most: number): Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const statements = prepareStatements(database);
  statements.insertMarket.run(1, CONDITION, YES, NO, 1);
  for (let done = 0; done < trades.length; ) {
    const volumes = new ProjectionVolumes(statements);
    const end = done + random.between(1, most);
    for (const trade of trades.slice(done, end)) {
      // Safe: volumes read nothing else of a trade.
      const head = { lots: lots(trade.lots), priceTicks: ticks(PRICE) } as TradeHead;
      volumes.add(1, trade.timeMs, head);
    }
    volumes.flush();
    done = end;
  }
  return database;
}

function hoursOf(database: Database): unknown[] {
  return database.prepare('SELECT hour, micros_before FROM market_hours ORDER BY hour').raw().all();
}

function sumSince(hour: number): number {
  return trades.reduce(
    (sum, one) => sum + (Math.floor(one.timeMs / HOUR_MS) >= hour ? one.lots : 0),
    0,
  );
}

const whole = project(Number.MAX_SAFE_INTEGER);

t.test('a market keeps the hours of the 366 days before its newest trade', async (t) => {
  const hours = new Set(trades.map(({ timeMs }) => Math.floor(timeMs / HOUR_MS)));
  const kept = [...hours].filter((hour) => hour > newestHour - KEPT_HOURS);
  t.ok(kept.length < 0.6 * hours.size, 'many are older');
  const expected = kept.map((hour) => {
    return [hour, wideText((sumSince(0) - sumSince(hour)) * PRICE)];
  });
  t.same(hoursOf(whole), expected);
});

t.test('volumes beyond 2^63 micros are exact, and do not depend on the steps', async (t) => {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const statements = prepareStatements(database);
  statements.insertMarket.run(1, CONDITION, YES, NO, 1);
  // Safe: volumes read nothing else of a trade.
  const head = { lots: lots(BOUNDS.orderLots), priceTicks: ticks(9_999) } as TradeHead;
  const micros = BigInt(BOUNDS.orderLots * 9_999);
  const each = 5_000;
  for (const hour of [1, 2]) {
    let volumes = new ProjectionVolumes(statements);
    for (let count = 0; count < each; count += 1) {
      volumes.add(1, hour * HOUR_MS, head);
      if (random.below(1_000) > 0) continue;
      volumes.flush();
      volumes = new ProjectionVolumes(statements);
    }
    volumes.flush();
  }
  t.ok(2n * BigInt(each) * micros > 2n ** 63n);
  const reads = new RecordReads(new ReadTables(database));
  const recentMicros = BigInt(each) * micros;
  t.strictSame(reads.volumes({ conditionIds: [CONDITION], sinceMs: 2 * HOUR_MS }), [
    { conditionId: CONDITION, totalMicros: 2n * recentMicros, recentMicros },
  ]);
});

t.test('the kept hours do not depend on the steps', async (t) => {
  for (const most of [1, 40]) t.same(hoursOf(project(most)), hoursOf(whole));
});

t.test('total volumes count from the first trade, recent volumes from any kept hour', async (t) => {
  const queries = new RecordReads(new ReadTables(whole));
  for (const hours of [1, 24, KEPT_HOURS - 1]) {
    const sinceHour = newestHour - hours;
    const [volume] = queries.volumes({ conditionIds: [CONDITION], sinceMs: sinceHour * HOUR_MS });
    const recentMicros = sumSince(sinceHour) * PRICE;
    t.match(volume, { totalMicros: sumSince(0) * PRICE, recentMicros });
  }
});
