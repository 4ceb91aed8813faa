/**
 * What all reads of the catalog have in common: they are public, they take no body, and their
 * failures say their kind in the catalog's words (wire 5.8).
 */
import type { TSchema } from 'typebox';
import { defineRoute, NO_BODY, type RouteDefinition } from '../api/index.ts';
import { catalogFailure } from './failure.ts';

type OwnParts = 'method' | 'auth' | 'body' | 'failureKeys';

export function defineCatalogRoute<P extends TSchema, Q extends TSchema>(
  definition: Omit<RouteDefinition<P, Q, typeof NO_BODY, 'none'>, OwnParts>,
): RouteDefinition<P, Q, typeof NO_BODY, 'none'> {
  return defineRoute({
    ...definition,
    method: 'GET',
    auth: 'none',
    body: NO_BODY,
    failureKeys: catalogFailure,
  });
}
