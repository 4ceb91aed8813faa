/**
 * Metrics and health. Requests, commands and streams count here while they run; `GET /metrics` and
 * `GET /readyz` read the numbers.
 *
 * Invariant: no label contains text of a client, so the number of metrics is bounded.
 */
export { Exposition } from './exposition.ts';
export { familiesOf } from './families.ts';
export { counters, gauges } from './family.ts';
export { Health, HealthReport, NOT_RECOVERED, type Report } from './health.ts';
export { Metrics } from './metrics.ts';
