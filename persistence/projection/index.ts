/**
 * The projector: a thread that replays the durable journal and fills analytics.db. Invariant: the
 * tables are a pure function of the journal up to their cursor, whatever steps led there; the file
 * can be deleted. Bound: one step of the journal is in memory at a time.
 */
export { type ProjectedCommand, Projection } from './projection.ts';
export { Projector } from './projector.ts';
export { clearProjection } from './schema.ts';
export type { ProjectionCursor } from './statements.ts';
