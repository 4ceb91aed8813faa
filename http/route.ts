/**
 * One table entry per endpoint: from it come validation, authentication, documentation and the
 * metrics of later issues. A handler gets checked input and returns what to send; it throws
 * `ApiError` for a refusal. It never sees a socket.
 */
import type { Static, TSchema } from 'typebox';
import type { Services } from './services.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** `none`: public; `l1`: wallet signature (wire 2.2); `l2`: API key and HMAC (wire 2.4). */
export type Auth = 'none' | 'l1' | 'l2';

/** The prefix of the auth headers that came with a request: it chooses the errors' wording. */
export type HeaderPrefix = 'SERVICE' | 'KUEST' | 'POLY';

/** Who is asking, proved before the handler runs. Addresses are lower case. */
export interface Caller {
  readonly owner: string;
  /** The key of an `l2` request; '' for `l1`. */
  readonly apiKey: string;
  /** The nonce of an `l1` request; '' for `l2`. */
  readonly nonce: string;
}

/** What every handler may read of the request besides its checked input. */
export interface RequestInfo {
  readonly requestId: string;
  /** The server's clock when the request arrived. */
  readonly nowMs: number;
  readonly prefix: HeaderPrefix;
  readonly userAgent: string;
}

/** Text that is sent as it is, with a status of its own. */
export class RawReply {
  readonly status: number;
  readonly body: string | Uint8Array;

  constructor(status: number, body: string | Uint8Array) {
    this.status = status;
    this.body = body;
  }
}

export interface RouteInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** undefined on routes with auth `none`. */
  readonly caller: Caller | undefined;
  readonly request: RequestInfo;
  readonly services: Services;
}

export interface RouteDefinition<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  readonly method: Method;
  /** `{name}` stands for one path segment: `/data/order/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly auth: Auth;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly response: TSchema;
  /** Returns a value to be sent as JSON with status 200, or a `RawReply`. */
  readonly handler: (
    input: RouteInput<Static<Params>, Static<Query>, Static<Body>>,
  ) => unknown | Promise<unknown>;
}

/** Checks a definition's types where it is written; the server keeps them in one table. */
export const defineRoute = <P extends TSchema, Q extends TSchema, B extends TSchema>(
  definition: RouteDefinition<P, Q, B>,
): RouteDefinition<P, Q, B> => definition;
