/**
 * Counts and times requests, by route.
 *
 * Invariant: every number only grows, from 0 at the start of the process. Bound: one entry a route
 * and one for all that found none; never one for what a client writes, such as a path.
 */
import type { RequestObserver, RouteDefinition } from '../api/index.ts';
import { Counts, Histogram, STAGE_RANGE } from '../codec/index.ts';
import { RouteMetrics } from './route-metrics.ts';

const MICROS_PER_MS = 1_000;

export class RequestMetrics implements RequestObserver {
  /** Until a handler is called, in microseconds: the body, the credentials, the checks. */
  readonly receive = new Histogram(STAGE_RANGE);
  /** Handing an answer to the socket, in microseconds. */
  readonly write = new Histogram(STAGE_RANGE);
  /** Requests over a rate limit, by its row. */
  readonly limits = new Counts();
  /** Requests that found something full, by what that was. */
  readonly overloads = new Counts();
  readonly #routes = new Map<RouteDefinition | undefined, RouteMetrics>();
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

  /** Of the routes that were called; undefined for requests that found none. */
  routes(): Iterable<readonly [RouteDefinition | undefined, RouteMetrics]> {
    return this.#routes;
  }

  #first(route: RouteDefinition | undefined): RouteMetrics {
    const metrics = new RouteMetrics();
    this.#routes.set(route, metrics);
    return metrics;
  }
}
