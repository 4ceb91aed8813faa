/**
 * How much memory the process may use. `prom-client` shows how much it uses:
 * `process_resident_memory_bytes`, and for the matching thread `nodejs_heap_size_used_bytes`.
 */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Metric } from 'prom-client';
import { gauge } from './family.ts';

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
