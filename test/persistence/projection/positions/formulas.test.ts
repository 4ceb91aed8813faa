/** The worked examples of formulas.md, executed. */
import { readFileSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import t from 'tap';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { Random } from '../../../../http/codec/random.ts';
import type { PositionAmounts } from '../../../../persistence/projection/positions/math.ts';
import {
  chargeFee,
  conversionAmounts,
  costOf,
  increasePosition,
  reducePosition,
  writeOff,
} from '../../../../persistence/projection/positions/math.ts';
import { prepareProjection } from '../../../../persistence/projection/schema.ts';
import type { AnalyticsReads } from '../../../../persistence/reads/analytics/analytics-reads.ts';
import { openInterestText } from '../../../../persistence/reads/analytics/market-figures.ts';
import { positionWriter } from '../../../../persistence/reads/analytics/position-text.ts';
import { wideSum, wideText } from '../../../../persistence/shared/index.ts';

const text = readFileSync(
  new URL('../../../../persistence/projection/positions/formulas.md', import.meta.url),
  'utf8',
);

interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** The tables of formulas.md whose first columns have these names. */
function tablesOf(...names: readonly string[]): Table[] {
  const blocks = text.match(/(?:^\|.*\|\n)+/gm) ?? [];
  return blocks.flatMap((block): Table[] => {
    const [head = [], , ...rows] = block.trim().split('\n').map(cellsOf);
    return names.every((name, index) => head[index] === name) ? [{ head, rows }] : [];
  });
}

function numberOf(cell = ''): number {
  return Number(cell.replaceAll(',', ''));
}
function numbersOf(cell = ''): number[] {
  return cell === '' ? [] : cell.split(';').map(numberOf);
}

function emptyPosition(): PositionAmounts {
  return {
    lots: 0,
    costMicros: 0,
    boughtLots: 0,
    paidMicros: 0,
    receivedMicros: 0,
    feeMicros: 0,
    realizedMicros: 0,
    changedMs: 0,
    closedMs: 0,
    buyFeeMicros: 0,
    openedMs: 0,
  };
}

/** Performs a cell such as `bought 100 at 4,000`; returns the change of `realized`. */
function perform(position: PositionAmounts, what: string, timeMs: number): number {
  const [, verb = '', first = '0', second = '5,000'] =
    /^([a-z]+(?: off)?)(?: ([\d,]+))?(?: at ([\d,]+))?$/.exec(what) ?? [];
  const [lots, price] = [numberOf(first), numberOf(second)];
  const move = { lots, micros: lots * price, timeMs };
  if (verb === 'bought' || verb === 'split') increasePosition(position, move);
  else if (['sold', 'merged', 'redeemed'].includes(verb)) return reducePosition(position, move);
  else if (verb === 'fee') return chargeFee(position, lots, 'BUY');
  else if (verb === 'written off') return writeOff(position, timeMs);
  else throw new Error(`unknown step: ${what}`);
  return 0;
}

t.test('positions: the amounts after each step of an example', async (t) => {
  const tables = tablesOf('what', 'lots');
  t.equal(tables.length, 4);
  for (const { head, rows } of tables) {
    t.strictSame(head.slice(2), ['cost', 'bought', 'paid', 'received', 'fees', 'realized']);
    const position = emptyPosition();
    let won = 0;
    for (const [index, [what = '', ...amounts]] of rows.entries()) {
      won += perform(position, what, index + 1);
      const { lots, costMicros, boughtLots, paidMicros, receivedMicros, feeMicros } = position;
      t.strictSame(
        [lots, costMicros, boughtLots, paidMicros, receivedMicros, feeMicros],
        amounts.slice(0, -1).map(numberOf),
        what,
      );
      t.equal(position.realizedMicros, numberOf(amounts.at(-1)), what);
      t.equal(won, position.realizedMicros);
    }
    t.ok(position.closedMs > 0, 'each example ends with a closed position');
  }
});

t.test('positions: a closed position opens again when tokens are bought', async (t) => {
  const position = emptyPosition();
  const rows = tablesOf('what', 'lots')[1]?.rows ?? [];
  for (const [index, [what = '']] of rows.slice(0, -1).entries()) {
    perform(position, what, index + 1);
  }
  t.match(position, { closedMs: 0, realizedMicros: 66_000 });
});

t.test('positions: the cost of a part is exact when products exceed 2^53', async (t) => {
  const random = new Random(1);
  for (let round = 0; round < 200; round += 1) {
    const costMicros = random.next() * random.between(1, 2 ** 21);
    const all = random.between(1, 2 ** random.between(1, 40));
    const out = random.between(1, all);
    const exact = (BigInt(costMicros) * BigInt(out)) / BigInt(all);
    t.equal(BigInt(costOf({ ...emptyPosition(), lots: all, costMicros }, out)), exact);
  }
  t.throws(() => costOf({ ...emptyPosition(), lots: 3 }, 4), /cannot lose more tokens/);
});

t.test('sums of a position are exact beyond 2^53 and 2^63', async (t) => {
  const position = emptyPosition();
  const [lots, high, low] = [BOUNDS.orderLots, 9_999, 1];
  const turns = 20_000;
  let won = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    increasePosition(position, { lots, micros: lots * high, timeMs: 1 });
    if (reducePosition(position, { lots, micros: lots * low, timeMs: 2 }) < 0) won -= 1;
    chargeFee(position, lots, 'SELL');
  }
  const of = (ticks: number) => BigInt(turns) * BigInt(lots) * BigInt(ticks);
  t.equal(won, -turns);
  t.ok(of(high) > 2n ** 63n);
  t.strictSame(position, {
    ...position,
    boughtLots: turns * lots,
    paidMicros: of(high),
    receivedMicros: Number(of(low)),
    feeMicros: Number(of(1)),
    realizedMicros: of(low) - of(high) - of(1),
    costMicros: 0,
  });
  t.equal(wideSum(wideText(position.realizedMicros)), position.realizedMicros);
});

t.test('conversions: the amounts for which NO is sold and YES bought', async (t) => {
  const [{ rows } = { rows: [] }] = tablesOf('lots', 'costs of NO');
  t.equal(rows.length, 5);
  for (const [size, costCell, takenCell, cashCell, soldCell, paidCell] of rows) {
    const [costs, cashMicros] = [numbersOf(costCell), numberOf(cashCell)];
    t.equal(cashMicros, (costs.length - 1) * numberOf(size) * 10_000);
    const { received, paid } = conversionAmounts({
      costs,
      cashMicros,
      yesCount: numberOf(takenCell),
    });
    t.strictSame([received, paid], [numbersOf(soldCell), numbersOf(paidCell)]);
    const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
    t.equal(sum(received) - sum(paid), cashMicros);
  }
});

/** One position as the API shows it. */
function shownOf(position: PositionAmounts, price: string): object {
  const labels = { outcome0: 'Yes', outcome1: 'No' };
  const market = { conditionId: '0x1', assets: ['71', '72'], ...labels, endDate: '' };
  const sums = {
    boughtLots: wideText(position.boughtLots),
    paidMicros: wideText(position.paidMicros),
    realizedMicros: wideText(position.realizedMicros),
  };
  const row = { ...position, ...sums, marketKey: 1, outcome: 0, isResolved: 0, otherLots: 0 };
  const halfTicks = Math.round(Number(price) * 20_000);
  const tables = { statement: () => ({ get: () => ({ ...row, halfTicks }) }) };
  const reads = { tables, profile: () => ({ address: '0x2' }), market: () => market };
  // Safe: the writer uses nothing else of them.
  const write = positionWriter(reads as unknown as AnalyticsReads, 1);
  return JSON.parse(write({ marketKey: 1, outcome: 0 }));
}

t.test('open and closed positions as the API shows them', async (t) => {
  const tables = [...tablesOf('open after'), ...tablesOf('closed after')];
  t.equal(tables.length, 2);
  for (const { head, rows } of tables) {
    for (const [moves = '', ...values] of rows) {
      const position = emptyPosition();
      for (const what of moves.split('; ')) perform(position, what, 1);
      t.equal(position.closedMs > 0, head[0] === 'closed after');
      const price = head[1] === 'curPrice' ? values[0] : '0';
      const expected = head.slice(1).map((name, index) => [name, Number(values[index])]);
      t.hasStrict(shownOf(position, price ?? '0'), Object.fromEntries(expected));
    }
  }
});

t.test('open interest is the locked collateral', async (t) => {
  const database = new SqliteDatabase(':memory:');
  t.teardown(() => database.close());
  prepareProjection(database);
  const [{ rows } = { rows: [] }] = tablesOf('YES lots');
  t.equal(rows.length, 4);
  const reads = { tables: { statement: (sql: string) => database.prepare(sql), key: () => 1 } };
  for (const [yes, no, size, payout, interest] of rows) {
    database
      .prepare('REPLACE INTO market_states VALUES (1, 0, 0, ?, ?, ?, NULL, NULL, ?)')
      .run(numberOf(yes), numberOf(no), payout === '' ? null : numberOf(payout), numberOf(size));
    // Safe: openInterestText uses nothing else of them.
    const shown = openInterestText(reads as unknown as AnalyticsReads, { markets: ['0x1'] });
    t.strictSame(JSON.parse(shown), [{ market: '0x1', value: numberOf(interest) / 1_000_000 }]);
  }
});
