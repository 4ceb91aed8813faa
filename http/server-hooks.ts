/**
 * What a listener tells and asks others about each request: whether it may go on (rate limits) and
 * what became of it (metrics). The server knows neither's business.
 */
import type { RouteDefinition } from './route.ts';

/** Who a request is counted against: an API key once it is proved, else the client's address. */
export interface Counted {
  readonly route: RouteDefinition;
  /** The client's address as text; behind a trusted proxy the one that it names. */
  readonly address: string;
  /** A proved API key; '' on public routes and before the proof. */
  readonly apiKey: string;
  /** How many requests it counts as: a batch counts each of its orders. */
  readonly weight: number;
}

/** Names and values of headers that tell a client where it stands. */
export type LimitHeaders = readonly (readonly [name: string, value: string])[];

export interface Admission {
  /**
   * Counts a request and gives the headers its answer carries. Throws the `ApiError`
   * `too_many_requests`, and then counts nothing.
   */
  admit(counted: Counted): LimitHeaders;
  /** Before credentials are checked: throws for an address that has failed too often. */
  admitAttempt(address: string): void;
  /** Credentials of a request from this address were wrong. */
  countFailure(address: string): void;
}

export interface RequestObserver {
  /** A handler is about to be called: the body is there, the caller and the input are checked. */
  received(durationMs: number): void;
  /** A request was answered. `route` is undefined where none was found. */
  answered(route: RouteDefinition | undefined, status: number, durationMs: number): void;
  /** A client went away before its answer. */
  aborted(): void;
}
