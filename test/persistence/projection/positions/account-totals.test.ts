import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { AccountTotals } from '../../../../persistence/projection/positions/account-totals.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import { wideSum } from '../../../../persistence/shared/index.ts';

/** At 2^63 micros SQLite refused the sum as no integer, and the projector never went on. */
t.test('the sums of an account are exact beyond 2^63 micros, up and down', async (t) => {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const volumeMicros = BOUNDS.orderLots * 9_999;
  const turns = 10_000;
  for (let totals = new AccountTotals(database), turn = 1; turn <= turns; turn += 1) {
    const change = { timeMs: 1, trades: 1, markets: 0, volumeMicros, feeMicros: 1 };
    totals.add({ ...change, accountKey: 1, realizedMicros: volumeMicros });
    totals.add({ ...change, accountKey: 2, realizedMicros: -volumeMicros });
    if (turn % 1_000 > 0) continue;
    totals.flush();
    // As after a restart: the sums come from the table.
    totals = new AccountTotals(database);
  }
  const sum = BigInt(turns) * BigInt(volumeMicros);
  t.ok(sum > 2n ** 63n);
  const names = ['', 'day_', 'week_', 'month_'].flatMap((own) =>
    ['volume', 'realized'].map((name) => `${own}${name}_micros`),
  );
  const rows = database
    .prepare<[], string[]>(
      `SELECT fee_micros, ${names.join(', ')} FROM account_totals ORDER BY realized_micros DESC`,
    )
    .raw()
    .all();
  t.strictSame(
    rows.map((row) => row.map(wideSum)),
    [sum, -sum].map((realized) => [turns, ...Array(4).fill([sum, realized]).flat()]),
  );
});
