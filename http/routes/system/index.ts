/**
 * Endpoints for health, time, limits and metrics.
 *
 * Invariant: GET /healthz and GET /readyz are answered in every state of the exchange.
 */
export { limitsRoute } from './get-limits.ts';
export { getMetrics } from './get-metrics.ts';
export { getHealthz, getOk, getReadyz, getRoot, getStatus } from './health.ts';
export { getTime, getVersion } from './time.ts';
