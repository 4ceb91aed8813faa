/**
 * The program during a trading day, by its metrics, its files and /proc, in looks of LOOK_MS:
 * memory, delays of the event loop, lags, sizes of files. The delays of the event loop are of the
 * time between two looks, so the worst look of a minute is the worst of the minute.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../harness/exchange.ts';
import { sumOf } from '../harness/statistics.ts';

const LOOK_MS = 5_000;
const MINUTE_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** The first minutes do not count, because caches fill and code is compiled. */
const SETTLED_MINUTES = 2;

/** Samples of /metrics, with the factor to their unit here. */
const SAMPLES = {
  residentMb: ['process_resident_memory_bytes', 1 / MEGABYTE],
  heapMb: ['nodejs_heap_size_used_bytes', 1 / MEGABYTE],
  externalMb: ['nodejs_external_memory_bytes', 1 / MEGABYTE],
  loopP99Ms: ['event_loop_delay_seconds{quantile="0.99"}', 1_000],
  loopLongestMs: ['event_loop_delay_seconds{quantile="1"}', 1_000],
  lagCommands: ['projection_lag_commands', 1],
  lagMs: ['projection_lag_seconds', 1_000],
  auditLagCommands: ['audit_lag_commands', 1],
  liveOrders: ['live_orders', 1],
  streamKeptMb: ['stream_kept_bytes', 1 / MEGABYTE],
} as const;
type Sampled = keyof typeof SAMPLES;

export type Look = Readonly<Record<Sampled, number>> & {
  /** Time after the beginning of minute 0. */
  readonly atMs: number;
  /** Resident memory that belongs to no file; NaN where the system does not tell. */
  readonly anonymousMb: number;
  /** Sizes of databases include their write-ahead logs. */
  readonly journalMb: number;
  readonly analyticsMb: number;
  readonly processorSeconds: number;
};

function fileMb(path: string): number {
  return sumOf([path, `${path}-wal`], (file) => {
    return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE;
  });
}

function anonymousMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Anonymous: +(\d+) kB/m.exec(rollup)?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

async function look(exchange: Exchange, zeroMs: number): Promise<Look> {
  const metrics = await exchange.metrics();
  const samples = Object.entries(SAMPLES).map(([name, [metric, factor]]) => {
    return [name, (metrics.get(metric) ?? 0) * factor] as const;
  });
  return {
    // Safe: it has the keys of SAMPLES.
    ...(Object.fromEntries(samples) as Record<Sampled, number>),
    atMs: Date.now() - zeroMs,
    anonymousMb: anonymousMb(exchange.pid),
    journalMb: fileMb(join(exchange.dataDir, 'journal.db')),
    analyticsMb: fileMb(join(exchange.dataDir, 'analytics.db')),
    processorSeconds: exchange.processorSeconds(),
  };
}

/** Looks until the returned function is called, which gives all looks. */
export function watch(exchange: Exchange, zeroMs: number): () => Promise<readonly Look[]> {
  const looks: Look[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const beganMs = performance.now();
      looks.push(await look(exchange, zeroMs));
      await sleep(Math.max(0, LOOK_MS - (performance.now() - beganMs)));
    }
  };
  const running = run();
  // The returned function rejects; until then a failed look must not end the process.
  running.catch(() => {});
  return async () => {
    isOver = true;
    await running;
    return looks;
  };
}

/** What the looks of each minute amount to: of memory the last one, of all else the worst. */
export function minuteStates(looks: readonly Look[], minutes: number) {
  return Array.from({ length: minutes }, (__, minute) => {
    const within = looks.filter(({ atMs }) => Math.floor(atMs / MINUTE_MS) === minute);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined)
      throw new Error(`there is no measurement of minute ${minute}`);
    const most = (key: keyof Look): number => Math.max(...within.map((one) => one[key]));
    const { heapMb: _, processorSeconds, ...state } = last;
    return {
      ...state,
      heapLowMb: Math.min(...within.map(({ heapMb }) => heapMb)),
      heapHighMb: most('heapMb'),
      loopP99Ms: most('loopP99Ms'),
      loopLongestMs: most('loopLongestMs'),
      lagCommands: most('lagCommands'),
      lagMs: most('lagMs'),
      auditLagCommands: most('auditLagCommands'),
      /** Processor time of the program a second. */
      processors: ((processorSeconds - first.processorSeconds) * 1_000) / (last.atMs - first.atMs),
    };
  });
}

/** The growth of a figure a minute once settled, by least squares; NaN with too few looks. */
export function slopeOf(looks: readonly Look[], key: keyof Look): number {
  const settled = looks.filter(({ atMs }) => atMs >= SETTLED_MINUTES * MINUTE_MS);
  const mean = (of: (one: Look) => number): number => sumOf(settled, of) / settled.length;
  const middle = mean(({ atMs }) => atMs);
  const level = mean((one) => one[key]);
  const product = mean((one) => (one.atMs - middle) * (one[key] - level));
  return (product / mean(({ atMs }) => (atMs - middle) ** 2)) * MINUTE_MS;
}
