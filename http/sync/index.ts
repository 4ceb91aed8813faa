/**
 * Copies a catalog from another service over HTTP, in a thread of its own.
 */

export { Source } from './source.ts';
export { DEFAULT_PACE, SYNC_USER_AGENT } from './sync-bounds.ts';
export { SyncHost } from './sync-host.ts';
export { type SyncReport, SyncRun, type SyncStore } from './sync-run.ts';
