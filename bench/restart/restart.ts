/**
 * `npm run bench -- restart`: how soon the real program is ready on a data folder with a million
 * resting orders and a long journal, and how long its matching thread pauses at most while a
 * snapshot is made. `--short`: one start of each kind, on a shorter journal with as many resting
 * orders.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import type { Options } from '../harness/arguments.ts';
import { Exchange, makeDataDir } from '../harness/exchange.ts';
import { Orders } from '../harness/orders.ts';
import {
  fixed,
  printProgress,
  printReport,
  speedText,
  verdictText,
  whole,
} from '../harness/print.ts';
import { callInProcess } from '../harness/process.ts';
import { type BenchResult, machine } from '../harness/results.ts';
import { spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, summaryRow } from '../harness/summary.ts';
import type * as Folder from './folder.ts';

export const RESTART_OPTIONS = { short: 'flag' } as const;
const FOLDER = new URL('./folder.ts', import.meta.url);
const RESTING_ORDERS = 1_000_000;
const READY_BUDGET_MS = 5_000;
const PAUSE_BUDGET_MS = 10;
/** The light load while pauses are measured. */
const ORDERS_PER_SECOND = 50;
const LOOK_MS = 2_000;
const QUIET = ['--log-level', 'error'] as const;
const SNAPSHOTS_AT_STOPS = [...QUIET, '--snapshot-seconds', '0'] as const;

const NOTES =
  'From the start of the process (main.ts serve) to its ready line; journal, projection and ' +
  'catalog are there, files in the cache of the system. After a crash: with as many commands ' +
  'after the snapshot as there can be. Without: the snapshots were removed. Pauses: the longest ' +
  "delay of the matching thread's event loop between two reads of its metrics in which a " +
  'snapshot was made, under light load; quiet: the same without a snapshot. The load of the ' +
  'machine is in all of it.';

interface Times {
  readonly readyMs: number[];
  /** Processor time of all threads by then: other processes change it less than the time. */
  readonly workMs: number[];
}

/** Starts the program so many times. Each ends as a crash, so that the folder stays as it is. */
async function readyTimes(dataDir: string, rounds: number): Promise<Times> {
  const times: Times = { readyMs: [], workMs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const beganMs = performance.now();
    const exchange = await Exchange.start(SNAPSHOTS_AT_STOPS, dataDir);
    times.readyMs.push(performance.now() - beganMs);
    times.workMs.push(exchange.processorSeconds() * 1_000);
    await exchange.kill();
  }
  return times;
}

/** How long a stop takes, with its last snapshot. */
async function stopOnce(dataDir: string): Promise<number> {
  const exchange = await Exchange.start(SNAPSHOTS_AT_STOPS, dataDir);
  // A stop before that would wait for it.
  await exchange.caughtUp();
  const beganMs = performance.now();
  await exchange.stop();
  return performance.now() - beganMs;
}

async function loadLightly(exchange: Exchange, end: AbortSignal): Promise<void> {
  const orders = await Orders.of(exchange);
  while (!end.aborted) {
    const [{ method, path, headers, body }] = orders.make(1) as [ReturnType<Orders['makeOne']>];
    const response = await fetch(`${exchange.url}${path}`, { method, headers, body });
    if (!response.ok) throw new Error(`an order is answered ${response.status}`);
    await response.arrayBuffer();
    await sleep(1_000 / ORDERS_PER_SECOND);
  }
}

/** Pauses between two looks, apart for those in which a snapshot was made. */
async function watchPauses(dataDir: string, snapshots: number) {
  const exchange = await Exchange.start([...QUIET, '--snapshot-seconds', '5'], dataDir);
  const pauses = { withSnapshotMs: [] as number[], quietMs: [] as number[] };
  const snapshotMs: number[] = [];
  const ending = new AbortController();
  const loaded = loadLightly(exchange, ending.signal);
  try {
    // The looks before the first snapshot, while the program is still starting, do not count.
    let lastSeq: number | undefined;
    while (lastSeq === undefined) {
      await sleep(500);
      lastSeq = (await exchange.metrics()).get('snapshot_seq');
    }
    while (pauses.withSnapshotMs.length < snapshots) {
      await sleep(LOOK_MS);
      const metrics = await exchange.metrics();
      const longest = metrics.get('event_loop_delay_seconds{quantile="1"}') ?? 0;
      const seq = metrics.get('snapshot_seq');
      (seq === lastSeq ? pauses.quietMs : pauses.withSnapshotMs).push(longest * 1_000);
      if (seq !== lastSeq) {
        snapshotMs.push((metrics.get('snapshot_duration_seconds') ?? 0) * 1_000);
      }
      lastSeq = seq;
    }
  } finally {
    ending.abort();
    await loaded;
    await exchange.kill();
  }
  return { ...pauses, snapshotMs };
}

async function measure(dataDir: string, isShort: boolean) {
  printProgress('restart: a journal is being made, and its projection');
  const folder = await callInProcess<typeof Folder, 'makeFolder'>(FOLDER, 'makeFolder', {
    dataDir,
    markets: 2_000,
    accounts: 2_000,
    restingOrders: RESTING_ORDERS,
    cancelledOrders: isShort ? 0 : 250_000,
    // As many as there can be after the last snapshot when it crashes.
    tailCommands: STORE_BOUNDS.snapshotCommands,
  });
  const rounds = isShort ? 1 : 3;
  printProgress('restart: starts after a crash');
  const afterCrash = await readyTimes(dataDir, rounds);
  printProgress('restart: a stop, and starts after it');
  const stopMs = await stopOnce(dataDir);
  const afterStop = await readyTimes(dataDir, rounds);
  printProgress('restart: pauses while snapshots are made');
  const pauses = await watchPauses(dataDir, isShort ? 2 : 3);
  const figures = { folder, afterStop, afterCrash, stopMs, pauses };
  if (isShort) return { ...figures, without: undefined };
  printProgress('restart: a start without snapshots');
  rmSync(join(dataDir, 'snapshots'), { recursive: true });
  return { ...figures, without: await readyTimes(dataDir, 1) };
}

type Figures = Awaited<ReturnType<typeof measure>>;

function print({ folder, pauses, afterStop, afterCrash, without, stopMs }: Figures): void {
  const verdict = (value: number, budget: number): string =>
    `< ${whole(budget)} ms ${verdictText(value < budget)}`;
  const ready = (name: string, { readyMs, workMs }: Times, hasBudget = true): string[] => {
    const spread = spreadOf(readyMs);
    const budget = hasBudget ? verdict(spread.median, READY_BUDGET_MS) : '';
    return [name, speedText(spread), whole(spreadOf(workMs).median), budget];
  };
  const pauseMs = Math.max(...pauses.withSnapshotMs);
  const sizes = `${whole(RESTING_ORDERS)} resting orders, ${whole(folder.commands)} commands`;
  printReport(
    `starts with ${sizes}, ready after ms (${machine()})`,
    [
      ['what', 'ms', 'processor ms', 'budget'],
      ready('after a stop', afterStop),
      ready('after a crash', afterCrash),
      ...(without === undefined ? [] : [ready('without snapshots', without, false)]),
      ['stop, with a snapshot', whole(stopMs), '', ''],
      ['a snapshot', whole(spreadOf(pauses.snapshotMs).median), '', ''],
      ['longest pause meanwhile', fixed(pauseMs, 1), '', verdict(pauseMs, PAUSE_BUDGET_MS)],
      ['longest pause, quiet', fixed(Math.max(0, ...pauses.quietMs), 1), '', ''],
    ],
    `A snapshot has ${whole(folder.snapshotBytes / 1e6)} MB. ${NOTES}`,
  );
}

function summaryOf({ afterStop, afterCrash, pauses }: Figures): SummaryRow[] {
  const orders = `${whole(RESTING_ORDERS)} resting`;
  const ready = (when: string, { readyMs }: Times): SummaryRow =>
    summaryRow({
      what: `ready ${when}, ${orders}`,
      ours: `${speedText(spreadOf(readyMs))} ms`,
      budget: `under ${READY_BUDGET_MS / 1_000} s`,
      value: spreadOf(readyMs).median / 1_000,
    });
  const pause = (when: string, pausesMs: readonly number[]): SummaryRow => {
    const longestMs = pausesMs.length === 0 ? Number.NaN : Math.max(...pausesMs);
    return summaryRow({
      what: `longest pause ${when}, ${orders}`,
      ours: `${fixed(longestMs, 1)} ms`,
      budget: `under ${PAUSE_BUDGET_MS} ms`,
      value: longestMs,
    });
  };
  return [
    ready('after a stop', afterStop),
    ready('after a crash', afterCrash),
    pause('under light load', pauses.quietMs),
    pause('while snapshots are made', pauses.withSnapshotMs),
  ];
}

/** Its folder takes 2 GB for as long as it runs. */
export async function benchRestart({
  short,
}: Options<typeof RESTART_OPTIONS>): Promise<BenchResult> {
  const dataDir = makeDataDir();
  try {
    const figures = await measure(dataDir, short === 1);
    print(figures);
    return { figures: { short: short === 1, ...figures }, rows: summaryOf(figures) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
