/**
 * What all reads of the catalog have in common: they are public, they take no body, and their
 * failures say their kind in the catalog's words (wire 5.8).
 */
import type { TSchema } from 'typebox';
import { NO_BODY } from '../api/index.ts';
import { defineRoute, type RouteNeeding, type Services } from '../services/index.ts';
import { catalogFailure } from './failure.ts';

type OwnParts = 'method' | 'auth' | 'body' | 'failureKeys';

type CatalogRoute<Need extends keyof Services, P extends TSchema, Q extends TSchema> = RouteNeeding<
  Need,
  P,
  Q,
  typeof NO_BODY,
  'none'
>;

export function defineCatalogRoute<
  P extends TSchema,
  Q extends TSchema,
  const Need extends keyof Services = never,
>(definition: Omit<CatalogRoute<Need, P, Q>, OwnParts>): CatalogRoute<Need, P, Q> {
  return defineRoute<P, Q, typeof NO_BODY, 'none', Need>({
    ...definition,
    method: 'GET',
    auth: 'none',
    body: NO_BODY,
    failureKeys: catalogFailure,
  });
}
