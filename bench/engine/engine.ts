/**
 * `npm run bench -- engine`: the full `engine.apply` beside `nodejs-order-book` on the same
 * operations, at several numbers of resting orders, and the memory of a resting order.
 */
import { runChild } from '../harness/measurement.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { type Percentiles, type Spread, spreadOf } from '../harness/statistics.ts';
import { ratioText, type SummaryRow, speedText, summaryRow } from '../harness/summary.ts';
import type { EngineMemoryInput, EngineMemoryOutput } from './memory.ts';
import type { EngineRoundsInput, EngineRoundsOutput } from './rounds.ts';

interface Size {
  readonly resting: number;
  readonly tickTicks: number;
  readonly operations: number;
  readonly beside: boolean;
}

const SIZES: readonly Size[] = [
  { resting: 1_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 10_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 100_000, tickTicks: 1, operations: 50_000, beside: true },
  { resting: 1_000_000, tickTicks: 1, operations: 50_000, beside: false },
  { resting: 10_000, tickTicks: 100, operations: 20_000, beside: true },
];
const ROUNDS = 5;
const LATENCY_ROUNDS = 2;
const MEMORY_ORDERS = 1_000_000;

const CAVEATS = [
  'Ours is all an order needs (text ids, checks, ledger, self-trade prevention, events); theirs',
  'is a book alone; the bound reads the ids, finds what they name and makes the events, and is',
  'told what happens. Mix: 60% places that rest, 30% cancels, 10% takers of 3 makers each. All do',
  'the same operations, a round each in turn, in batches of 512 that are made ready beforehand;',
  'garbage collection that falls into a batch counts. One thread, closed loop, no journal.',
  'With tick 1 the orders lie on thousands of levels, which suits theirs: its cancel is linear in',
  'the orders of the level. Latencies contain one reading of the timer. Compare ratios: absolute',
  'figures are of this machine and of what else it does.',
];

interface Row {
  readonly size: Size;
  readonly out: EngineRoundsOutput;
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
  /** Of what no engine can leave out, and how much that is of the reference. */
  readonly floor: Spread;
  readonly floorRatio: Spread;
}

function spreadText({ median, lowest, highest }: Spread): string {
  return `${whole(median / 1e3)}k (${whole(lowest / 1e3)}..${whole(highest / 1e3)})`;
}

function label({ resting, tickTicks }: Size): string {
  return `${whole(resting)}, tick ${tickTicks}`;
}

async function measureSize(size: Size, at: number): Promise<Row> {
  printProgress(`engine: ${label(size)}`);
  const rounds = { rounds: ROUNDS, latencyRounds: LATENCY_ROUNDS };
  const input: EngineRoundsInput = { ...size, ...rounds, seed: at + 1 };
  const file = new URL('./rounds.ts', import.meta.url);
  const out = await runChild<EngineRoundsInput, EngineRoundsOutput>(file, input);
  const besideTheirs = (speeds: readonly number[]): Spread =>
    spreadOf(out.theirs.map((speed, round) => speeds[round]! / speed));
  return {
    size,
    out,
    ours: spreadOf(out.ours),
    theirs: spreadOf(out.theirs),
    ratio: besideTheirs(out.ours),
    floor: spreadOf(out.floor),
    floorRatio: besideTheirs(out.floor),
  };
}

/** Bytes of one resting order. */
async function measureMemory(reserved: boolean): Promise<{ heap: number; buffers: number }> {
  printProgress(`engine: memory at ${whole(MEMORY_ORDERS)}`);
  const file = new URL('./memory.ts', import.meta.url);
  const input: EngineMemoryInput = { resting: MEMORY_ORDERS, reserved };
  const { heapBytes, bufferBytes } = await runChild<EngineMemoryInput, EngineMemoryOutput>(
    file,
    input,
  );
  return { heap: heapBytes / MEMORY_ORDERS, buffers: bufferBytes / MEMORY_ORDERS };
}

function printSpeeds(rows: readonly Row[]): void {
  printTable([
    ['resting orders', 'ours a second', 'theirs a second', 'ratio', 'bound a second', 'ratio'],
    ...rows.map(({ size, ours, theirs, ratio, floor, floorRatio }) => [
      label(size),
      spreadText(ours),
      ...(size.beside
        ? [spreadText(theirs), ratioText(ratio), spreadText(floor), ratioText(floorRatio)]
        : ['-', '-', '-', '-']),
    ]),
  ]);
  printLine();
  printTable([
    ['resting orders', 'levels', 'events a command', 'bytes allocated by a command'],
    ...rows.map(({ size, out }) => [
      label(size),
      whole(out.levels),
      fixed(out.eventsEach, 2),
      whole(out.allocatedBytes),
    ]),
  ]);
}

function printLatencies(rows: readonly Row[]): void {
  const cells = ({ p50, p99, p999, longest }: Percentiles): string[] =>
    [p50, p99, p999, longest].map((ns) => fixed(ns / 1e3, 2));
  printTable([
    ['microseconds', 'p50', 'p99', 'p99.9', 'longest', 'timer'],
    ...rows.flatMap(({ size, out }) => [
      [`ours, ${label(size)}`, ...cells(out.ourLatency), fixed(out.timerNs / 1e3, 2)],
      ...(size.beside ? [[`theirs, ${label(size)}`, ...cells(out.theirLatency), '']] : []),
    ]),
  ]);
}

/** The rows of one size that has budgets: 10,000 orders, tick 1. */
function budgetRows({ out, ours, theirs, ratio, floor, floorRatio }: Row): SummaryRow[] {
  const what = 'engine.apply, 10,000 resting';
  const speed = (budget: string): SummaryRow =>
    summaryRow({ what: `${what}, a second`, ours: speedText(ours), budget, value: ours.median });
  const beside = (budget: string): SummaryRow =>
    summaryRow({
      what: `${what}, beside nodejs-order-book`,
      ours: whole(ours.median),
      reference: whole(theirs.median),
      ratio,
      budget,
      value: ratio.median,
    });
  const bound = summaryRow({
    what: `${what}, only what no engine can leave out`,
    ours: whole(floor.median),
    reference: whole(theirs.median),
    ratio: floorRatio,
  });
  const p99Micros = out.ourLatency.p99 / 1e3;
  return [
    speed('at least 2 million/s'),
    speed('at least 5 million/s'),
    beside('at least 4 times'),
    beside('at least 10 times'),
    bound,
    summaryRow({
      what: `${what}, p99 of one`,
      ours: `${fixed(p99Micros, 2)} us`,
      reference: `${fixed(out.theirLatency.p99 / 1e3, 2)} us`,
      budget: 'under 5 us',
      value: p99Micros,
    }),
    summaryRow({
      what: `${what}, allocated by one`,
      ours: `${whole(out.allocatedBytes)} bytes`,
    }),
  ];
}

/** What the table of a whole run says of the engine. */
function summaryOf(rows: readonly Row[], flat: number, bytes: number): SummaryRow[] {
  const budgeted = rows.find(({ size }) => size.resting === 10_000 && size.tickTicks === 1);
  return [
    ...(budgeted === undefined ? [] : budgetRows(budgeted)),
    summaryRow({
      what: 'engine.apply, 1,000,000 resting, of its speed at 1,000',
      ours: fixed(flat, 2),
      budget: 'at least 0.5',
      value: flat,
    }),
    summaryRow({
      what: 'memory of a resting order at 1,000,000, grown from nothing',
      ours: `${whole(bytes)} bytes`,
      budget: 'under 300 bytes',
      value: bytes,
    }),
  ];
}

export async function benchEngine(_options: readonly string[]): Promise<readonly SummaryRow[]> {
  const rows: Row[] = [];
  for (const [at, size] of SIZES.entries()) rows.push(await measureSize(size, at));
  const reserved = await measureMemory(true);
  const grown = await measureMemory(false);
  printLine(`engine.apply beside nodejs-order-book (${machine()})`);
  printLine();
  printSpeeds(rows);
  printLine();
  printLatencies(rows);
  printLine();
  const bytes = ({ heap, buffers }: { heap: number; buffers: number }): string =>
    `${whole(heap + buffers)} (heap ${whole(heap)}, array buffers ${whole(buffers)})`;
  printLine(
    `  bytes a resting order at ${whole(MEMORY_ORDERS)}: room reserved ${bytes(reserved)},`,
  );
  printLine(`  grown from nothing ${bytes(grown)}; budget 300`);
  const [small] = rows;
  const large = rows.find(({ size }) => size.resting === 1_000_000);
  const flat = (large?.ours.median ?? 0) / (small?.ours.median ?? 1);
  printLine(`  at 1,000,000 resting orders ${fixed(flat, 2)} of the speed at 1,000; budget 0.50`);
  printLine();
  for (const line of CAVEATS) printLine(`  ${line}`);
  recordResult('engine', {
    sizes: rows.map(({ size, out, ours, theirs, ratio, floor, floorRatio }) => ({
      ...size,
      levels: out.levels,
      eventsEach: out.eventsEach,
      allocatedBytes: out.allocatedBytes,
      oursPerSecond: ours,
      ...(size.beside
        ? { theirsPerSecond: theirs, ratio, theirLatencyNs: out.theirLatency, floor, floorRatio }
        : {}),
      ourLatencyNs: out.ourLatency,
      timerNs: out.timerNs,
    })),
    memoryBytesAnOrder: { orders: MEMORY_ORDERS, reserved, grown },
    flatness: flat,
  });
  return summaryOf(rows, flat, grown.heap + grown.buffers);
}
