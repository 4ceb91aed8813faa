/**
 * `npm run bench -- analytics`: whether the projection keeps up with the journal, and how long each
 * read of analytics takes at 100 a second while orders flow, on journals that grow tenfold from
 * one size to the next. Budget: p99 under 20 ms for pages of 100.
 *
 * `--fills N` measures one size alone, with `--accounts`, `--markets` (N/10 and N/100) and
 * `--seconds` for each read; `--full` adds ten million fills, which take some 30 GB.
 */
import { rmSync } from 'node:fs';
import type { Options } from '../harness/arguments.ts';
import { makeDataDir } from '../harness/exchange.ts';
import type * as Writer from '../harness/folder-writer.ts';
import { fixed, printProgress, printReport, verdictText, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { sumOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Folder from './analytics-folder.ts';
import type { AnalyticsSize } from './analytics-generator.ts';
import { measureLoad } from './analytics-load.ts';

export const ANALYTICS_OPTIONS = {
  full: 'flag',
  fills: 'number',
  accounts: 'number',
  markets: 'number',
  seconds: 'number',
} as const;
const FOLDER = new URL('./analytics-folder.ts', import.meta.url);
const WRITER = new URL('../harness/folder-writer.ts', import.meta.url);
const SIZES: readonly AnalyticsSize[] = [
  { seed: 1, fills: 10_000, accounts: 1_000, markets: 100 },
  { seed: 1, fills: 100_000, accounts: 10_000, markets: 1_000 },
  { seed: 1, fills: 1_000_000, accounts: 100_000, markets: 10_000 },
];
const FULL: AnalyticsSize = { seed: 1, fills: 10_000_000, accounts: 100_000, markets: 10_000 };
const READ_BUDGET_MS = 20;
const LAG_BUDGET_MS = 100;

const NOTES =
  'The journal: commands a second of one process that makes, matches and journals them in synced ' +
  'batches, without HTTP and signatures. The projection: the same journal projected from ' +
  'nothing. Reads: open loop, 100 a second of one kind at a time, with 50 signed orders a second ' +
  'beside them; latencies count from when a request was due, and the sender shares the ' +
  'processors. All in ms. Processor: what the program takes for an answer, without its time for ' +
  'the orders. Lag: of the projection, sampled while orders come as fast as they are answered.';

async function measure(size: AnalyticsSize, seconds: number) {
  const dataDir = makeDataDir();
  try {
    printProgress(`analytics: a journal of ${whole(size.fills)} fills is being made`);
    const { projectorData, ...folder } = await callInProcess<typeof Folder, 'makeFolder'>(
      FOLDER,
      'makeFolder',
      dataDir,
      size,
    );
    printProgress(`analytics: ${whole(folder.commands)} commands are being projected`);
    const projected = await callInProcess<typeof Writer, 'projectUntil'>(
      WRITER,
      'projectUntil',
      projectorData,
      folder.commands,
    );
    return { size, ...folder, ...projected, ...(await measureLoad(dataDir, seconds)) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Figures = Awaited<ReturnType<typeof measure>>;

/** Commands a second of the projection. */
function speedOf({ commands, projectionMs }: Figures): number {
  return (commands * 1_000) / projectionMs;
}

function sizeRows(all: readonly Figures[]): string[][] {
  const row = (name: string, of: (figures: Figures) => string) => [name, ...all.map(of)];
  const microsOf = (ms: number, { commands }: Figures): string => fixed((ms * 1_000) / commands, 0);
  return [
    row('', ({ size }) => `${whole(size.fills)} fills`),
    row('accounts', ({ size }) => whole(size.accounts)),
    row('markets', ({ size }) => whole(size.markets)),
    row('commands', ({ commands }) => whole(commands)),
    row('journal, commands/s', (one) => whole((one.commands * 1_000) / one.journalMs)),
    row('projection, commands/s', (one) => whole(speedOf(one))),
    row('projection / journal', (one) => fixed(one.journalMs / one.projectionMs, 2)),
    row('journal, processor us', (one) => microsOf(one.journalWorkMs, one)),
    row('projection, processor us', (one) => microsOf(one.projectionWorkMs, one)),
    row('analytics.db, MB', ({ bytes }) => whole(bytes / 1e6)),
    row('signed orders/s over HTTP', ({ lag }) => whole(lag.ordersPerSecond)),
    row('projection / these', (one) => fixed(speedOf(one) / one.lag.ordersPerSecond, 2)),
    row('keeps up with these', (one) => verdictText(speedOf(one) >= one.lag.ordersPerSecond)),
    row('lag meanwhile, median ms', ({ lag }) => whole(lag.medianMs)),
    row('lag meanwhile, most ms', ({ lag }) => whole(lag.mostMs)),
    row('lag meanwhile, commands', ({ lag }) => whole(lag.mostCommands)),
    row(`lag < ${LAG_BUDGET_MS} ms`, ({ lag }) => verdictText(lag.medianMs < LAG_BUDGET_MS)),
  ];
}

/** The p99 of each read by size, and all other figures of the largest size. */
function readRows(all: readonly Figures[]): string[][] {
  const rows = (all.at(-1)?.reads ?? []).map((read, index) => {
    const isMet = read.failures === 0 && read.p99Ms < READ_BUDGET_MS;
    return [
      read.name,
      ...all.map((figures) => fixed(figures.reads[index]?.p99Ms ?? Number.NaN, 1)),
      fixed(read.p50Ms, 1),
      fixed(read.longestMs, 0),
      fixed(read.kilobytes, 0),
      fixed(read.workMs, 2),
      fixed(read.orderP99Ms, 0),
      `${verdictText(isMet)}${read.failures === 0 ? '' : `, ${read.failures} failed`}`,
    ];
  });
  const sizes = all.map(({ size }) => `p99, ${whole(size.fills)}`);
  const budget = `p99 < ${READ_BUDGET_MS} ms`;
  return [['', ...sizes, 'p50', 'longest', 'KB', 'processor', 'orders p99', budget], ...rows];
}

/** The rows of the largest journal. The slowest read stands for all reads. */
function summaryOf(figures: Figures): SummaryRow[] {
  const size = `${whole(figures.size.fills)} fills`;
  const { lag, reads } = figures;
  const [slowest] = reads.toSorted((a, b) => b.p99Ms - a.p99Ms);
  const failed = sumOf(reads, ({ failures }) => failures);
  const p99Ms = failed > 0 ? Number.NaN : (slowest?.p99Ms ?? Number.NaN);
  const keepsUp = speedOf(figures) / lag.ordersPerSecond;
  return [
    summaryRow({
      what: `${size}, p99 of ${slowest?.name}, slowest of ${reads.length}`,
      ours: failed > 0 ? `${failed} reads failed` : `${fixed(p99Ms, 1)} ms`,
      budget: `under ${READ_BUDGET_MS} ms`,
      value: p99Ms,
    }),
    summaryRow({
      what: `${size}, projected commands/s beside orders/s`,
      ours: whole(speedOf(figures)),
      reference: `${whole(lag.ordersPerSecond)} signed orders/s`,
      ratio: fixed(keepsUp, 2),
      budget: 'at least 1',
      value: keepsUp,
    }),
    summaryRow({
      what: `${size}, projection's lag at full load, median`,
      ours: `${whole(lag.medianMs)} ms`,
      budget: `under ${LAG_BUDGET_MS} ms`,
      value: lag.medianMs,
    }),
  ];
}

/** Its largest folder takes 3 GB for as long as it runs, and with `--full` ten times that. */
export async function benchAnalytics(
  options: Options<typeof ANALYTICS_OPTIONS>,
): Promise<BenchResult> {
  const { full, fills, seconds = 10, accounts, markets } = options;
  const one = fills !== undefined && {
    seed: 1,
    fills,
    accounts: accounts ?? Math.max(100, Math.floor(fills / 10)),
    markets: markets ?? Math.max(50, Math.floor(fills / 100)),
  };
  const all: Figures[] = [];
  for (const size of one ? [one] : full === 1 ? [...SIZES, FULL] : SIZES) {
    all.push(await measure(size, seconds));
  }
  const title = `analytics of a journal that grows (${machine()})`;
  printReport(title, sizeRows(all), readRows(all), NOTES);
  return { figures: { seconds, sizes: all }, rows: all.slice(-1).flatMap(summaryOf) };
}
