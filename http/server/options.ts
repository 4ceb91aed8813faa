/** What a listener is made with, and what it gets when the exchange runs. */
import type {
  Admission,
  Authentication,
  Interceptor,
  LoadGate,
  RequestObserver,
  RouteDefinition,
  StateGate,
  Tracer,
} from '../api/index.ts';
import type { Dialect } from '../codec/index.ts';
import type { Logger } from '../runtime/log.ts';
import type { SocketHost, TlsFiles } from '../socket/socket-library.ts';

/** What a listener gets once the exchange runs. */
export interface ServerParts<Services> {
  /** All services that its routes may name. */
  readonly services: Services;
  readonly authentication: Authentication;
  readonly clock: ServerClock;
  /** Comes before all handlers; absent for a listener that calls them directly. */
  readonly interceptor?: Interceptor;
  /** Refuses what a node of a cluster can't answer; absent outside a cluster. */
  readonly state?: StateGate;
}

/** The time of requests, in milliseconds since the epoch. */
export interface ServerClock {
  shownMs(): number;
  /** How far the sandbox moved it from the wall clock; 0 for not at all. */
  readonly offsetMs: number;
}

export interface ServerOptions<Services extends object = object> {
  readonly routes: readonly RouteDefinition<keyof Services & string>[];
  /** Whether pages of any origin may call it (wire 0.8); if not, those of other origins may not. */
  readonly cors: boolean;
  readonly log: Logger;
  /** The dialect of requests without auth headers (wire 0.14). */
  readonly dialect?: Dialect;
  /** Whether routes of the sandbox are served; absent for not. */
  readonly hasSandbox?: boolean;
  /** Rate limits; absent for none. */
  readonly admission?: Admission;
  /** Overload protection; without it requests are refused only when a queue is full. */
  readonly loadGate?: LoadGate;
  readonly observer?: RequestObserver;
  /** Absent while requests are not traced. */
  readonly tracer?: Tracer | undefined;
  readonly sockets?: SocketHost;
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  readonly tls?: TlsFiles;
  /** Connections that may be open at once; the next one is closed when it opens. */
  readonly connections?: number;
  /** For tests, in place of `HTTP_BOUNDS.pendingRequests`. */
  readonly pendingLimit?: number;
  /** For tests, in place of `HTTP_BOUNDS.partialBodyBytes`. */
  readonly partialBodyBytes?: number;
  /** For tests, in place of `HTTP_BOUNDS.unreadBytes`. */
  readonly unreadBytes?: number;
}
