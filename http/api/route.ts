/**
 * One table entry per endpoint: from it come validation, authentication, documentation and the
 * metrics of later issues. A handler gets checked input and returns what to send; it throws
 * `ApiError` for a refusal. It never sees a socket.
 */
import { type Static, type TSchema, Type } from 'typebox';
import type { KeyPurpose } from '../../engine/index.ts';
import type { ApiError } from '../errors/index.ts';
import type { Services } from '../services/index.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * `none`: public; `l1`: wallet signature (wire 2.2); `l2`: API key and HMAC (wire 2.4), where a
 * read-only key may call GET alone; `builder`: builder headers, else L2 (wire 2.6); `may_builder`:
 * builder headers, else nothing; `operator`: the bearer token of the operator's listener, and
 * nowhere else.
 */
export type Auth = 'none' | 'l1' | 'l2' | 'builder' | 'may_builder' | 'operator';

/** The surface whose path prefix a request came with (wire 0.3); '' for none. */
export type Surface = '' | 'clob' | 'gamma' | 'data';

/** The prefix of the auth headers that came with a request: it chooses the errors' wording. */
export type HeaderPrefix = 'SERVICE' | 'KUEST' | 'POLY';

/** Who is asking, proved before the handler runs. Addresses are lower case. */
export interface Caller {
  readonly owner: string;
  /** The key of an `l2` or builder request; '' for `l1`. */
  readonly apiKey: string;
  /** What the key may do: all of its owner's, read, or speak as a builder; `trading` for `l1`. */
  readonly purpose: KeyPurpose;
  /** The nonce of an `l1` request; '' for `l2`. */
  readonly nonce: string;
  /** Where the request came from; absent where nobody asks for it. */
  readonly address?: string;
}

/** The caller a route of this kind gets. */
export type CallerOf<A extends Auth> = A extends 'none' | 'operator'
  ? undefined
  : A extends 'may_builder'
    ? Caller | undefined
    : Caller;

/** What every handler may read of the request besides its checked input. */
export interface RequestInfo {
  readonly requestId: string;
  /** The server's clock when the request arrived. */
  readonly nowMs: number;
  /** SERVICE where no auth headers came. */
  readonly prefix: HeaderPrefix;
  /** '' on public routes, whose answers are the same for all clients. */
  readonly userAgent: string;
  readonly surface: Surface;
  /** Whether the exchange stops: only routes with `whenStarting` are called then. */
  readonly isStopping: boolean;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** What is sent as it is, with a status of its own: JSON, unless its type says otherwise. */
export class RawReply {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  /** Besides those that every answer has. */
  readonly headers: Headers;

  constructor(
    status: number,
    body: string | Uint8Array,
    contentType = 'application/json',
    headers: Headers = [],
  ) {
    this.status = status;
    this.body = body;
    this.contentType = contentType;
    this.headers = headers;
  }
}

/** JSON as bytes in memory that nobody else has: `Reply.memory`. */
export class BytesReply extends RawReply {
  readonly memory: readonly ArrayBuffer[];

  constructor(status: number, { bytes, memory }: OwnBytes) {
    super(status, bytes);
    this.memory = memory;
  }
}

export interface OwnBytes {
  readonly bytes: Uint8Array;
  readonly memory: readonly ArrayBuffer[];
}

export interface RouteInput<Params, Query, Body, Who = Caller | undefined> {
  readonly params: Params;
  /** Coerced by the schema: integers, booleans and lists arrive as such, defaults filled in. */
  readonly query: Query;
  /** The parsed body; undefined where there was none. */
  readonly body: Body;
  /** undefined on routes with auth `none` or `operator`, and where `may_builder` had none. */
  readonly caller: Who;
  readonly request: RequestInfo;
  readonly services: Services;
}

export interface RouteDefinition<
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
  readonly params: Params;
  readonly query: Query;
  /** What the documentation shows where the handler judges the query by itself. */
  readonly documentedQuery?: TSchema;
  /** `NO_BODY` where the route takes none; what is sent is then ignored. */
  readonly body: Body;
  /** What the documentation shows where the handler judges the body by itself. */
  readonly documentedBody?: TSchema;
  readonly response: TSchema;
  /** The status of a success, where that is not 200; a handler's `RawReply` has the same. */
  readonly status?: number;
  /** The type of a success, where that is not JSON; a handler's `RawReply` has the same. */
  readonly contentType?: string;
  /** The longest body, where it is not `HTTP_BOUNDS.bodyBytes`. */
  readonly bodyBytes?: number;
  /** How many requests a checked body counts as, where that is not one (interface.md, Limits). */
  weight?(body: unknown): number;
  /**
   * Whether it is refused first when the exchange can't keep up: placings and other dear writes.
   * Never what makes an owner's risk smaller: cancels, heartbeats; nor reads.
   */
  readonly givesWay?: true;
  /**
   * The answer before there are services to ask. A route that has it is answered in every state of
   * the exchange: also while it starts or stops, and when too many requests are being handled.
   */
  whenStarting?(): unknown;
  /** Keys that this route's failures carry besides `error`, `code` and details (wire 3.10). */
  readonly failureKeys?: (error: ApiError, sentence: string) => Readonly<Record<string, unknown>>;
  /** Its failures as the documentation shows them, where that is not `Failure`. */
  readonly failure?: TSchema;
  /**
   * Returns a value to be sent as JSON with the route's status, or a `RawReply`. Written as a
   * method, so that routes of any input fit one table; the server hands over only what their
   * schemas passed.
   */
  handler(
    input: RouteInput<Static<Params>, Static<Query>, Static<Body>, CallerOf<A>>,
  ): unknown | Promise<unknown>;
}

/** The schema of a route that takes no path parameters, or no query parameters. */
export const NO_PARAMETERS = Type.Object({});

/**
 * The schema of a query that its handler judges by itself, because what is allowed depends on more
 * than the query: every parameter that came, with its texts in order.
 */
export const ANY_QUERY = Type.Record(Type.String(), Type.Array(Type.String()));

/** The schema of a route without a body: any `Type.Unknown()` is one. */
export const NO_BODY = Type.Unknown();

/** The schema of a body that its handler judges by itself. */
export const ANY_BODY = Type.Any();

/** Checks a definition's types where it is written; the server keeps them in one table. */
export function defineRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends Auth,
>(definition: RouteDefinition<P, Q, B, A>): RouteDefinition<P, Q, B, A> {
  return definition;
}
