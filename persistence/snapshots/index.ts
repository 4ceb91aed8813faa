/**
 * Snapshots of the whole state, and the follower: a thread that replays the durable journal in an
 * engine of its own to write snapshots and to make audits, so that the matching thread does
 * neither. A standby sends its snapshots to its core.
 *
 * Invariants: a snapshot has its name only when it is whole and on the disk; nothing of a snapshot
 * is used before all of it was checked; a state that breaks an invariant is never written. Bounds:
 * STORE_BOUNDS.keptSnapshots files, one part of a snapshot in memory, one audit at a time.
 */
export { writeFacts, writeSteps } from './facts.ts';
export { looksWhole, type OpenSnapshot, openSnapshot, type SnapshotHead } from './file.ts';
export {
  listSnapshots,
  type SnapshotFile,
  type SnapshotPlace,
  snapshotFiles,
} from './folder.ts';
export { Follower } from './follower.ts';
export { SnapshotIntake } from './intake.ts';
export type { SnapshotMakerOptions, SnapshotPace } from './maker.ts';
export { type Restored, restoreNewest, restoreNewestNow } from './restore.ts';
export { decodeFilePart, sendSnapshot, snapshotRefused } from './sending.ts';
