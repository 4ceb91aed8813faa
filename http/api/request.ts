/** What a handler may know of a request besides its checked input. */
import type { KeyPurpose } from '../../engine/index.ts';
import type { Dialect } from '../codec/index.ts';
import type { Operator } from '../operators/operator-gate.ts';
import type { RequestTrace } from './request-trace.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * How the caller of a route proves its identity:
 * - `none`: not at all, the route is public;
 * - `l1`: by a wallet's signature (wire 2.2);
 * - `l2`: by an API key and an HMAC (wire 2.4); a read-only key may only GET;
 * - `may_l2`: as `l2` if it sends any of these headers, or else not at all;
 * - `l2_of_builder`: as `l2`; builder headers may also prove which builder sent the orders (wire
 *   2.6);
 * - `builder`: by builder headers, or else as `l2` (wire 2.6);
 * - `may_builder`: by builder headers, or else not at all;
 * - `operator`: by the bearer token of the operator's listener.
 */
export type Auth =
  | 'none'
  | 'l1'
  | 'l2'
  | 'may_l2'
  | 'l2_of_builder'
  | 'builder'
  | 'may_builder'
  | 'operator';

/** The surface whose path prefix a request came with (wire 0.3); '' for none. */
export type Surface = '' | 'clob' | 'gamma' | 'data' | 'data-api';

/** Who sent a request, proved before the handler runs. Addresses are lower case. */
export interface Caller {
  readonly owner: string;
  /** The key of an `l2` or builder request; '' for `l1`. */
  readonly apiKey: string;
  /** What the key may do: trade, read, or attribute orders to a builder; `trading` for `l1`. */
  readonly purpose: KeyPurpose;
  /** The nonce of an `l1` request; '' for `l2`. */
  readonly nonce: string;
  /** The HMAC that proved an `l2` or builder request; empty for `l1`. */
  readonly hmac: Uint8Array;
  /** The owner of the builder key of an `l2_of_builder` request; absent without builder headers. */
  readonly builder?: string;
  /** The client's address; absent where neither rate limits nor overload need it. */
  readonly address?: string;
  /** The trace of the request; absent unless it is sampled. */
  readonly trace?: RequestTrace | undefined;
}

/** The caller that a route with this authentication gets. */
export type CallerOf<A extends Auth> = A extends 'none'
  ? undefined
  : A extends 'operator'
    ? Operator
    : A extends 'may_l2' | 'may_builder'
      ? Caller | undefined
      : Caller;

export interface RequestInfo {
  readonly requestId: string;
  /** The server's clock when the request arrived. */
  readonly nowMs: number;
  /** The wall clock then; the same unless the sandbox moved the server's. */
  readonly wallMs: number;
  /** That of its auth headers, else that of the setting (wire 0.14). */
  readonly dialect: Dialect;
  /** '' on public routes, whose answers are the same for all clients. */
  readonly userAgent: string;
  /** See `Site`; '' on routes without `readsHost` and `showsPictures`. */
  readonly host: string;
  /** See `Site`; '' on routes without `showsPictures`. */
  readonly pictureBase: string;
  /** Those that the route names in `readsHeaders`; '' where the request has none. */
  readonly headers: Readonly<Record<string, string>>;
  readonly surface: Surface;
  /** Whether the exchange is stopping; only routes with `whenStarting` are called then. */
  readonly isStopping: boolean;
}

/** The request that auth headers came with, as its sender signed it. */
export interface SignedRequest {
  readonly method: string;
  /** The path without its query, the likeliest first: without and with a surface's prefix. */
  readonly paths: readonly string[];
  readonly body: Uint8Array;
  /** The server's clock, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** The wall clock; the same unless the sandbox moved the server's. */
  readonly wallMs: number;
}
