/**
 * How late the event loop of the matching thread is. Invariant: one monitor a process, whatever
 * runs in it. Each reading begins anew, so that a pause shows once.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type Family, labelled } from './family.ts';

const RESOLUTION_MS = 10;
const NANOS_PER_MS = 1e6;
const NANOS_PER_SECOND = 1e9;
const QUANTILES = [0.5, 0.99, 1] as const;

let monitor: IntervalHistogram | undefined;

/** It is watched from the first call on. */
export function eventLoopFamily(): Family {
  const watched = monitor ?? monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor = watched;
  watched.enable();
  return labelled(
    'gauge',
    'event_loop_delay_seconds',
    'How late the event loop of the matching thread was since the metrics were last read',
    () => {
      const delays = QUANTILES.map((quantile) => {
        // What is recorded is the time between two runs of a timer.
        const lateNanos = watched.percentile(quantile * 100) - RESOLUTION_MS * NANOS_PER_MS;
        const labels = { quantile: String(quantile) };
        return [labels, Math.max(lateNanos, 0) / NANOS_PER_SECOND] as const;
      });
      watched.reset();
      return delays;
    },
  );
}
