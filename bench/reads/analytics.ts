/**
 * `npm run bench -- analytics`: whether the projection keeps up with the journal, and how long each
 * read of analytics takes at 100 a second while orders flow, on journals that grow tenfold from
 * one size to the next (design 10: p99 under 20 ms for pages of 100).
 *
 * `--fills N` measures one size alone, with `--accounts`, `--markets` (N/10 and N/100) and
 * `--seconds` for each read; `--full` adds ten million fills, which take some 30 GB.
 */
import { rmSync } from 'node:fs';
import { runChild } from '../harness/measurement.ts';
import { readOptions } from '../harness/options.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { makeDataDir } from '../harness/server-process.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type { AnalyticsFolderInput, AnalyticsFolderOutput } from './analytics-folder.ts';
import type { AnalyticsSize } from './analytics-generator.ts';
import { type LoadFigures, measureLoad } from './analytics-load.ts';
import type { ProjectionInput, ProjectionOutput } from './analytics-projection.ts';

const FOLDER = new URL('./analytics-folder.ts', import.meta.url);
const PROJECTION = new URL('./analytics-projection.ts', import.meta.url);
const SEED = 1;
const SIZES: readonly AnalyticsSize[] = [
  { seed: SEED, fills: 10_000, accounts: 1_000, markets: 100 },
  { seed: SEED, fills: 100_000, accounts: 10_000, markets: 1_000 },
  { seed: SEED, fills: 1_000_000, accounts: 100_000, markets: 10_000 },
];
const FULL: AnalyticsSize = { seed: SEED, fills: 10_000_000, accounts: 100_000, markets: 10_000 };
const SECONDS = 10;
const READ_BUDGET_MS = 20;
const LAG_BUDGET_MS = 100;

const CAVEATS = [
  'The journal: commands a second of one process that makes, matches and journals them in synced',
  'batches, without HTTP and signatures. The projection: the same journal projected from nothing.',
  'Reads: open loop, 100 a second of one kind at a time, with 50 signed orders a second beside',
  'them; latencies count from when a request was due, and the sender shares the processors.',
  'All in ms. Processor: what the program takes for an answer, without that for the orders.',
  'Lag: of the projection, looked at while orders come as fast as they are answered.',
];

interface Plan {
  readonly sizes: readonly AnalyticsSize[];
  readonly seconds: number;
}

interface Figures extends AnalyticsFolderOutput, ProjectionOutput, LoadFigures {
  readonly size: AnalyticsSize;
}

export const ANALYTICS_OPTIONS = {
  full: 'flag',
  fills: 'number',
  accounts: 'number',
  markets: 'number',
  seconds: 'number',
} as const;

function planOf(options: readonly string[]): Plan {
  const { full, fills, seconds = SECONDS, ...others } = readOptions(options, ANALYTICS_OPTIONS);
  if (fills === undefined) return { sizes: full === 1 ? [...SIZES, FULL] : SIZES, seconds };
  const accounts = others.accounts ?? Math.max(100, Math.floor(fills / 10));
  const markets = others.markets ?? Math.max(50, Math.floor(fills / 100));
  return { sizes: [{ seed: SEED, fills, accounts, markets }], seconds };
}

async function measure(size: AnalyticsSize, seconds: number): Promise<Figures> {
  const dataDir = makeDataDir();
  try {
    printProgress(`analytics: a journal of ${whole(size.fills)} fills is being made`);
    const input = { ...size, dataDir, untilMs: Date.now() };
    const folder = await runChild<AnalyticsFolderInput, AnalyticsFolderOutput>(FOLDER, input);
    printProgress(`analytics: ${whole(folder.commands)} commands are being projected`);
    const projected = await runChild<ProjectionInput, ProjectionOutput>(PROJECTION, { dataDir });
    const load = await measureLoad(dataDir, seconds);
    return { size, ...folder, ...projected, ...load };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'not met';
}

function perSecond(count: number, ms: number): number {
  return (count * 1_000) / ms;
}

/** Of one command. */
function micros(count: number, ms: number): number {
  return (ms * 1_000) / count;
}

function speedOf({ commands, projectionMs }: Figures): number {
  return perSecond(commands, projectionMs);
}

function printSizes(all: readonly Figures[]): void {
  const row = (name: string, of: (figures: Figures) => string) => [name, ...all.map(of)];
  printTable([
    row('', ({ size }) => `${whole(size.fills)} fills`),
    row('accounts', ({ size }) => whole(size.accounts)),
    row('markets', ({ size }) => whole(size.markets)),
    row('commands', ({ commands }) => whole(commands)),
    row('journal, commands/s', (one) => whole(perSecond(one.commands, one.journalMs))),
    row('projection, commands/s', (one) => whole(speedOf(one))),
    row('projection / journal', (one) => fixed(one.journalMs / one.projectionMs, 2)),
    row('journal, processor us', (one) => fixed(micros(one.commands, one.journalWorkMs), 0)),
    row('projection, processor us', (one) => fixed(micros(one.commands, one.projectionWorkMs), 0)),
    row('analytics.db, MB', ({ bytes }) => whole(bytes / 1e6)),
    row('signed orders/s over HTTP', ({ lag }) => whole(lag.ordersPerSecond)),
    row('projection / these', (one) => fixed(speedOf(one) / one.lag.ordersPerSecond, 2)),
    row('keeps up with these', (one) => verdict(speedOf(one) >= one.lag.ordersPerSecond)),
    row('lag meanwhile, median ms', ({ lag }) => whole(lag.medianMs)),
    row('lag meanwhile, most ms', ({ lag }) => whole(lag.mostMs)),
    row('lag meanwhile, commands', ({ lag }) => whole(lag.mostCommands)),
    row(`lag < ${LAG_BUDGET_MS} ms`, ({ lag }) => verdict(lag.medianMs < LAG_BUDGET_MS)),
  ]);
}

/** p99 of each read by size, and all that is known of the largest. */
function printReads(all: readonly Figures[]): void {
  const largest = all.at(-1);
  if (largest === undefined) return;
  const rows = largest.reads.map((read, index) => {
    const isMet = read.failures === 0 && read.p99Ms < READ_BUDGET_MS;
    const p99s = all.map((figures) => fixed(figures.reads[index]?.p99Ms ?? Number.NaN, 1));
    const failures = read.failures === 0 ? '' : `, ${read.failures} failed`;
    return [
      read.name,
      ...p99s,
      fixed(read.p50Ms, 1),
      fixed(read.longestMs, 0),
      fixed(read.kilobytes, 0),
      fixed(read.workMs, 2),
      fixed(read.orderP99Ms, 0),
      `${verdict(isMet)}${failures}`,
    ];
  });
  const sizes = all.map(({ size }) => `p99, ${whole(size.fills)}`);
  printTable([
    ['', ...sizes, 'p50', 'longest', 'KB', 'processor', 'orders p99', `p99 < ${READ_BUDGET_MS} ms`],
    ...rows,
  ]);
}

/** Of the largest journal: the slowest read stands for all of them. */
function summaryOf(figures: Figures): SummaryRow[] {
  const size = `${whole(figures.size.fills)} fills`;
  const { lag, reads } = figures;
  const [slowest] = reads.toSorted((a, b) => b.p99Ms - a.p99Ms);
  const failed = reads.reduce((sum, { failures }) => sum + failures, 0);
  const p99Ms = failed > 0 ? Number.NaN : (slowest?.p99Ms ?? Number.NaN);
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
      ratio: fixed(speedOf(figures) / lag.ordersPerSecond, 2),
      budget: 'at least 1',
      value: speedOf(figures) / lag.ordersPerSecond,
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
export async function benchAnalytics(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const { sizes, seconds } = planOf(options);
  const all: Figures[] = [];
  for (const size of sizes) all.push(await measure(size, seconds));
  printLine(`analytics of a journal that grows (${machine()})`);
  printLine();
  printSizes(all);
  printLine();
  printReads(all);
  printLine();
  for (const line of CAVEATS) printLine(`  ${line}`);
  recordResult('analytics', { seconds, sizes: all });
  return all.slice(-1).flatMap(summaryOf);
}
