/** The clock and the order version that clients sign with (wire 1.2). */
import { Type } from 'typebox';
import { describeLimits, LimitsReply } from '../../admission/describe-limits.ts';
import { RawReply, type RouteDefinition } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /limits: the rate limits and the bounds of requests. `routes` returns the table that contains
 * this route.
 */
export function limitsRoute(routes: () => readonly RouteDefinition[]) {
  return defineRoute({
    method: 'GET',
    path: '/limits',
    summary: "Rate limits in effect, the bounds of single requests, and the venue's rules",
    auth: 'none',
    response: LimitsReply,
    needs: ['limits', 'settings'],
    handler: ({ services }) =>
      describeLimits(services.limits.rules, routes(), services.settings.profile),
  });
}

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** GET /metrics: all metrics, in the text format of Prometheus. */
export const getMetrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  auth: 'operator',
  response: Type.String(),
  contentType: CONTENT_TYPE,
  needs: ['exposition'],
  handler: async ({ services }) =>
    new RawReply(200, await services.exposition.text(), CONTENT_TYPE),
});

/** GET /time: the server's clock in whole Unix seconds. */
export const getTime = defineRoute({
  method: 'GET',
  path: '/time',
  summary: "The server's time in seconds",
  auth: 'none',
  response: Type.Integer(),
  handler: ({ request }) => Math.floor(request.nowMs / 1000),
});

/** GET /version: the version 2 makes clients build the current order struct. */
export const getVersion = defineRoute({
  method: 'GET',
  path: '/version',
  summary: 'The version of the order struct',
  auth: 'none',
  response: Type.Object({ version: Type.Integer() }),
  handler: () => ({ version: 2 }),
});
