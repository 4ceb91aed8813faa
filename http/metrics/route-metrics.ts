/**
 * Counts of one route's answers by status, and their durations by class of status.
 *
 * Bound: one count for each status, one histogram for each class.
 */
import { Histogram } from '../codec/index.ts';

/** 16 us to 8 s, in microseconds. */
const RANGE = { fromBits: 4, toBits: 23 };
const STATUSES_PER_CLASS = 100;

/** The count of one status, and the durations of all statuses of its class. */
interface StatusMetrics {
  count: number;
  readonly durations: Histogram;
}

export class RouteMetrics {
  readonly #byStatus = new Map<number, StatusMetrics>();
  readonly #byClass = new Map<string, Histogram>();

  answered(status: number, durationMicros: number): void {
    const metrics = this.#byStatus.get(status) ?? this.#first(status);
    metrics.count += 1;
    metrics.durations.observe(durationMicros);
  }

  /** All answers. */
  get total(): number {
    let total = 0;
    for (const { count } of this.#byStatus.values()) total += count;
    return total;
  }

  *counts(): Iterable<readonly [status: string, count: number]> {
    for (const [status, { count }] of this.#byStatus) yield [String(status), count];
  }

  /** By class of status, such as `2xx`, in microseconds. */
  durations(): Iterable<readonly [statusClass: string, durations: Histogram]> {
    return this.#byClass;
  }

  #first(status: number): StatusMetrics {
    const statusClass = `${Math.floor(status / STATUSES_PER_CLASS)}xx`;
    const durations = this.#byClass.get(statusClass) ?? new Histogram(RANGE);
    this.#byClass.set(statusClass, durations);
    const metrics = { count: 0, durations };
    this.#byStatus.set(status, metrics);
    return metrics;
  }
}
