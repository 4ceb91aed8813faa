/**
 * `npm run bench -- levels`: the figures behind two decisions in ARCHITECTURE.md. The ordered index
 * of price levels is a bitmap instead of `functional-red-black-tree`; order ids are found in a
 * table of our own instead of a Map. `--rounds N` takes so many rounds.
 */
import { runChild } from '../harness/measurement.ts';
import { readOptions } from '../harness/options.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { LevelsInput, LevelsOutput } from './levels-rounds.ts';

export const LEVELS_OPTIONS = { rounds: 'number' } as const;
const ROUNDS = 7;
/** Tick sizes in ticks, with the number of levels from 0 to 10,000. */
const TICKS = [100, 10, 1].map((tick) => ({ tick, levels: 10_000 / tick + 1 }));
const ENTRIES = [10_000, 100_000, 1_000_000];

const CAVEATS = [
  'Medians of rounds in turn (lowest..highest). Every text that is looked up is a fresh string, as',
  'from the wire. Pauses: the longest single add while the table fills from nothing, the least of',
  'three fills.',
];

interface Row {
  readonly what: string;
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
  readonly out: LevelsOutput;
}

async function measure(what: string, input: LevelsInput): Promise<Row> {
  printProgress(`levels: ${what}`);
  const file = new URL('./levels-rounds.ts', import.meta.url);
  const out = await runChild<LevelsInput, LevelsOutput>(file, input);
  const ratio = spreadOf(out.theirs.map((taken, round) => taken / out.ours[round]!));
  return { what, ours: spreadOf(out.ours), theirs: spreadOf(out.theirs), ratio, out };
}

function spreadText({ median, lowest, highest }: Spread): string {
  return `${fixed(median, 1)} (${fixed(lowest, 1)}..${fixed(highest, 1)})`;
}

function cells({ what, ours, theirs, ratio }: Row): string[] {
  return [what, spreadText(ours), spreadText(theirs), spreadText(ratio)];
}

/** Both sides in ns an operation; the ratio is of speeds, above 1 where ours is quicker. */
function rowOf(name: string, { what, ours, theirs, ratio }: Row): SummaryRow {
  return summaryRow({
    what: `${name}, ${what}`,
    ours: `${fixed(ours.median, 1)} ns`,
    reference: `${fixed(theirs.median, 1)} ns`,
    ratio,
  });
}

export async function benchLevels(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const { rounds = ROUNDS } = readOptions(options, LEVELS_OPTIONS);
  const levels: Row[] = [];
  for (const { tick, levels: count } of TICKS) {
    const what = `tick ${tick}, ${whole(count)} levels`;
    levels.push(await measure(what, { kind: 'levels', levels: count, rounds }));
  }
  const ids: Row[] = [];
  for (const entries of ENTRIES) {
    ids.push(await measure(`${whole(entries)} ids`, { kind: 'ids', entries, rounds }));
  }
  printLine(`price levels and order ids (${machine()})`);
  printLine();
  printTable([
    ['a level flips, best, walk of 3: ns', 'bitmap', 'red-black tree', 'tree / bitmap'],
    ...levels.map(cells),
  ]);
  printLine();
  printTable([
    [
      'add, delete, find, miss: ns each',
      'our table',
      'Map',
      'Map / table',
      'pause ms',
      'Map pause ms',
    ],
    ...ids.map((row) => [
      ...cells(row),
      fixed(row.out.ourPauseMs, 1),
      fixed(row.out.theirPauseMs, 1),
    ]),
  ]);
  printLine();
  for (const line of CAVEATS) printLine(`  ${line}`);
  recordResult('levels', {
    unit: 'ns an operation',
    rounds,
    rows: [...levels, ...ids].map(({ what, ours, theirs, ratio, out }) => ({
      what,
      ours,
      theirs,
      ratio,
      pausesMs: [out.ourPauseMs, out.theirPauseMs],
    })),
  });
  return [
    ...levels.map((row) => rowOf('price levels beside a red-black tree', row)),
    ...ids.map((row) => rowOf('order ids beside a Map', row)),
  ];
}
