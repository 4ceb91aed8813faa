/**
 * Folders of backups: those that the operator makes, lists and removes while the exchange runs, and
 * those that a timer makes, tries and rotates.
 *
 * Invariants: one is made at a time; a file with its final name is complete and on the disk, and is
 * never changed.
 */
export {
  type BackupResult,
  type KeptBackup,
  KeptBackups,
  type RunningBackup,
} from './kept-backups.ts';
export { type RotationReport, rotateBackups } from './rotated-backups.ts';
