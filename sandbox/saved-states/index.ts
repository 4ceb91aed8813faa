/**
 * Saved states of the sandbox: copies of a data folder's databases, made while the exchange runs,
 * to which it can be brought back. The HTTP interface calls them checkpoints, and so does the name
 * of their folder, `checkpoints/`; they have nothing to do with the checkpoints of SQLite's
 * write-ahead log.
 *
 * Invariant: a saved state has its name only when it is whole and on the disk, and never changes
 * afterwards. Bound: STORE_BOUNDS.savedStates and savedStateBytes.
 */
export { Checkpoints } from './checkpoints.ts';
export type { SavedState } from './description.ts';
