/**
 * `npm run bench -- restart`: how soon the real program is ready on a data folder with a million
 * resting orders and a long journal (design 10: under 5 s), and how long its matching thread pauses
 * at the most while a snapshot is made (under 10 ms). `--short`: one start of each kind, on a
 * shorter journal with as many resting orders.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { STORE_BOUNDS } from '../../persistence/shared/store-bounds.ts';
import { runChild } from '../harness/measurement.ts';
import { readOptions } from '../harness/options.ts';
import { OrderRequests } from '../harness/order-requests.ts';
import { fixed, printLine, printProgress, printTable, whole } from '../harness/print.ts';
import { machine, recordResult } from '../harness/results.ts';
import { makeDataDir, type ServerProcess, startServer } from '../harness/server-process.ts';
import { type Spread, spreadOf } from '../harness/statistics.ts';
import { type SummaryRow, speedText, summaryRow } from '../harness/summary.ts';
import type { RestartFolderInput, RestartFolderOutput } from './folder.ts';

const FOLDER = new URL('./folder.ts', import.meta.url);
export const RESTART_OPTIONS = { short: 'flag' } as const;

interface Plan {
  readonly folder: Omit<RestartFolderInput, 'dataDir'>;
  /** Starts of each kind. */
  readonly rounds: number;
  readonly snapshotsWatched: number;
  /** Whether the whole journal is replayed too. */
  readonly withoutSnapshots: boolean;
}

const FOLDER_PLAN: Plan['folder'] = {
  markets: 2_000,
  accounts: 2_000,
  restingOrders: 1_000_000,
  cancelledOrders: 250_000,
  // As many as there can be after the last snapshot when it crashes.
  tailCommands: STORE_BOUNDS.snapshotCommands,
};
const PLAN: Plan = {
  folder: FOLDER_PLAN,
  rounds: 3,
  snapshotsWatched: 3,
  withoutSnapshots: true,
};
/** With as many orders that rest, and no others in the journal. */
const SHORT_PLAN: Plan = {
  folder: { ...FOLDER_PLAN, cancelledOrders: 0 },
  rounds: 1,
  snapshotsWatched: 2,
  withoutSnapshots: false,
};
const READY_BUDGET_MS = 5_000;
const PAUSE_BUDGET_MS = 10;
/** Of light load, orders a second. */
const ORDERS_PER_SECOND = 50;
const QUIET = ['--log-level', 'error'] as const;
const ONLY_AT_STOPS = [...QUIET, '--snapshot-seconds', '0'] as const;

const CAVEATS = [
  'From the start of the process (main.ts serve) to its ready line; journal, projection and',
  'catalog are there, files in the cache of the system. After a crash: with as many commands after',
  'the snapshot as there can be. Without: the snapshots were removed. Pauses: the longest delay of',
  "the matching thread's event loop between two reads of its metrics in which a snapshot was made,",
  'under light load; quiet: the same without one. Whatever else the machine does is in all of it.',
];

interface Started {
  readonly server: ServerProcess;
  readonly readyMs: number;
  /** Of all threads by then: other processes change it less than they change the time. */
  readonly workMs: number;
}

async function start(dataDir: string, flags: readonly string[]): Promise<Started> {
  const beganMs = performance.now();
  const server = await startServer(flags, dataDir);
  const readyMs = performance.now() - beganMs;
  return { server, readyMs, workMs: server.processorSeconds() * 1_000 };
}

/** What a metric without labels, or with these, shows now; undefined for one that is not shown. */
async function metricsOf(server: ServerProcess): Promise<(name: string) => number | undefined> {
  const token = readFileSync(join(server.dataDir, 'admin.token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${server.adminPort}/metrics`, { headers });
  const lines = (await response.text()).split('\n');
  return (name) => {
    const line = lines.find((one) => one.startsWith(`outcome_exchange_${name} `));
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1));
  };
}

async function untilMetric(
  server: ServerProcess,
  name: string,
  isReached: (value: number | undefined) => boolean,
): Promise<void> {
  while (!isReached((await metricsOf(server))(name))) await sleep(500);
}

interface Times {
  readonly readyMs: number[];
  readonly workMs: number[];
}

/** Starts so many times, each ended as a crash: what is there stays as it was. */
async function readyTimes(dataDir: string, rounds: number): Promise<Times> {
  const times: Times = { readyMs: [], workMs: [] };
  for (let round = 0; round < rounds; round += 1) {
    const { server, readyMs, workMs } = await start(dataDir, ONLY_AT_STOPS);
    times.readyMs.push(readyMs);
    times.workMs.push(workMs);
    await server.kill();
  }
  return times;
}

/** Starts it and stops it in order; how long that took, with its last snapshot. */
async function stopOnce(dataDir: string): Promise<number> {
  const { server } = await start(dataDir, ONLY_AT_STOPS);
  // A stop before that would wait for it.
  await untilMetric(server, 'audit_lag_commands', (lag) => lag === 0);
  const beganMs = performance.now();
  await server.stop();
  return performance.now() - beganMs;
}

interface Pauses {
  readonly withSnapshotMs: number[];
  readonly quietMs: number[];
  readonly snapshotMs: number[];
}

/** Places an order now and then for as long as it is not told to end. */
async function loadLightly(server: ServerProcess, end: AbortSignal): Promise<void> {
  const requests = await OrderRequests.of(server);
  while (!end.aborted) {
    const [request] = requests.make(1);
    const { method = 'POST', path = '/order', headers, body } = request!;
    const sent = { method, body: String(body), headers: headers as Record<string, string> }; // ours
    const response = await fetch(`${server.url}${path}`, sent);
    if (!response.ok) throw new Error(`an order is answered ${response.status}`);
    await response.arrayBuffer();
    await sleep(1_000 / ORDERS_PER_SECOND);
  }
}

const LONGEST = 'event_loop_delay_seconds{quantile="1"}';

/** The first looks, at what is still being started, are not counted. */
async function watchPauses(dataDir: string, snapshots: number): Promise<Pauses> {
  const { server } = await start(dataDir, [...QUIET, '--snapshot-seconds', '5']);
  const pauses: Pauses = { withSnapshotMs: [], quietMs: [], snapshotMs: [] };
  const ending = new AbortController();
  const loaded = loadLightly(server, ending.signal);
  try {
    await untilMetric(server, 'snapshot_seq', (seq) => seq !== undefined);
    let lastSeq = (await metricsOf(server))('snapshot_seq');
    while (pauses.withSnapshotMs.length < snapshots) {
      await sleep(2_000);
      const metric = await metricsOf(server);
      const [seq, longest = 0] = [metric('snapshot_seq'), metric(LONGEST)];
      (seq === lastSeq ? pauses.quietMs : pauses.withSnapshotMs).push(longest * 1_000);
      if (seq !== lastSeq)
        pauses.snapshotMs.push((metric('snapshot_duration_seconds') ?? 0) * 1_000);
      lastSeq = seq;
    }
  } finally {
    ending.abort();
    await loaded;
    await server.kill();
  }
  return pauses;
}

interface Figures {
  readonly folder: RestartFolderOutput;
  readonly afterStop: Times;
  readonly afterCrash: Times;
  readonly without: Times | undefined;
  readonly stopMs: number;
  readonly pauses: Pauses;
}

async function measure(dataDir: string, plan: Plan): Promise<Figures> {
  printProgress('restart: a journal is being made, and its projection');
  const input: RestartFolderInput = { dataDir, ...plan.folder };
  const folder = await runChild<RestartFolderInput, RestartFolderOutput>(FOLDER, input);
  printProgress('restart: starts after a crash');
  const afterCrash = await readyTimes(dataDir, plan.rounds);
  printProgress('restart: a stop, and starts after it');
  const stopMs = await stopOnce(dataDir);
  const afterStop = await readyTimes(dataDir, plan.rounds);
  printProgress('restart: pauses while snapshots are made');
  const pauses = await watchPauses(dataDir, plan.snapshotsWatched);
  const figures = { folder, afterStop, afterCrash, stopMs, pauses };
  if (!plan.withoutSnapshots) return { ...figures, without: undefined };
  printProgress('restart: a start without snapshots');
  rmSync(join(dataDir, 'snapshots'), { recursive: true });
  return { ...figures, without: await readyTimes(dataDir, 1) };
}

function verdict(value: number, budget: number): string {
  return `< ${whole(budget)} ms ${value < budget ? 'met' : 'not met'}`;
}

function print({ folder, pauses, ...figures }: Figures): void {
  const ready = (name: string, times: Times, budgetMs?: number): string[] => {
    const { median } = spreadOf(times.readyMs);
    const work = whole(spreadOf(times.workMs).median);
    const budget = budgetMs === undefined ? '' : verdict(median, budgetMs);
    return [name, speedText(spreadOf(times.readyMs)), work, budget];
  };
  const { afterStop, afterCrash, without, stopMs } = figures;
  const pauseMs = Math.max(...pauses.withSnapshotMs);
  const orders = `${whole(FOLDER_PLAN.restingOrders)} resting orders`;
  const commands = `${whole(folder.commands)} commands`;
  printLine(`starts with ${orders}, ${commands}, ready after ms (${machine()})`);
  printLine();
  printTable([
    ['what', 'ms', 'processor ms', 'budget'],
    ready('after a stop', afterStop, READY_BUDGET_MS),
    ready('after a crash', afterCrash, READY_BUDGET_MS),
    ...(without === undefined ? [] : [ready('without snapshots', without)]),
    ['stop, with a snapshot', whole(stopMs), '', ''],
    ['a snapshot', whole(spreadOf(pauses.snapshotMs).median), '', ''],
    ['longest pause meanwhile', fixed(pauseMs, 1), '', verdict(pauseMs, PAUSE_BUDGET_MS)],
    ['longest pause, quiet', fixed(Math.max(0, ...pauses.quietMs), 1), '', ''],
  ]);
  printLine();
  printLine(`  A snapshot has ${whole(folder.snapshotBytes / 1e6)} MB.`);
  for (const line of CAVEATS) printLine(`  ${line}`);
}

function summaryOf({ afterStop, afterCrash, pauses }: Figures): SummaryRow[] {
  const orders = `${whole(FOLDER_PLAN.restingOrders)} resting`;
  const ready = (when: string, spread: Spread): SummaryRow =>
    summaryRow({
      what: `ready ${when}, ${orders}`,
      ours: `${speedText(spread)} ms`,
      budget: `under ${READY_BUDGET_MS / 1_000} s`,
      value: spread.median / 1_000,
    });
  const pause = (when: string, pausesMs: readonly number[]): SummaryRow => {
    // Of none that was looked at there is nothing to say.
    const longestMs = pausesMs.length === 0 ? Number.NaN : Math.max(...pausesMs);
    return summaryRow({
      what: `longest pause ${when}, ${orders}`,
      ours: `${fixed(longestMs, 1)} ms`,
      budget: `under ${PAUSE_BUDGET_MS} ms`,
      value: longestMs,
    });
  };
  return [
    ready('after a stop', spreadOf(afterStop.readyMs)),
    ready('after a crash', spreadOf(afterCrash.readyMs)),
    pause('under light load', pauses.quietMs),
    pause('while snapshots are made', pauses.withSnapshotMs),
  ];
}

/** Its folder takes 2 GB for as long as it runs. */
export async function benchRestart(options: readonly string[]): Promise<readonly SummaryRow[]> {
  const plan = readOptions(options, RESTART_OPTIONS).short === 1 ? SHORT_PLAN : PLAN;
  const dataDir = makeDataDir();
  try {
    const figures = await measure(dataDir, plan);
    print(figures);
    recordResult('restart', { plan, ...figures });
    return summaryOf(figures);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
