/** The limits and rules in effect, for GET /limits. */

import { type Static, Type } from 'typebox';
import { SECOND_MS } from '../../engine/model/index.ts';
import type { RouteDefinition } from '../api/index.ts';
import { VenueProfile } from '../profiles/profile-schema.ts';
import { PROFILES } from '../profiles/profiles.ts';
import { isCounted, type LimitRow, type LimitRules } from './limit-table.ts';
import { requestBounds } from './request-bounds.ts';
import { groupOf, type RouteGroup, TWO_FORMS } from './route-groups.ts';

const Limit = Type.Object({
  name: Type.String({ description: 'Name of the limit, also in a file of limits' }),
  scope: Type.String({ description: 'Which requests count together' }),
  routes: Type.Array(Type.String(), { description: 'Routes whose requests count' }),
  capacity: Type.Integer({ description: 'Maximum number of requests in a window' }),
  windowSeconds: Type.Integer(),
  countsItems: Type.Boolean({ description: 'Whether each item of a batch counts as a request' }),
});
type Limit = Static<typeof Limit>;

function nullable(description: string) {
  return Type.Union([Type.Number(), Type.Null()], { description });
}

export const LimitsReply = Type.Object({
  enabled: Type.Boolean({ description: 'Whether requests are counted at all' }),
  loopbackExempt: Type.Boolean({
    description: "Whether requests from the exchange's own machine are not counted",
  }),
  limits: Type.Array(Limit),
  bounds: Type.Array(
    Type.Object({
      route: Type.String(),
      field: Type.String({
        description: 'A parameter or a key of the body; `body`, or `page` for a page of the answer',
      }),
      unit: Type.String({ description: 'value, characters, items or bytes' }),
      minimum: nullable('null for none'),
      maximum: nullable('null for none'),
    }),
    { description: 'The bounds of requests and pages' },
  ),
  profile: VenueProfile,
  profiles: Type.Array(VenueProfile, { description: 'The built-in profiles, to compare' }),
});
export type LimitsReply = Static<typeof LimitsReply>;

/** The groups of a route: two for the route with two forms. */
function groupsOf(path: string): readonly RouteGroup[] {
  return path === TWO_FORMS ? [groupOf(path), 'order_book'] : [groupOf(path)];
}

function describe(row: LimitRow, routes: readonly RouteDefinition[]): Limit {
  const { name, scope, capacity, windowMs, countsItems = false } = row;
  const counted = routes.flatMap(({ method, path }) => {
    const route = `${method} ${path}`;
    return groupsOf(path).some((group) => isCounted(row, route, group)) ? [route] : [];
  });
  return {
    name,
    scope,
    routes: counted,
    capacity,
    windowSeconds: windowMs / SECOND_MS,
    countsItems,
  };
}

/** The rules and bounds of a listener with these routes, which take some 10 ms to find. */
export function describeLimits(
  { isOn, countsLoopback, rows }: LimitRules,
  routes: readonly RouteDefinition[],
  profile: VenueProfile,
): LimitsReply {
  return {
    enabled: isOn,
    loopbackExempt: !countsLoopback,
    limits: rows.map((row) => describe(row, routes)),
    bounds: [...requestBounds(routes)],
    profile,
    profiles: [...PROFILES],
  };
}
