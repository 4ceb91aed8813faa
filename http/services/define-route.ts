/** Defines a route of this exchange: one that may name any of `Services` in its `needs`. */
import type { TSchema } from 'typebox';
import type { Auth, RouteDefinition } from '../api/index.ts';
import type { Services } from './services.ts';

type ServiceName = keyof Services;

/** Any route of this exchange. */
export type Route = RouteDefinition<ServiceName>;

/** A route whose handler gets the services named `Need`. */
export type RouteNeeding<
  Need extends ServiceName,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  A extends Auth = Auth,
> = RouteDefinition<Need, Pick<Services, Need>, P, Q, B, A>;

/** Checks the types of a definition where it is written. Without `needs`, `services` is empty. */
export function defineRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends Auth,
  const Need extends ServiceName = never,
>(definition: RouteNeeding<Need, P, Q, B, A>): RouteNeeding<Need, P, Q, B, A> {
  return definition;
}
