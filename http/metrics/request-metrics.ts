/**
 * Counts and times requests by route. Durations are in microseconds.
 *
 * Invariant: every number starts at 0 with the process and only grows. Bound: one entry for each
 * method and path and one for all requests without a route; a client's text, such as a path, never
 * makes an entry.
 */
import type { RequestObserver, RouteDefinition } from '../api/index.ts';
import { Counts, Histogram, STAGE_RANGE } from '../codec/index.ts';

const MICROS_PER_MS = 1_000;

export class RequestMetrics implements RequestObserver {
  /** From the arrival of the head to the handler: body, credentials and validation. */
  readonly receive = new Histogram(STAGE_RANGE);
  readonly write = new Histogram(STAGE_RANGE);
  /** Requests that exceeded a rate limit, by the row of that limit. */
  readonly limits = new Counts();
  readonly overloads = new Counts();
  /** Requests that were answered with an error, by its code. */
  readonly refusals = new Counts();
  readonly #routes = new Map<RouteDefinition | undefined, RouteMetrics>();
  /** By method and path: both listeners have routes of the same name, such as /openapi.json. */
  readonly #named = new Map<string, readonly [RouteDefinition | undefined, RouteMetrics]>();
  #aborted = 0;

  received(durationMs: number): void {
    this.receive.observe(durationMs * MICROS_PER_MS);
  }

  answered(
    route: RouteDefinition | undefined,
    status: number,
    durationMs: number,
    writeMs: number,
  ): void {
    this.write.observe(writeMs * MICROS_PER_MS);
    const metrics = this.#routes.get(route) ?? this.#first(route);
    metrics.answered(status, durationMs * MICROS_PER_MS);
  }

  refused(code: string): void {
    this.refusals.add(code);
  }

  limited(row: string): void {
    this.limits.add(row);
  }

  overloaded(field: string): void {
    this.overloads.add(field);
  }

  aborted(): void {
    this.#aborted += 1;
  }

  get abortedCount(): number {
    return this.#aborted;
  }

  /** The number of answers of these routes. */
  answersOf(routes: Iterable<RouteDefinition>): number {
    let total = 0;
    for (const route of routes) total += this.#routes.get(route)?.total ?? 0;
    return total;
  }

  /** Metrics of each route that was called; undefined stands for requests without a route. */
  routes(): Iterable<readonly [RouteDefinition | undefined, RouteMetrics]> {
    return this.#named.values();
  }

  #first(route: RouteDefinition | undefined): RouteMetrics {
    const name = route === undefined ? '' : `${route.method} ${route.path}`;
    const entry = this.#named.get(name) ?? [route, new RouteMetrics()];
    this.#named.set(name, entry);
    const [, metrics] = entry;
    this.#routes.set(route, metrics);
    return metrics;
  }
}

// Counts of one route's answers by status, and their durations by class of status.
//
// Bound: one count for each status, one histogram for each class.

/** 16 us to 8 s, in microseconds. */
const RANGE = { fromBits: 4, toBits: 23 };
const STATUSES_PER_CLASS = 100;

/** The count of one status, and the durations of all statuses of its class. */
interface StatusMetrics {
  count: number;
  readonly durations: Histogram;
}

class RouteMetrics {
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
