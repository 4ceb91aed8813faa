/**
 * What a listener tells and asks others about each request: whether it may go on (rate limits,
 * overload) and what became of it (metrics). The server knows nobody's business.
 */
import type { HeaderList } from '../codec/index.ts';
import type { AuthHeaders } from './header-names.ts';
import type { Auth, Caller, SignedRequest, Surface } from './request.ts';
import type { RouteDefinition } from './route.ts';

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

/** Who sends a request: proved, or as its headers claim. */
export interface Sender {
  /** Of the network; '' where nothing needs it. */
  readonly address: string;
  /** '' where it names no known owner. */
  readonly owner: string;
}

export interface Authentication {
  /**
   * The proved caller; undefined on public routes, and where a builder may ask and none did. Throws
   * the `ApiError` of what is wrong with the credentials.
   */
  callerOf(auth: Auth, headers: AuthHeaders, request: SignedRequest): Caller | undefined;
  /** The owner that the headers claim, before anything is proved; '' for no known owner. */
  claimedOwner(auth: Auth, headers: AuthHeaders): string;
}

export interface Admission {
  /**
   * Counts a request and gives the headers its answer carries. Throws the `ApiError`
   * `too_many_requests`, whose details name the row of the table, and then counts nothing.
   */
  admit(counted: Counted): HeaderList;
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
  admit(sender: Sender): void;
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
