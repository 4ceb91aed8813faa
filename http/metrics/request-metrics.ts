/**
 * Counts and times requests by route. Durations are in microseconds.
 *
 * Invariant: every number starts at 0 with the process and only grows. Bound: one entry for each
 * method and path and one for all requests without a route; a client's text, such as a path, never
 * makes an entry.
 */
import type { RequestObserver, RouteDefinition } from '../api/index.ts';
import { Counts, Histogram, STAGE_RANGE } from '../codec/index.ts';
import { RouteMetrics } from './route-metrics.ts';

const MICROS_PER_MS = 1_000;

export class RequestMetrics implements RequestObserver {
  /** From the arrival of the head to the handler: body, credentials and validation. */
  readonly receive = new Histogram(STAGE_RANGE);
  /** Writing an answer to the socket. */
  readonly write = new Histogram(STAGE_RANGE);
  /** Requests that exceeded a rate limit, by the row of that limit. */
  readonly limits = new Counts();
  /** Requests refused because of overload, by what was full. */
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
