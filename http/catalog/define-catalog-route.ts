/**
 * What all reads of the catalog have in common: they are public, they take no body, and their
 * failures say their kind in the catalog's words (wire 5.8).
 */
import type { TSchema } from 'typebox';
import type { NO_BODY, NO_PARAMETERS } from '../api/index.ts';
import {
  defineRoute,
  type RouteNeeding,
  type Services,
  type WrittenRoute,
} from '../services/index.ts';
import { catalogFailure } from './failure.ts';

type OwnParts = 'method' | 'auth' | 'body' | 'failureKeys';

export function defineCatalogRoute<
  P extends TSchema = typeof NO_PARAMETERS,
  Q extends TSchema = typeof NO_PARAMETERS,
  const Need extends keyof Services = never,
>(
  definition: Omit<WrittenRoute<Need, P, Q, typeof NO_BODY, 'none'>, OwnParts>,
): RouteNeeding<Need, P, Q, typeof NO_BODY, 'none'> {
  return defineRoute<P, Q, typeof NO_BODY, 'none', Need>({
    ...definition,
    method: 'GET',
    auth: 'none',
    failureKeys: catalogFailure,
  });
}
