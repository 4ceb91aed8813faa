/**
 * `npm run bench -- engine`: the full `engine.apply` beside `nodejs-order-book` on the same
 * operations, with several numbers of resting orders; and the memory of a resting order. With
 * `--liquibook FOLDER` the book of liquibook, in C++, does the same operations too.
 */
import {
  fixed,
  printProgress,
  printReport,
  type ReportPart,
  ratioText,
  speedText,
  spreadText,
  whole,
} from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import { buildLiquibook } from './liquibook/liquibook.ts';
import type * as Rounds from './rounds.ts';
import type { RoundsInput } from './rounds.ts';

const ROUNDS = new URL('./rounds.ts', import.meta.url);
const SIZES = [
  { resting: 1_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 10_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 100_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 1_000_000, tickTicks: 1, operations: 50_000, beside: false },
  { resting: 10_000, tickTicks: 100, operations: 20_000, beside: true },
] as const;
type Size = (typeof SIZES)[number];
const MEMORY_ORDERS = 1_000_000;

function label({ resting, tickTicks }: Size): string {
  return `${whole(resting)}, tick ${tickTicks}`;
}

async function measureSize(
  size: Size,
  terms: Pick<RoundsInput, 'rounds' | 'seed'>,
  program: string | undefined,
) {
  printProgress(`engine: ${label(size)}`);
  const liquibookProgram = size.beside ? program : undefined;
  const input = { ...size, ...terms, liquibookProgram };
  const { ours, theirs, liquibook, ...figures } = await callInProcess<
    typeof Rounds,
    'measureRounds'
  >(ROUNDS, 'measureRounds', input);
  return {
    ...size,
    ...figures,
    ours: spreadOf(ours),
    theirs: spreadOf(theirs),
    ratio: spreadOf(theirs.map((speed, round) => ours[round]! / speed)),
    liquibook: spreadOf(liquibook),
    liquibookRatio: spreadOf(liquibook.map((speed, round) => ours[round]! / speed)),
  };
}

type Row = Awaited<ReturnType<typeof measureSize>>;

function print(rows: readonly Row[]): void {
  const speed = (spread: Spread): string => spreadText(spread, (value) => `${whole(value / 1e3)}k`);
  const micros = (ns: number): string => fixed(ns / 1e3, 2);
  printReport(
    `engine.apply beside nodejs-order-book (${machine()})`,
    [
      ['resting orders', 'ours a second', 'theirs a second', 'ratio'],
      ...rows.map((row) => [
        label(row),
        speed(row.ours),
        ...(row.beside ? [speed(row.theirs), ratioText(row.ratio)] : ['-', '-']),
      ]),
    ],
    ...liquibookParts(rows),
    [
      ['resting orders', 'bytes a command', 'us: p50', 'p99', 'p99.9', 'theirs: p99'],
      ...rows.map((row) => [
        label(row),
        whole(row.allocatedBytes),
        ...[row.ourLatency.p50, row.ourLatency.p99, row.ourLatency.p999].map(micros),
        row.beside ? micros(row.theirLatency.p99) : '-',
      ]),
    ],
  );
}

const PUBLISHED = 'Its authors say 2.0 to 2.5 million inserts a second, on another machine.';

/** The table of liquibook, or the sentence that it was not given; and its published figure. */
function liquibookParts(rows: readonly Row[]): ReportPart[] {
  const measured = rows.filter((row) => !Number.isNaN(row.liquibook.median));
  if (measured.length === 0) return [`liquibook was not given (--liquibook FOLDER). ${PUBLISHED}`];
  const table = measured.map((row) => [
    label(row),
    speedText(row.ours),
    speedText(row.liquibook),
    ratioText(row.liquibookRatio),
  ]);
  return [
    [['resting orders', 'ours a second', 'liquibook a second', 'ratio'], ...table],
    PUBLISHED,
  ];
}

/** Our speed beside liquibook, at the sizes with tick 1 that it ran with. */
function liquibookRows(rows: readonly Row[]): SummaryRow[] {
  return rows
    .filter(({ tickTicks, liquibook }) => tickTicks === 1 && !Number.isNaN(liquibook.median))
    .map(({ resting, ours, liquibook, liquibookRatio }) => {
      return summaryRow({
        what: `engine.apply, ${whole(resting)} resting, beside liquibook (C++, a book alone)`,
        ours: whole(ours.median),
        reference: whole(liquibook.median),
        ratio: liquibookRatio,
        value: liquibookRatio.median,
        // At smaller sizes liquibook's book fits into the cache, and it has no ledger or events.
        ...(resting === 100_000 ? { budget: 'at least 1 times' } : {}),
      });
    });
}

/** The rows of the one size that has budgets: 10,000 orders, tick 1. */
function budgetRows(row: Row): SummaryRow[] {
  const { ours, theirs, ratio } = row;
  const what = 'engine.apply, 10,000 resting';
  const speed = { what: `${what}, a second`, ours: speedText(ours) };
  const beside = {
    what: `${what}, beside nodejs-order-book`,
    ours: whole(ours.median),
    reference: whole(theirs.median),
    ratio,
    value: ratio.median,
  };
  const p99Micros = row.ourLatency.p99 / 1e3;
  return [
    summaryRow(speed),
    summaryRow({ ...beside, budget: 'at least 5 times' }),
    summaryRow({
      what: `${what}, p99 of a command`,
      ours: `${fixed(p99Micros, 2)} us`,
      reference: `${fixed(row.theirLatency.p99 / 1e3, 2)} us`,
    }),
    summaryRow({
      what: `${what}, allocated by a command`,
      ours: `${whole(row.allocatedBytes)} bytes`,
    }),
  ];
}

async function measureSizes(rounds: number, liquibookFolder: string | undefined): Promise<Row[]> {
  const built = liquibookFolder === undefined ? undefined : buildLiquibook(liquibookFolder);
  const rows: Row[] = [];
  try {
    for (const [at, size] of SIZES.entries()) {
      rows.push(await measureSize(size, { rounds, seed: at + 1 }, built?.program));
    }
  } finally {
    built?.remove();
  }
  return rows;
}

export async function benchEngine({
  rounds = 5,
  liquibook,
}: {
  rounds?: number;
  liquibook?: string;
}): Promise<BenchResult> {
  const rows = await measureSizes(rounds, liquibook);
  printProgress(`engine: memory at ${whole(MEMORY_ORDERS)}`);
  const bytes = await callInProcess<typeof Rounds, 'measureMemory'>(
    ROUNDS,
    'measureMemory',
    MEMORY_ORDERS,
  );
  print(rows);
  const speedAt = (resting: number): number =>
    rows.find((row) => row.resting === resting)!.ours.median;
  const flat = speedAt(1_000_000) / speedAt(1_000);
  const summary = [
    ...budgetRows(rows[1]!),
    ...liquibookRows(rows),
    summaryRow({
      what: 'engine.apply, 1,000,000 resting, as a share of its speed at 1,000',
      ours: fixed(flat, 2),
      budget: 'at least 0.5',
      value: flat,
    }),
    summaryRow({
      what: 'memory of a resting order at 1,000,000',
      ours: `${whole(bytes)} bytes`,
      budget: 'under 300 bytes',
      value: bytes,
    }),
  ];
  return { figures: { sizes: rows, memoryBytesAnOrder: bytes, flatness: flat }, rows: summary };
}
