/**
 * What an endpoint is: one record, written with `defineRoute` in its own file, and one row in
 * a table of routes. The record is the single source for
 *
 * - finding it: `method` and `path`;
 * - authentication: `auth`, checked before anything else of the request is looked at;
 * - validation: `params`, `query` and `body` are schemas, and the handler gets only what passed;
 * - documentation: OpenAPI shows the same schemas, `response` and `summary`;
 * - metrics and rate limits, which count by method and path.
 *
 * The handler returns what to send as JSON and throws `ApiError` for a refusal. It never sees a
 * socket, and it sees no part of the exchange except those that the route names in `needs`:
 *
 *     export const getSpread = defineRoute({
 *       method: 'GET',
 *       path: '/spread',
 *       summary: 'Spread between the best bid and the best ask of a token',
 *       auth: 'none',
 *       query: Type.Object({ token_id: TokenId }),
 *       response: Type.Object({ spread: Type.String() }),
 *       needs: ['books'],
 *       handler: ({ query, services: { books } }) => spreadOf(books, query.token_id),
 *     });
 *
 * `defineRoute` is in `http/services/`, with the services that a route can name. It lets a route
 * without path parameters, query or body leave out `params`, `query` or `body`.
 */
import { strict as assert } from 'node:assert';
import { type Static, type TSchema, Type } from 'typebox';
import type { HeaderList } from '../codec/index.ts';
import type { ApiError } from '../errors/index.ts';
import type { OperatorRole } from '../operators/operator-gate.ts';
import type { Auth, CallerOf, Method, RequestInfo } from './request.ts';

/** What a handler gets. */
export interface RouteInput<Services, Params, Query, Body, Who> {
  readonly params: Params;
  /** Coerced by the schema: integers, booleans and lists arrive as such, defaults filled in. */
  readonly query: Query;
  /** The parsed body; undefined where there was none. */
  readonly body: Body;
  /** undefined with auth `none`, and without headers with the `may_` kinds. */
  readonly caller: Who;
  readonly request: RequestInfo;
  /** The services that the route names in `needs`, and no others. */
  readonly services: Services;
}

/**
 * `Need`: the names of the services that the route needs; `Services`: a record of these services.
 * Without type arguments it is the type of any route, as in a table of routes.
 */
export interface RouteDefinition<
  Need extends string = string,
  Services extends object = object,
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  A extends Auth = Auth,
> {
  readonly method: Method;
  /** `{name}` stands for one path segment: `/data/order/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: A;
  /** Which operators may call it, with auth `operator`; absent: only admins. */
  readonly role?: OperatorRole;
  readonly params: Params;
  readonly query: Query;
  /** What the documentation shows where the handler checks the query itself. */
  readonly documentedQuery?: TSchema;
  /** `NO_BODY` where the route takes none; if it is signed, a body that is sent is refused. */
  readonly body: Body;
  /** What the documentation shows where the handler checks the body itself. */
  readonly documentedBody?: TSchema;
  readonly response: TSchema;
  /** Its schemas that other routes of an optional plot have too, by their names in the document. */
  readonly sharedSchemas?: Readonly<Record<string, TSchema>>;
  /** The status of a success, where that is not 200. A handler's `RawReply` must have the same. */
  readonly status?: number;
  /** The type of a success, where that is not JSON. A handler's `RawReply` must have the same. */
  readonly contentType?: string;
  /** The longest body, where it is not `HTTP_BOUNDS.bodyBytes`. */
  readonly bodyBytes?: number;
  /** Whether the handler needs the Host header. Absent: `request.host` is ''. */
  readonly readsHost?: true;
  /** The headers that the handler reads, in lower case: `request.headers` has no others. */
  readonly readsHeaders?: readonly string[];
  /** Whether its answer may name pictures of this exchange (site.ts). */
  readonly showsPictures?: true;
  /** How many requests a checked body counts as, where that is not one (wire 10). */
  weight?(body: unknown): number;
  /**
   * Whether the answer of a public route depends on the dialect of the request (wire 0.14): an
   * address header then chooses it. Routes with credentials always know the dialect.
   */
  readonly byDialect?: true;
  /**
   * The path of the public route that answers in its place where no auth headers came, unless the
   * request has the prefix /clob: the two are on one path (wire 0.3).
   */
  readonly publicPath?: string;
  /**
   * Whether it is refused first when the exchange can't keep up: placing orders and other costly
   * writes. Never for cancels and heartbeats, which reduce an owner's risk, and never for reads.
   */
  readonly givesWay?: true;
  /**
   * Whether it is part of the sandbox, which exists for play money only. With `ledger` funding or
   * `--strict` the server refuses it before it looks at the rest of the request.
   */
  readonly sandbox?: true;
  /** Whether its answer is sent although the services were replaced since it was called. */
  readonly outlivesServices?: true;
  /**
   * The answer while the exchange starts, when there are no services. A route that has it is always
   * answered, also while the exchange stops and when too many requests are being handled.
   */
  whenStarting?(): unknown;
  /** Keys that this route's failures carry besides `error`, `code` and details (wire 3.10). */
  readonly failureKeys?: (error: ApiError, sentence: string) => Readonly<Record<string, unknown>>;
  /** Its failures as the documentation shows them, where that is not `Failure`. */
  readonly failure?: TSchema;
  /** The services that the handler uses; absent for none. */
  readonly needs?: readonly Need[];
  /**
   * Returns a value to be sent as JSON with the route's status, or a `RawReply`. Written as a
   * method, because TypeScript then lets routes of any input into one table. The server passes only
   * input that the route's schemas accept.
   */
  handler(
    input: RouteInput<Services, Static<Params>, Static<Query>, Static<Body>, CallerOf<A>>,
  ): unknown | Promise<unknown>;
}

/** The services that a route names, and nothing else. Made once, when a listener opens. */
export function servicesFor<Services extends object>(
  { needs = [] }: RouteDefinition<keyof Services & string>,
  services: Services,
): object {
  return Object.fromEntries(
    needs.map((name) => {
      assert(name in services, `no part of the exchange makes the service ${name}`);
      return [name, services[name]];
    }),
  );
}

/** The schema of a route that takes no path parameters, or no query parameters. */
export const NO_PARAMETERS = Type.Object({});

/**
 * The schema of a query that its handler checks itself, because what is allowed depends on more
 * than the query: every parameter that came, with its texts in order.
 */
export const ANY_QUERY = Type.Record(Type.String(), Type.Array(Type.String()));

/** The schema of a route without a body: any `Type.Unknown()` is one. */
export const NO_BODY = Type.Unknown();

/** The schema of a body that its handler checks itself. */
export const ANY_BODY = Type.Any();

/** An answer that is sent unchanged, with its own status; JSON unless `contentType` differs. */
export class RawReply {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  /** Besides those that every answer has. */
  readonly headers: HeaderList;

  constructor(
    status: number,
    body: string | Uint8Array,
    contentType = 'application/json',
    headers: HeaderList = [],
  ) {
    this.status = status;
    this.body = body;
    this.contentType = contentType;
    this.headers = headers;
  }
}

/** JSON as bytes, in memory that nothing else uses (see `Reply.memory`). */
export class BytesReply extends RawReply {
  readonly memory: readonly ArrayBuffer[];

  constructor(status: number, { bytes, memory }: OwnBytes, headers: HeaderList = []) {
    super(status, bytes, 'application/json', headers);
    this.memory = memory;
  }
}

export interface OwnBytes {
  readonly bytes: Uint8Array;
  readonly memory: readonly ArrayBuffer[];
}
