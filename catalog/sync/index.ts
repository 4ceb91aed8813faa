/**
 * Copies a catalog from another service over HTTP, in its own thread.
 *
 * Invariant: no command waits for a sync. Each page is stored together with the place to continue
 * from. A source can make a run neither endless nor large, and can't direct it into our network.
 */

export { DEFAULT_PACE, SYNC_USER_AGENT } from './bounds.ts';
export { SyncHost } from './host.ts';
export { type SyncReport, SyncRun, type SyncStore } from './run.ts';
export { Source } from './source.ts';
