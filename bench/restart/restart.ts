/**
 * `npm run bench -- restart`: how soon the real program, as servers run it, is ready on a data
 * folder with a million resting orders, and how long its matching thread pauses at most while
 * snapshots are made.
 * `--starts N` sets the number of starts of each kind.
 */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { bundleProgram, Exchange, makeDataDir } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import { fixed, printProgress, speedText, whole } from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import type { BenchResult } from '../harness/results.ts';
import { spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Folder from './folder.ts';

const FOLDER = new URL('./folder.ts', import.meta.url);
/** The light load while pauses are measured. */
const ORDERS_PER_SECOND = 50;
const LOOK_MS = 2_000;
const SNAPSHOTS = 3;
const QUIET = ['--log-level', 'error'] as const;
const SNAPSHOTS_AT_STOPS = [...QUIET, '--snapshot-seconds', '0'] as const;

interface Times {
  readonly readyMs: number[];
  /** Processor time of all threads until then. Other processes affect it less than `readyMs`. */
  readonly workMs: number[];
}

interface Starts {
  readonly dataDir: string;
  readonly starts: number;
  /** The bundle; without it the sources start. */
  readonly program?: string;
}

/** Starts the program `starts` times and kills it each time, so that the folder stays as it is. */
async function readyTimes({ dataDir, starts, program }: Starts): Promise<Times> {
  const times: Times = { readyMs: [], workMs: [] };
  for (let start = 0; start < starts; start += 1) {
    const beganMs = performance.now();
    const exchange = await Exchange.start(SNAPSHOTS_AT_STOPS, dataDir, { program });
    times.readyMs.push(performance.now() - beganMs);
    times.workMs.push(exchange.processorSeconds() * 1_000);
    await exchange.kill();
  }
  return times;
}

/** How long a stop takes in ms, including its snapshot. */
async function stopOnce(dataDir: string): Promise<number> {
  const exchange = await Exchange.start(SNAPSHOTS_AT_STOPS, dataDir);
  // Otherwise the stop would include the time to catch up.
  await exchange.caughtUp();
  const beganMs = performance.now();
  await exchange.stop();
  return performance.now() - beganMs;
}

async function loadLightly(exchange: Exchange, end: AbortSignal): Promise<void> {
  const orders = await Orders.of(exchange);
  while (!end.aborted) {
    for (const { method, path, headers, body } of orders.make(1)) {
      const response = await fetch(`${exchange.url}${path}`, { method, headers, body });
      if (!response.ok) throw new Error(`an order is answered ${response.status}`);
      await response.arrayBuffer();
    }
    await sleep(1_000 / ORDERS_PER_SECOND);
  }
}

/** The longest pause in each LOOK_MS; `withSnapshotMs` if a snapshot was made in that time. */
async function watchPauses(dataDir: string, program: string) {
  const flags = [...QUIET, '--snapshot-seconds', '5'];
  const exchange = await Exchange.start(flags, dataDir, { program });
  const pauses = { withSnapshotMs: [] as number[], quietMs: [] as number[] };
  const ending = new AbortController();
  const loaded = loadLightly(exchange, ending.signal);
  try {
    // Pauses before the first snapshot, while the program is still starting, do not count.
    let lastSeq: number | undefined;
    while (lastSeq === undefined) {
      await sleep(500);
      lastSeq = (await exchange.metrics()).get('snapshot_seq');
    }
    while (pauses.withSnapshotMs.length < SNAPSHOTS) {
      await sleep(LOOK_MS);
      const metrics = await exchange.metrics();
      const longest = metrics.get('event_loop_delay_seconds{quantile="1"}') ?? 0;
      const seq = metrics.get('snapshot_seq');
      (seq === lastSeq ? pauses.quietMs : pauses.withSnapshotMs).push(longest * 1_000);
      lastSeq = seq;
    }
  } finally {
    ending.abort();
    await loaded;
    await exchange.kill();
  }
  return pauses;
}

async function measure(dataDir: string, starts: number, restingOrders: number) {
  printProgress('restart: a journal is being made, and its projection');
  const folder = await callInProcess<typeof Folder, 'makeFolder'>(FOLDER, 'makeFolder', {
    dataDir,
    markets: 2_000,
    accounts: 2_000,
    restingOrders,
    // The most commands that can follow the last snapshot when the program crashes.
    tailCommands: STORE_BOUNDS.snapshotCommands,
  });
  // The folder has no catalog yet: the first start makes one.
  const first = await Exchange.start([...SNAPSHOTS_AT_STOPS, '--replace-lost-catalog'], dataDir);
  await first.kill();
  const program = await bundleProgram();
  printProgress('restart: starts after a crash');
  const afterCrash = await readyTimes({ dataDir, starts, program });
  const sourcesAfterCrash = await readyTimes({ dataDir, starts });
  printProgress('restart: a stop, and starts after it');
  const stopMs = await stopOnce(dataDir);
  const afterStop = await readyTimes({ dataDir, starts, program });
  const sourcesAfterStop = await readyTimes({ dataDir, starts });
  printProgress('restart: pauses while snapshots are made');
  const pauses = await watchPauses(dataDir, program);
  const times = { afterStop, afterCrash, sourcesAfterStop, sourcesAfterCrash };
  return { restingOrders, ...folder, ...times, stopMs, ...pauses };
}

type Figures = Awaited<ReturnType<typeof measure>>;

function summaryOf({ restingOrders, quietMs, withSnapshotMs, ...times }: Figures): SummaryRow[] {
  const orders = `${whole(restingOrders)} resting`;
  const ready = (when: string, { readyMs, workMs }: Times, budget?: string): SummaryRow =>
    summaryRow({
      what: `ready ${when}, ${orders}; processor time`,
      ours: `${speedText(spreadOf(readyMs))} ms; ${whole(spreadOf(workMs).median)} ms`,
      ...(budget && { budget }),
      value: spreadOf(readyMs).median / 1_000,
    });
  const pause = (when: string, pausesMs: readonly number[]): SummaryRow => {
    const longestMs = pausesMs.length === 0 ? Number.NaN : Math.max(...pausesMs);
    return summaryRow({
      what: `longest pause ${when}, ${orders}`,
      ours: `${fixed(longestMs, 1)} ms`,
      budget: 'under 10 ms',
      value: longestMs,
    });
  };
  return [
    ready('after a stop', times.afterStop, 'under 5 s'),
    ready('after a crash', times.afterCrash, 'under 5 s'),
    ready('after a stop, from the sources', times.sourcesAfterStop),
    ready('after a crash, from the sources', times.sourcesAfterCrash),
    pause('under light load', quietMs),
    pause('while snapshots are made', withSnapshotMs),
  ];
}

/** Its data folder takes 2 GB while it runs. */
export async function benchRestart({ starts = 3, orders = 1_000_000 }): Promise<BenchResult> {
  const dataDir = makeDataDir();
  try {
    const figures = await measure(dataDir, starts, orders);
    return { figures, rows: summaryOf(figures) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
