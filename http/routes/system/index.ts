/**
 * Endpoints for health, time, limits and metrics.
 *
 * Invariant: GET /healthz and GET /readyz are answered in every state of the exchange.
 */

export { getHealthz, getOk, getReadyz, getRoot, getStatus } from './health.ts';
export { getMetrics, getTime, getVersion, limitsRoute } from './system.ts';
