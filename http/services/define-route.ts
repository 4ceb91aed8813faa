/** Defines a route of this exchange: one that may name any of `Services` in its `needs`. */
import type { TSchema } from 'typebox';
import {
  type Auth,
  type Method,
  NO_BODY,
  NO_PARAMETERS,
  type RouteDefinition,
  withPictures,
} from '../api/index.ts';
import type { OperatorRole } from '../operators/operator-gate.ts';
import type { Services } from './services.ts';

/** Any route of this exchange, apart from those of plots. */
export type Route = RouteDefinition<keyof Services>;

/** A route whose handler gets the services named `Need`. */
export type RouteNeeding<
  Need extends keyof Services,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends Auth = Auth,
> = RouteDefinition<Need, Pick<Services, Need>, P, Q, B, A>;

/** What a client has to know of a route: where it is, and the schema of its answer. */
export interface RoutePath<M extends Method, Path extends string, R extends TSchema> {
  readonly method: M;
  readonly path: Path;
  readonly response: R;
}

/** A definition as a route's file writes it: `params`, `query` and `body` may be left out. */
export type WrittenRoute<
  Need extends keyof All & string,
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends Auth,
  All extends object = Services,
> = Omit<RouteDefinition<Need, Pick<All, Need>, P, Q, B, A>, 'params' | 'query' | 'body'> & {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
};

/**
 * The function that defines routes which may name any of the services `All` in their `needs`. It
 * checks the types of a definition where it is written, and adds `NO_PARAMETERS` and `NO_BODY`
 * where `params`, `query` or `body` are left out. Without `needs`, `services` is empty. The type of
 * the route names its method, path and answer, from which the console's client is typed.
 */
export function definerOf<All extends object>() {
  return function define<
    P extends TSchema = typeof NO_PARAMETERS,
    Q extends TSchema = typeof NO_PARAMETERS,
    B extends TSchema = typeof NO_BODY,
    A extends Auth = Auth,
    const Need extends keyof All & string = never,
    const M extends Method = Method,
    const Path extends string = string,
    R extends TSchema = TSchema,
  >(
    written: WrittenRoute<Need, P, Q, B, A, All> & RoutePath<M, Path, R>,
  ): RouteDefinition<Need, Pick<All, Need>, P, Q, B, A> & RoutePath<M, Path, R> {
    const route = { params: NO_PARAMETERS, query: NO_PARAMETERS, body: NO_BODY, ...written };
    if (written.showsPictures) {
      route.handler = async (input) => withPictures(await written.handler(input), input);
    }
    // Safe: the type parameter of a schema that is left out is inferred as its default.
    return route as unknown as RouteDefinition<Need, Pick<All, Need>, P, Q, B, A> &
      RoutePath<M, Path, R>;
  };
}

export const defineRoute = definerOf<Services>();

/** The routes of operators with a role. `permits` says what else a role includes. */
export function withRole(
  role: OperatorRole,
  ...routes: readonly RouteDefinition[]
): readonly RouteDefinition[] {
  return routes.map((route) => ({ ...route, role }));
}
