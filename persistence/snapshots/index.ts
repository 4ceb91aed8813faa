/**
 * Snapshot files, and the follower thread that replays the journal to write and audit them.
 */
export { writeFacts } from './facts.ts';
export { looksWhole, type OpenSnapshot, openSnapshot, type SnapshotHead } from './file.ts';
export { listSnapshots, type SnapshotPlace } from './folder.ts';
export { Follower } from './follower.ts';
export type { SnapshotMakerOptions, SnapshotPace } from './maker.ts';
export { type Restored, restoreNewest, restoreNewestNow } from './restore.ts';
