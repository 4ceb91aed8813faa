import { describeLimits, LimitsReply } from '../../admission/index.ts';
import type { RouteDefinition } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /limits: the rate limits and the bounds of requests. `routes` returns the table that contains
 * this route.
 */
export function limitsRoute(routes: () => readonly RouteDefinition[]) {
  return defineRoute({
    method: 'GET',
    path: '/limits',
    summary: 'Rate limits in effect, and the bounds of single requests',
    auth: 'none',
    response: LimitsReply,
    needs: ['limits'],
    handler: ({ services }) => describeLimits(services.limits.rules, routes()),
  });
}
