/**
 * Reads the program's metrics every LOOK_MS during a trading day: memory, delays of the event loop,
 * lags. A delay covers the time since the last read, so the highest one read in a minute is the
 * highest of the minute.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../harness/exchange.ts';

const LOOK_MS = 5_000;
const MEGABYTE = 1024 * 1024;

/** Columns of the table: the sample of /metrics, and its unit here. */
const SAMPLES = {
  'resident MB': ['process_resident_memory_bytes', 1 / MEGABYTE],
  'heap MB': ['nodejs_heap_size_used_bytes', 1 / MEGABYTE],
  'streams keep': ['stream_kept_bytes', 1 / MEGABYTE],
  'live orders': ['live_orders', 1],
  'loop p99 ms': ['event_loop_delay_seconds{quantile="0.99"}', 1_000],
  'longest ms': ['event_loop_delay_seconds{quantile="1"}', 1_000],
  'reads lag': ['projection_lag_commands', 1],
  'lag ms': ['projection_lag_seconds', 1_000],
  'audit lag': ['audit_lag_commands', 1],
} as const;
export const STATES = Object.keys(SAMPLES);

/** The figures of STATES, in their order. */
export type Look = readonly number[];

/** Reads until the returned function is called, which gives each figure's maximum by minute. */
export function watch(exchange: Exchange, zeroMs: number): () => Promise<readonly Look[]> {
  const minutes: Look[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const beganMs = Date.now();
      const metrics = await exchange.metrics();
      const minute = Math.floor((beganMs - zeroMs) / 60_000);
      if (minute >= 0) {
        minutes[minute] = Object.values(SAMPLES).map(([name, factor], at) =>
          Math.max(minutes[minute]?.[at] ?? 0, (metrics.get(name) ?? 0) * factor),
        );
      }
      await sleep(Math.max(0, LOOK_MS - (Date.now() - beganMs)));
    }
  };
  const running = run();
  // The returned function rejects; until then a failed read must not end the process.
  running.catch(() => {});
  return async () => {
    isOver = true;
    await running;
    return minutes;
  };
}
