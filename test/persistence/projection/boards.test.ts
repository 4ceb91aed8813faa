/**
 * The tables that boards are made from, compared with sums over the rows of trades and positions.
 * That they do not depend on the steps is a test of all tables (projection.test.ts).
 */
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { periodsAt } from '../../../persistence/projection/positions/math.ts';
import { Projection } from '../../../persistence/projection/projection.ts';
import { prepareProjection } from '../../../persistence/projection/schema.ts';
import { addWide, type WideSum, wideSum, wideText } from '../../../persistence/shared/index.ts';
import { enrich } from '../enriched-stream.ts';
import { randomStream, smallBounds } from '../store-fixture.ts';

const DAY_MS = 86_400_000;

/** A history that takes some months. */
function projectedHistory(seed: number) {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const { durable, holdersOf } = randomStream(seed, 2_000, smallBounds(seed));
  const slowed = enrich(durable).map((command, index) => ({
    ...command,
    timeMs: command.timeMs + Math.floor(index / 40) * DAY_MS,
    checksum: command.seq,
  }));
  new Projection(database, holdersOf).take(slowed);
  return database;
}

interface Party {
  readonly builder: Buffer;
  readonly account: number;
  readonly micros: number;
  readonly lots: number;
  readonly timeMs: number;
}

interface Sum {
  micros: number;
  lots: number;
  readonly accounts: Set<number>;
}

for (const seed of [2, 8, 11]) {
  const database = projectedHistory(seed);

  t.test(`the builders of history ${seed} have the cash and accounts of their orders`, (t) => {
    const parties = database
      .prepare<[], Party>(
        'SELECT builder, account_key AS account, price_ticks * lots AS micros, lots, ' +
          '(SELECT time_ms FROM trades WHERE trades.trade_key = p.trade_key) AS timeMs ' +
          'FROM trade_parties AS p WHERE builder IS NOT NULL',
      )
      .all();
    t.ok(parties.length > 20, `${parties.length} fills`);
    const sums = new Map<string, Sum>();
    for (const { builder, account, micros, lots, timeMs } of parties) {
      const { day, week, month } = periodsAt(timeMs);
      for (const period of [`ALL 0`, `DAY ${day}`, `WEEK ${week}`, `MONTH ${month}`]) {
        const name = `${period} ${builder.toString('hex')}`;
        const sum = sums.get(name) ?? { micros: 0, lots: 0, accounts: new Set() };
        sum.micros += micros;
        sum.lots += lots;
        sum.accounts.add(account);
        sums.set(name, sum);
      }
    }
    const expected = [...sums].map(([name, { micros, lots, accounts }]) => {
      return `${name} ${wideText(micros)} ${wideText(lots)} ${accounts.size}`;
    });
    const rows = database
      .prepare<[], string>(
        "SELECT period || ' ' || number || ' ' || lower(hex(builder)) || ' ' || volume_micros " +
          "|| ' ' || volume_lots || ' ' || user_count FROM builder_periods",
      )
      .pluck()
      .all();
    t.same(rows.sort(), expected.sort());
    t.end();
  });

  t.test(`the days of history ${seed} add up to what accounts traded and realized`, (t) => {
    const days = database
      .prepare<[], string[]>(
        'SELECT account_key, market_key, day, volume_micros, realized_micros, volume_lots, ' +
          "'0' || trade_count FROM market_days",
      )
      .raw()
      .all();
    const sums = new Map<string, WideSum>();
    const add = (name: string, text: string | undefined) => {
      sums.set(name, addWide(sums.get(name) ?? 0, wideSum(text ?? '')));
    };
    for (const [account, market, day, volume, realized, lots, trades] of days) {
      add(`${account} lots`, lots);
      add(`${account} trades`, wideText(Number(trades)));

      add(`${account} volume`, volume);
      add(`${account} realized`, realized);
      add(`${account} in ${market}`, realized);
      add(`${account} on ${day}`, volume);
    }
    const expected = new Map<string, WideSum>();
    const totals = database
      .prepare<[], string[]>(
        'SELECT account_key, volume_micros, realized_micros, day, day_volume_micros ' +
          'FROM account_totals',
      )
      .raw()
      .all();
    for (const [account, volume, realized, day, ofDay] of totals) {
      expected.set(`${account} volume`, wideSum(volume ?? ''));
      expected.set(`${account} realized`, wideSum(realized ?? ''));
      expected.set(`${account} on ${day}`, wideSum(ofDay ?? ''));
    }
    const positions = database
      .prepare<[], string[]>('SELECT account_key, market_key, realized_micros FROM positions')
      .raw()
      .all();
    for (const [account, market, realized] of positions) {
      const name = `${account} in ${market}`;
      expected.set(name, addWide(expected.get(name) ?? 0, wideSum(realized ?? '')));
    }
    const parties = database
      .prepare<[], [number, number, number]>(
        'SELECT account_key, sum(lots), count(*) FROM trade_parties GROUP BY account_key',
      )
      .raw()
      .all();
    for (const [account, lots, trades] of parties) {
      expected.set(`${account} lots`, lots);
      expected.set(`${account} trades`, trades);
    }
    t.ok(days.length > 50, `${days.length} rows`);
    for (const [name, sum] of expected) t.equal(sums.get(name) ?? 0, sum, name);
    t.end();
  });
}
