/**
 * Endpoints for health, time, limits and metrics.
 */
export { getOk, getRoot } from './get-health.ts';
export { getHealthz } from './get-healthz.ts';
export { limitsRoute } from './get-limits.ts';
export { getMetrics } from './get-metrics.ts';
export { getReadyz } from './get-readyz.ts';
export { getTime } from './get-time.ts';
export { getVersion } from './get-version.ts';
