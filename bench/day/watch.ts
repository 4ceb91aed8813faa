/**
 * What the program says of itself during a trading day, in looks of LOOK_MS: memory, delays of the
 * event loop, lags, sizes of files. The event loop's delays are of the time between two looks, so
 * the worst of a minute is the worst of its looks.
 *
 * Invariant: a look that takes longer than LOOK_MS delays the next one and is not repeated.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../harness/server-process.ts';
import type { Operator } from './venue.ts';

const LOOK_MS = 5_000;
const MEGABYTE = 1024 * 1024;

export interface Look {
  /** After minute 0 began. */
  readonly atMs: number;
  readonly residentMb: number;
  /** Of it what is no file's: heaps, buffers, stacks. NaN where the system does not say. */
  readonly anonymousMb: number;
  /** The matching thread's heap, and what lies outside of it. */
  readonly heapMb: number;
  readonly externalMb: number;
  readonly loopP99Ms: number;
  readonly loopLongestMs: number;
  readonly lagCommands: number;
  readonly lagMs: number;
  readonly auditLagCommands: number;
  readonly liveOrders: number;
  readonly waitingOrders: number;
  readonly streamKeptMb: number;
  readonly streamWaitingMb: number;
  /** With their write-ahead logs. */
  readonly journalMb: number;
  readonly analyticsMb: number;
  readonly processorSeconds: number;
}

/** A reading of /metrics: the value of a line by its name with labels; 0 for a missing one. */
async function readMetrics(operator: Operator): Promise<(name: string) => number> {
  const text = await (await operator.read('/metrics')).text();
  const lines = new Map<string, number>();
  for (const line of text.split('\n')) {
    const blank = line.lastIndexOf(' ');
    lines.set(line.slice(0, blank), Number(line.slice(blank + 1)));
  }
  return (name) => lines.get(name) ?? lines.get(`outcome_exchange_${name}`) ?? 0;
}

function fileMb(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => {
    return sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE;
  }, 0);
}

function anonymousMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Anonymous: +(\d+) kB/m.exec(rollup)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

async function look(server: ServerProcess, operator: Operator, zeroMs: number): Promise<Look> {
  const metric = await readMetrics(operator);
  const delay = (quantile: string): number =>
    metric(`event_loop_delay_seconds{quantile="${quantile}"}`) * 1_000;
  return {
    atMs: Date.now() - zeroMs,
    residentMb: metric('process_resident_memory_bytes') / MEGABYTE,
    anonymousMb: anonymousMb(server.pid),
    heapMb: metric('nodejs_heap_size_used_bytes') / MEGABYTE,
    externalMb: metric('nodejs_external_memory_bytes') / MEGABYTE,
    loopP99Ms: delay('0.99'),
    loopLongestMs: delay('1'),
    lagCommands: metric('projection_lag_commands'),
    lagMs: metric('projection_lag_seconds') * 1_000,
    auditLagCommands: metric('audit_lag_commands'),
    liveOrders: metric('live_orders'),
    waitingOrders: metric('waiting_orders'),
    streamKeptMb: metric('stream_kept_bytes') / MEGABYTE,
    streamWaitingMb: metric('stream_waiting_bytes') / MEGABYTE,
    journalMb: fileMb(join(server.dataDir, 'journal.db')),
    analyticsMb: fileMb(join(server.dataDir, 'analytics.db')),
    processorSeconds: server.processorSeconds(),
  };
}

/** Looks until it is told to stop; then gives all looks. */
export function watchServer(server: ServerProcess, operator: Operator, zeroMs: number) {
  const looks: Look[] = [];
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const beganMs = performance.now();
      looks.push(await look(server, operator, zeroMs));
      await sleep(Math.max(0, LOOK_MS - (performance.now() - beganMs)));
    }
  };
  const watching = watch();
  // Told to whoever stops it; until then it must not end the process.
  watching.catch(() => {});
  return async (): Promise<readonly Look[]> => {
    isOver = true;
    await watching;
    return looks;
  };
}

/** Waits until reads and audits show everything. */
export async function untilCaughtUp(operator: Operator): Promise<void> {
  for (;;) {
    const metric = await readMetrics(operator);
    if (metric('projection_lag_commands') === 0) return;
    await sleep(100);
  }
}
