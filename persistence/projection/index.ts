/**
 * The projector: it replays the durable journal and fills analytics.db, which can always be rebuilt.
 */
export { type ProjectedCommand, Projection } from './projection.ts';
export { Projector } from './projector.ts';
export { clearProjection, LARGE_LOTS } from './schema.ts';
export type { ProjectionCursor } from './statements.ts';
export { HOUR_MS } from './volumes.ts';
