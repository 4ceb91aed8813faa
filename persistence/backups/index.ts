/**
 * The backups that the operator makes, lists and removes while the exchange runs.
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
