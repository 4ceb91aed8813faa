/**
 * Endpoints for analytics: positions, activity, holders and leaderboards.
 */
export { postDataVolumes } from './post-data-volumes.ts';
export { ANALYTICS_ROUTES } from './routes.ts';
