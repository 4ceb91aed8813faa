import SqliteDatabase, { type Database } from 'better-sqlite3';
import t from 'tap';
import { lots, ticks } from '../../../engine/index.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { prepareStatements } from '../../../persistence/projection/statements.ts';
import { ProjectionVolumes } from '../../../persistence/projection/volumes.ts';
import { RecordReads } from '../../../persistence/reads/records/record-reads.ts';
import { ReadTables } from '../../../persistence/reads/tables/read-tables.ts';
import { HOUR_MS } from '../../../persistence/shared/index.ts';
import type { TradeHead } from '../../../persistence/shared/trade-records.ts';
import { Random } from '../../engine/random/random.ts';
import { CONDITION, NO, YES } from '../store-fixture.ts';

interface Trade {
  readonly timeMs: number;
  readonly lots: number;
}

const START_MS = 1_763_785_234_567;
const KEPT_HOURS = 31 * 24;
const PRICE = 2_500;
const random = new Random(11);
const trades: Trade[] = [];
for (let timeMs = START_MS; trades.length < 1_500; ) {
  trades.push({ timeMs, lots: random.between(1, 900) });
  timeMs += random.below(random.pick([60_000, HOUR_MS, 6 * HOUR_MS, 6 * HOUR_MS]));
}
const newestHour = Math.floor(trades.at(-1)!.timeMs / HOUR_MS);

/** Projects in steps of at most `most` trades, each by a new projection. */
function project(most: number): Database {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const statements = prepareStatements(database);
  statements.insertMarket.run(1, CONDITION, YES, NO);
  for (let done = 0; done < trades.length; ) {
    const volumes = new ProjectionVolumes();
    const end = done + random.between(1, most);
    for (const trade of trades.slice(done, end)) {
      // Safe: volumes read nothing else of a trade.
      const head = { lots: lots(trade.lots), priceTicks: ticks(PRICE) } as TradeHead;
      volumes.add(1, trade.timeMs, head);
    }
    volumes.flush(statements);
    done = end;
  }
  return database;
}

function hoursOf(database: Database): unknown[] {
  return database.prepare('SELECT hour, micros, lots FROM market_hours ORDER BY hour').raw().all();
}

function sumSince(hour: number): number {
  return trades.reduce(
    (sum, one) => sum + (Math.floor(one.timeMs / HOUR_MS) >= hour ? one.lots : 0),
    0,
  );
}

const whole = project(Number.MAX_SAFE_INTEGER);

t.test('a market keeps the hours of the 31 days before its newest trade', async (t) => {
  const hours = new Set(trades.map(({ timeMs }) => Math.floor(timeMs / HOUR_MS)));
  const kept = [...hours].filter((hour) => hour > newestHour - KEPT_HOURS);
  t.ok(kept.length < 0.6 * hours.size, 'many are older');
  const expected = kept.map((hour) => {
    const sum = sumSince(hour) - sumSince(hour + 1);
    return [hour, sum * PRICE, sum];
  });
  t.same(hoursOf(whole), expected);
});

t.test('the kept hours do not depend on the steps', async (t) => {
  for (const most of [1, 40]) t.same(hoursOf(project(most)), hoursOf(whole));
});

t.test('total volumes count from the first trade, recent volumes from any kept hour', async (t) => {
  const queries = new RecordReads(new ReadTables(whole));
  for (const hours of [1, 24, KEPT_HOURS - 1]) {
    const sinceHour = newestHour - hours;
    const [volume] = queries.volumes({ conditionIds: [CONDITION], sinceMs: sinceHour * HOUR_MS });
    t.match(volume, { totalLots: sumSince(0), recentLots: sumSince(sinceHour) });
    t.match(volume, { totalMicros: sumSince(0) * PRICE });
  }
});
