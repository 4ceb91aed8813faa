/**
 * The operator's endpoints for backups and snapshots.
 *
 * Invariant: no command waits for either of them.
 */
export { BACKUP_WRITES, getBackups } from './backups.ts';
export { getSnapshots, postSnapshot } from './snapshots.ts';
