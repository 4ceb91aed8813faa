/**
 * Command-line tools for a data folder: verify, backup, restore, inspect and compact. All but
 * `restore` run beside a live exchange.
 *
 * Invariants: verify and inspect change nothing; a backup or an archive has its name only when it
 * is whole and on the disk; compaction removes commands from the journal only after a synced
 * archive that was compared with it has them. Bound: one step of the journal in memory.
 */
export {
  type BackupNote,
  type BackupReport,
  backupFolder,
  makeBackup,
  noteBackup,
  readBackupNote,
} from './backup.ts';
export { BackupError, readFirstManifest } from './backup-manifest.ts';
export { type CompactionOptions, type CompactionReport, compactJournal } from './compaction.ts';
export type { ToolOptions } from './compaction-limit.ts';
export { type InspectedCommand, Inspector, inspectSnapshot, inspectSnapshots } from './inspect.ts';
export { type RestoreReport, restoreBackup } from './restore.ts';
export { type VerifyReport, verifyFolder } from './verify.ts';
