/**
 * Tools for a data folder: verify, backup, restore, inspect and compact.
 */
export { type BackupReport, backupFolder } from './backup.ts';
export { type CompactionOptions, type CompactionReport, compactJournal } from './compaction.ts';
export { type InspectedCommand, Inspector } from './inspect.ts';
export { inspectSnapshot, inspectSnapshots } from './inspect-snapshot.ts';
export { type RestoreReport, restoreBackup } from './restore.ts';
export { type VerifyProgress, type VerifyReport, verifyFolder } from './verify.ts';
