/**
 * `npm run bench -- engine`: the full `engine.apply` beside `nodejs-order-book` and the floor on
 * the same operations, at several numbers of resting orders; and the memory of a resting order.
 */
import {
  fixed,
  printProgress,
  printReport,
  ratioText,
  speedText,
  spreadText,
  whole,
} from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { type Percentiles, type Spread, spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Rounds from './rounds.ts';

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

const NOTES =
  'Ours does everything that an order needs (text ids, checks, ledger, self-trade prevention, ' +
  'events). Theirs is an order book only. The floor reads the ids, looks up what they name and ' +
  'makes events that were prepared. Mix: 60% orders that rest, 30% cancels, 10% orders that take ' +
  '3 makers each. All three run the same operations in alternating rounds, in batches of 512 ' +
  'that are prepared before the clock starts. Garbage collection within a batch counts. One ' +
  'thread, closed loop, no journal.\n' +
  'With tick 1 the orders are on thousands of levels. That favours theirs, because the time of ' +
  'its cancel grows with the orders of the level. Latencies contain one reading of the timer. ' +
  'Compare ratios: absolute figures depend on the machine and its load.';

interface Row {
  readonly size: Size;
  readonly out: ReturnType<typeof Rounds.measureRounds>;
  readonly ours: Spread;
  readonly theirs: Spread;
  readonly ratio: Spread;
  readonly floor: Spread;
  /** The floor's speed divided by the reference's. */
  readonly floorRatio: Spread;
}

function label({ resting, tickTicks }: Size): string {
  return `${whole(resting)}, tick ${tickTicks}`;
}

async function measureSize(size: Size, at: number): Promise<Row> {
  printProgress(`engine: ${label(size)}`);
  const input = { ...size, rounds: 5, latencyRounds: 2, seed: at + 1 };
  const out = await callInProcess<typeof Rounds, 'measureRounds'>(ROUNDS, 'measureRounds', input);
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

async function measureMemory(isReserved: boolean) {
  printProgress(`engine: memory at ${whole(MEMORY_ORDERS)}`);
  return await callInProcess<typeof Rounds, 'measureMemory'>(
    ROUNDS,
    'measureMemory',
    MEMORY_ORDERS,
    isReserved,
  );
}

type Memory = Awaited<ReturnType<typeof measureMemory>>;

function print(rows: readonly Row[], flat: number, memory: readonly [Memory, Memory]): void {
  const speed = (spread: Spread): string => spreadText(spread, (value) => `${whole(value / 1e3)}k`);
  const latency = ({ p50, p99, p999, longest }: Percentiles): string[] =>
    [p50, p99, p999, longest].map((ns) => fixed(ns / 1e3, 2));
  const [reserved, grown] = memory.map(
    ({ heap, buffers }) =>
      `${whole(heap + buffers)} (heap ${whole(heap)}, array buffers ${whole(buffers)})`,
  );
  printReport(
    `engine.apply beside nodejs-order-book (${machine()})`,
    [
      ['resting orders', 'ours a second', 'theirs a second', 'ratio', 'floor a second', 'ratio'],
      ...rows.map(({ size, ours, theirs, ratio, floor, floorRatio }) => [
        label(size),
        speed(ours),
        ...(size.beside
          ? [speed(theirs), ratioText(ratio), speed(floor), ratioText(floorRatio)]
          : ['-', '-', '-', '-']),
      ]),
    ],
    [
      ['resting orders', 'levels', 'events a command', 'bytes allocated by a command'],
      ...rows.map(({ size, out }) => [
        label(size),
        whole(out.levels),
        fixed(out.eventsEach, 2),
        whole(out.allocatedBytes),
      ]),
    ],
    [
      ['microseconds', 'p50', 'p99', 'p99.9', 'longest', 'timer'],
      ...rows.flatMap(({ size, out }) => [
        [`ours, ${label(size)}`, ...latency(out.ourLatency), fixed(out.timerNs / 1e3, 2)],
        ...(size.beside ? [[`theirs, ${label(size)}`, ...latency(out.theirLatency), '']] : []),
      ]),
    ],
    `bytes of a resting order at ${whole(MEMORY_ORDERS)}: room reserved ${reserved}, grown from ` +
      `nothing ${grown}; budget 300\n` +
      `speed at 1,000,000 resting orders: ${fixed(flat, 2)} of that at 1,000; budget 0.50`,
    NOTES,
  );
}

/** The rows of the one size that has budgets: 10,000 orders, tick 1. */
function budgetRows({ out, ours, theirs, ratio, floor, floorRatio }: Row): SummaryRow[] {
  const what = 'engine.apply, 10,000 resting';
  const speed = { what: `${what}, a second`, ours: speedText(ours), value: ours.median };
  const beside = {
    what: `${what}, beside nodejs-order-book`,
    ours: whole(ours.median),
    reference: whole(theirs.median),
    ratio,
    value: ratio.median,
  };
  const p99Micros = out.ourLatency.p99 / 1e3;
  return [
    summaryRow({ ...speed, budget: 'at least 2 million/s' }),
    summaryRow({ ...speed, budget: 'at least 5 million/s' }),
    summaryRow({ ...beside, budget: 'at least 4 times' }),
    summaryRow({ ...beside, budget: 'at least 10 times' }),
    summaryRow({
      what: `${what}, the floor (work that every engine must do)`,
      ours: whole(floor.median),
      reference: whole(theirs.median),
      ratio: floorRatio,
    }),
    summaryRow({
      what: `${what}, p99 of a command`,
      ours: `${fixed(p99Micros, 2)} us`,
      reference: `${fixed(out.theirLatency.p99 / 1e3, 2)} us`,
      budget: 'under 5 us',
      value: p99Micros,
    }),
    summaryRow({
      what: `${what}, allocated by a command`,
      ours: `${whole(out.allocatedBytes)} bytes`,
    }),
  ];
}

export async function benchEngine(): Promise<BenchResult> {
  const rows: Row[] = [];
  for (const [at, size] of SIZES.entries()) rows.push(await measureSize(size, at));
  const reserved = await measureMemory(true);
  const grown = await measureMemory(false);
  const speedAt = (resting: number): number =>
    rows.find(({ size }) => size.resting === resting)?.ours.median ?? Number.NaN;
  const flat = speedAt(1_000_000) / speedAt(1_000);
  print(rows, flat, [reserved, grown]);
  const bytes = grown.heap + grown.buffers;
  const figures = {
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
  };
  const summary = [
    ...budgetRows(rows[1]!),
    summaryRow({
      what: 'engine.apply, 1,000,000 resting, as a share of its speed at 1,000',
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
  return { figures, rows: summary };
}
