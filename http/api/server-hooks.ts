/**
 * The interfaces through which a listener uses authentication, rate limits, overload protection,
 * interceptors and metrics, so that the server depends on none of them.
 */
import type { HeaderList } from '../codec/index.ts';
import type { Operator } from '../operators/operator-gate.ts';
import type { AuthHeaders } from './header-names.ts';
import type { Auth, Caller, SignedRequest, Surface } from './request.ts';
import type { RouteDefinition, RouteInput } from './route.ts';

/** A request as the rate limits count it. */
export interface Counted {
  /** undefined if no route was found. */
  readonly route: RouteDefinition | undefined;
  /** The path of the request. */
  readonly path: string;
  readonly surface: Surface;
  /** The raw query, without its question mark. */
  readonly query: string;
  /** The client's address; behind a trusted proxy, the address that the proxy names. */
  readonly address: string;
  /** A proved API key; '' on public routes and for wallets. */
  readonly apiKey: string;
  /** The proved owner; '' on public routes. */
  readonly owner: string;
  /** The number of items in the request, for limits that count items. */
  readonly weight: number;
}

/** Who sends a request: proved, or as its headers claim. */
export interface Sender {
  /** The client's network address; '' where nothing needs it. */
  readonly address: string;
  /** '' if the request names no known owner. */
  readonly owner: string;
}

export interface Authentication {
  /**
   * The proved caller; undefined on public routes, and on `may_l2` and `may_builder` routes without
   * these headers. Throws an `ApiError` that says what is wrong with them.
   */
  callerOf(
    route: Pick<RouteDefinition, 'auth' | 'role'>,
    headers: AuthHeaders,
    request: SignedRequest,
  ): Caller | Operator | undefined;
  /** The owner that the headers claim, before anything is proved; '' for no known owner. */
  claimedOwner(auth: Auth, headers: AuthHeaders): string;
}

export interface Admission {
  /**
   * Counts a request and returns headers for its answer. Throws the `ApiError` `too_many_requests`,
   * whose details name the row of the table; a refused request is not counted.
   */
  admit(counted: Counted): HeaderList;
  /** Throws like `admit`, but never counts. */
  check(counted: Counted): void;
  /** Called before credentials are checked. Throws if the address has failed too often. */
  admitAttempt(address: string): void;
  /** Counts wrong credentials from this address. */
  countFailure(address: string): void;
}

export interface LoadGate {
  /**
   * Throws `overloaded` if one more request that gives way can't be answered in time. Called before
   * anything is spent on a request, so it must be quick, and again when the body has arrived.
   */
  admit(sender: Sender): void;
}

/** A request whose handler would be called next. */
export interface InterceptedRequest {
  readonly route: RouteDefinition;
  readonly input: RouteInput<object, unknown, unknown, unknown, Caller | Operator | undefined>;
  readonly method: string;
  /** Without the prefix of a surface. */
  readonly path: string;
  /** Its answer, to which headers may be added. */
  readonly answer: { further: HeaderList };
}

/** Comes between the server and the handlers of its routes. */
export interface Interceptor {
  /** Whether it wants requests now: all that a request costs while it wants none. */
  readonly isActive: boolean;
  /**
   * Calls the handler, or not, and returns the result. Throws or rejects with an `ApiError`, or
   * with `ConnectionLost`.
   */
  handle(request: InterceptedRequest): unknown;
}

/** Refuses what a node of a cluster can't answer: never, or not while it has no core. */
export interface StateGate {
  /** Whether what the node shows is current. */
  readonly isCurrent: boolean;
  /** Throws the `ApiError` of a request that can't be answered. Called before it is checked. */
  check(route: RouteDefinition): void;
}

/** The failure of a request whose connection is closed without an answer. */
export class ConnectionLost extends Error {}

export interface RequestObserver {
  /** The body has arrived and the caller and input are checked: the handler is called next. */
  received(durationMs: number): void;
  /**
   * A request was answered, `durationMs` after it arrived; writing the answer took `writeMs` of
   * that. `route` is undefined if none was found. (Four arguments and no record, because it is
   * called for every request.)
   */
  answered(
    route: RouteDefinition | undefined,
    status: number,
    durationMs: number,
    writeMs: number,
  ): void;
  /** A request failed with an error of this code; `answered` follows. */
  refused(code: string): void;
  /** A request was over the rate limit of this row of the table; `answered` follows. */
  limited(row: string): void;
  /** A request was refused as `overloaded`, with this `field`; `answered` follows. */
  overloaded(field: string): void;
  /** A client left before it had its whole answer, which may be `answered` already. */
  aborted(): void;
}
