/**
 * `npm run bench -- analytics`: whether the projection keeps up with the journal, and how long each
 * read of analytics takes at 100 a second while orders flow, on journals that grow tenfold from
 * one size to the next. `--fills N` measures one size, `--seconds N` is how long each read runs.
 */
import { rmSync } from 'node:fs';
import { makeDataDir } from '../harness/exchange.ts';
import type * as Writer from '../harness/folder-writer.ts';
import { fixed, inMs, printProgress, printReport, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Folder from './analytics-folder.ts';
import { measureLoad } from './analytics-load.ts';

const FOLDER = new URL('./analytics-folder.ts', import.meta.url);
const WRITER = new URL('../harness/folder-writer.ts', import.meta.url);
const FILLS = [10_000, 100_000, 1_000_000];

async function measure(fills: number, seconds: number) {
  const accounts = Math.max(100, Math.floor(fills / 10));
  const size = { seed: 1, fills, accounts, markets: Math.max(50, Math.floor(fills / 100)) };
  const dataDir = makeDataDir();
  try {
    printProgress(`analytics: a journal of ${whole(fills)} fills is being made`);
    const { projectorData, commands } = await callInProcess<typeof Folder, 'makeFolder'>(
      FOLDER,
      'makeFolder',
      dataDir,
      size,
    );
    printProgress(`analytics: ${whole(commands)} commands are being projected`);
    const projected = await callInProcess<typeof Writer, 'projectUntil'>(
      WRITER,
      'projectUntil',
      projectorData,
      commands,
    );
    const projectedPerSecond = (commands * 1_000) / projected.projectionMs;
    const load = await measureLoad(dataDir, seconds);
    return { ...size, commands, ...projected, projectedPerSecond, ...load };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Figures = Awaited<ReturnType<typeof measure>>;

/** The p99 of each read by size, and all other figures of the largest size. */
function readRows(all: readonly Figures[]): string[][] {
  const sizes = all.map(({ fills }) => `p99, ${whole(fills)}`);
  return [
    ['ms', ...sizes, 'p50', 'longest', 'processor', 'orders p99'],
    ...all
      .at(-1)!
      .reads.map(({ name, reads, orders, processorMs }, at) => [
        name,
        ...all.map((figures) => inMs(figures.reads[at]!.reads.p99)),
        inMs(reads.p50),
        inMs(reads.longest, 0),
        fixed(processorMs, 2),
        inMs(orders.p99, 0),
      ]),
  ];
}

/** The slowest read stands for all reads. */
function summaryOf({ fills, reads, projectedPerSecond, ...figures }: Figures): SummaryRow[] {
  const size = `${whole(fills)} fills`;
  const [slowest] = reads.toSorted((a, b) => b.reads.p99 - a.reads.p99);
  const keepsUp = projectedPerSecond / figures.ordersPerSecond;
  return [
    summaryRow({
      what: `${size}, p99 of ${slowest!.name}, slowest of ${reads.length}`,
      ours: `${inMs(slowest!.reads.p99)} ms`,
      budget: 'under 20 ms',
      value: slowest!.reads.p99 / 1e6,
    }),
    summaryRow({
      what: `${size}, projected commands/s beside orders/s`,
      ours: whole(projectedPerSecond),
      reference: `${whole(figures.ordersPerSecond)} signed orders/s`,
      ratio: fixed(keepsUp, 2),
      budget: 'at least 1',
      value: keepsUp,
    }),
    summaryRow({
      what: `${size}, projection's lag at full load, median`,
      ours: `${whole(figures.lagMs.median)} ms`,
      budget: 'under 100 ms',
      value: figures.lagMs.median,
    }),
  ];
}

/** Its largest folder takes 3 GB for as long as it runs. */
export async function benchAnalytics({
  fills,
  seconds = 10,
}: {
  fills?: number;
  seconds?: number;
}): Promise<BenchResult> {
  const all: Figures[] = [];
  for (const count of fills === undefined ? FILLS : [fills]) {
    all.push(await measure(count, seconds));
  }
  printReport(`reads of analytics, p99 by fills (${machine()})`, readRows(all));
  return { figures: { seconds, sizes: all }, rows: all.flatMap(summaryOf) };
}
