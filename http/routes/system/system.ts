/** The clock and the order version that clients sign with (wire 1.2). */
import { Type } from 'typebox';
import { describeLimits, LimitsReply } from '../../admission/describe-limits.ts';
import type { LimitRules } from '../../admission/limit-table.ts';
import { RawReply, type RouteDefinition } from '../../api/index.ts';
import type { VenueProfile } from '../../profiles/profile-schema.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /limits: the rate limits and the bounds of requests. `routes` returns the table that contains
 * this route.
 */
export function limitsRoute(routes: () => readonly RouteDefinition[]) {
  /** The last answer, for as long as the rules are the same. */
  let last:
    | { readonly rules: LimitRules; readonly profile: VenueProfile; text: string }
    | undefined;
  return defineRoute({
    method: 'GET',
    path: '/limits',
    summary: "Rate limits in effect, the bounds of single requests, and the venue's rules",
    auth: 'none',
    response: LimitsReply,
    needs: ['limits', 'settings'],
    handler: ({ services: { limits, settings } }) => {
      const { rules } = limits;
      const { profile } = settings;
      if (last?.rules !== rules || last.profile !== profile) {
        last = { rules, profile, text: JSON.stringify(describeLimits(rules, routes(), profile)) };
      }
      return new RawReply(200, last.text);
    },
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
