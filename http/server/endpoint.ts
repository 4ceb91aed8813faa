/** A route as the server keeps it: with its compiled schemas and the services of its handler. */
import { strict as assert } from 'node:assert';
import { Type } from 'typebox';
import { type Auth, compileRoute, type RouteChecks, type RouteDefinition } from '../api/index.ts';

export interface Endpoint {
  readonly route: RouteDefinition;
  readonly checks: RouteChecks;
  /** Whether the route takes a body: its schema is not `NO_BODY`. */
  readonly takesBody: boolean;
  /** The services that the route names; empty until the listener is open. */
  services: object;
}

export function createEndpoint(route: RouteDefinition): Endpoint {
  const isPublicBatch = route.weight !== undefined && route.auth === 'none';
  assert(!isPublicBatch, 'a public route has no weight: it is counted before its body arrives');
  const takesBody = !Type.IsUnknown(route.body);
  return { route, checks: compileRoute(route), takesBody, services: {} };
}

/** Those who prove themselves by a secret that is cheap to check: a key or a token. */
const CHEAP_TO_CHECK: readonly Auth[] = [
  'l2',
  'may_l2',
  'l2_of_builder',
  'builder',
  'may_builder',
  'operator',
];

export function isCheapToCheck(auth: Auth): boolean {
  return CHEAP_TO_CHECK.includes(auth);
}
