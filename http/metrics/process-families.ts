/**
 * How late the event loop of the matching thread runs.
 *
 * Invariant: a process has one monitor, even if it runs two exchanges. Each scrape starts a new
 * measurement, so a pause shows in one scrape only.
 */

import { totalmem } from 'node:os';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Metric } from 'prom-client';
import { gauge, gauges, type Sample } from './family.ts';

/**
 * How much memory the process may use. `prom-client` shows how much it uses:
 * `process_resident_memory_bytes`, and for the matching thread `nodejs_heap_size_used_bytes`.
 */
export function memoryFamilies(): readonly Metric[] {
  return [
    gauge(
      'memory_limit_bytes',
      'Memory of the machine, or of the control group if that has less',
      memoryLimit,
    ),
    gauge(
      'heap_limit_bytes',
      'The largest heap of the matching thread; the process ends when it is full',
      () => getHeapStatistics().heap_size_limit,
    ),
  ];
}

/** Node reports no limit of a control group as 0, or as a number above any machine's memory. */
function memoryLimit(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

const RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;
const NANOS_PER_SECOND = 1e9;
const QUANTILES = [0.5, 0.99, 1] as const;

let monitor: IntervalHistogram | undefined;

/** Starts the monitor with the first call. */
export function eventLoopFamily(): Metric {
  monitor ??= monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const delays = monitor;
  delays.enable();
  return gauges(
    [
      'event_loop_delay_seconds',
      'Delay of the event loop of the matching thread since the last scrape',
      ['quantile'],
    ],
    () => {
      const samples = QUANTILES.map((quantile): Sample => {
        // The monitor records the time between two runs of a timer.
        const lateNanos = delays.percentile(quantile * 100) - RESOLUTION_MS * NANOS_PER_MS;
        return [String(quantile), Math.max(lateNanos, 0) / NANOS_PER_SECOND];
      });
      delays.reset();
      return samples;
    },
  );
}
