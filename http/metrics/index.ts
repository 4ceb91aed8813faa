/**
 * Metrics and health: what is measured, and how it is shown.
 */
export { Exposition } from './exposition.ts';
export { familiesOf } from './families.ts';
export { Health, HealthReport, NOT_RECOVERED, type Report } from './health.ts';
export { Metrics } from './metrics.ts';
