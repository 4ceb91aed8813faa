/**
 * Endpoints for analytics: positions, activity, holders and leaderboards.
 */

export { explainTooWide } from './define-analytics-route.ts';
export { Activity, ExcludesCash, OTHER_TYPES, TradeFill, typesOf } from './fills.ts';
export { leastLots, leastMicros } from './parameters.ts';
export { ClosedPosition, Leader, OpenPosition } from './position-schemas.ts';
export { postDataVolumes } from './post-data-volumes.ts';
export { ANALYTICS_ROUTES } from './routes.ts';
