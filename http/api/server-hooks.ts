/**
 * What a listener tells and asks others about each request: whether it may go on (rate limits,
 * overload) and what became of it (metrics). The server knows nobody's business.
 */

import type { Asking } from '../admission/index.ts';
import type { RouteDefinition, Surface } from './route.ts';

/** A request as it is counted. */
export interface Counted {
  /** undefined where none was found. */
  readonly route: RouteDefinition | undefined;
  /** As the client asked for it. */
  readonly path: string;
  readonly surface: Surface;
  /** Without its question mark, not decoded. */
  readonly query: string;
  /** The client's address as text; behind a trusted proxy the one that it names. */
  readonly address: string;
  /** A proved API key; '' on public routes and for wallets. */
  readonly apiKey: string;
  /** Who proved to be asking; '' on public routes. */
  readonly owner: string;
  /** How many requests it counts as where batches count each of their items. */
  readonly weight: number;
}

/** Names and values of headers that tell a client where it stands. */
export type LimitHeaders = readonly (readonly [name: string, value: string])[];

export interface Admission {
  /**
   * Counts a request and gives the headers its answer carries. Throws the `ApiError`
   * `too_many_requests`, whose details name the row of the table, and then counts nothing.
   */
  admit(counted: Counted): LimitHeaders;
  /** Throws as `admit` does; counts nothing in any case. */
  check(counted: Counted): void;
  /** Before credentials are checked: throws for an address that has failed too often. */
  admitAttempt(address: string): void;
  /** Credentials of a request from this address were wrong. */
  countFailure(address: string): void;
}

export interface LoadGate {
  /**
   * Whether one more of the requests that give way can be answered in time, of whoever asks, as
   * its headers claim, and again when its body is there. Throws `overloaded` if not.
   * Asked before anything is spent on the request, so it must be quick.
   */
  admit(asking: Asking): void;
}

export interface RequestObserver {
  /** A handler is about to be called: the body is there, the caller and the input are checked. */
  received(durationMs: number): void;
  /**
   * A request was answered, `durationMs` after it arrived; writing the answer took `writeMs` of
   * that. `route` is undefined where none was found. (Four values instead of a record, because it
   * is called for every request.)
   */
  answered(
    route: RouteDefinition | undefined,
    status: number,
    durationMs: number,
    writeMs: number,
  ): void;
  /** A request was over a rate limit, by the row of its table; `answered` follows. */
  limited(row: string): void;
  /** A request found something full, by the `field` of its error; `answered` follows. */
  overloaded(field: string): void;
  /** A client went away before it had all of its answer, which may be `answered` already. */
  aborted(): void;
}
