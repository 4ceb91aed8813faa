/**
 * `npm run bench -- levels`: the figures behind decisions 0006 and 0008. The ordered index of price
 * levels is a bitmap instead of `functional-red-black-tree`, and order ids are found in a table of
 * our own instead of a Map. `--rounds N` takes so many rounds.
 */
import type { Options } from '../harness/arguments.ts';
import { fixed, printProgress, printReport, spreadText, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Rounds from './level-rounds.ts';

export const LEVELS_OPTIONS = { rounds: 'number' } as const;
const ROUNDS = new URL('./level-rounds.ts', import.meta.url);
/** Sizes of the tick; a tick of 1 has 10,001 levels. */
const TICKS = [100, 10, 1];
const ENTRIES = [10_000, 100_000, 1_000_000];

const NOTES =
  'Medians of rounds in turn (lowest..highest). Every text that is looked up is a new string, as ' +
  'from the wire. Pauses: the longest single add while the table fills from nothing, the least ' +
  'of three fills.';

interface Row {
  readonly what: string;
  readonly ours: Spread;
  readonly theirs: Spread;
  /** Their time over ours: above 1 where ours is faster. */
  readonly ratio: Spread;
  readonly pausesMs: readonly number[];
}

type Measurement = 'measureLevels' | 'measureIds';

async function measure(
  name: Measurement,
  what: string,
  size: number,
  rounds: number,
): Promise<Row> {
  printProgress(`levels: ${what}`);
  const out = await callInProcess<typeof Rounds, Measurement>(ROUNDS, name, size, rounds);
  const ratio = spreadOf(out.theirs.map((taken, round) => taken / out.ours[round]!));
  const { pausesMs } = out;
  return { what, ours: spreadOf(out.ours), theirs: spreadOf(out.theirs), ratio, pausesMs };
}

function cells({ what, ours, theirs, ratio }: Row): string[] {
  return [what, ...[ours, theirs, ratio].map((one) => spreadText(one, (value) => fixed(value, 1)))];
}

function rowOf(name: string, { what, ours, theirs, ratio }: Row): SummaryRow {
  return summaryRow({
    what: `${name}, ${what}`,
    ours: `${fixed(ours.median, 1)} ns`,
    reference: `${fixed(theirs.median, 1)} ns`,
    ratio,
  });
}

export async function benchLevels({
  rounds = 7,
}: Options<typeof LEVELS_OPTIONS>): Promise<BenchResult> {
  const levels: Row[] = [];
  for (const tick of TICKS) {
    const count = 10_000 / tick + 1;
    const what = `tick ${tick}, ${whole(count)} levels`;
    levels.push(await measure('measureLevels', what, count, rounds));
  }
  const ids: Row[] = [];
  for (const count of ENTRIES) {
    ids.push(await measure('measureIds', `${whole(count)} ids`, count, rounds));
  }
  const idHead = 'add, delete, find, miss: ns each';
  printReport(
    `price levels and order ids (${machine()})`,
    [
      ['a level flips, best, walk of 3: ns', 'bitmap', 'red-black tree', 'tree / bitmap'],
      ...levels.map(cells),
    ],
    [
      [idHead, 'our table', 'Map', 'Map / table', 'pause ms', 'Map pause ms'],
      ...ids.map((row) => [...cells(row), ...row.pausesMs.map((ms) => fixed(ms, 1))]),
    ],
    NOTES,
  );
  return {
    figures: { unit: 'ns an operation', rounds, rows: [...levels, ...ids] },
    rows: [
      ...levels.map((row) => rowOf('price levels beside a red-black tree', row)),
      ...ids.map((row) => rowOf('order ids beside a Map', row)),
    ],
  };
}
