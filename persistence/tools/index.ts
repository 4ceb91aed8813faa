/**
 * Command-line tools for a data folder: verify, backup, restore, inspect and compact. All but
 * `restore` run beside a live exchange.
 *
 * Invariants: verify and inspect change nothing; a backup or an archive has its name only when it
 * is whole and on the disk; compaction removes commands from the journal only after a synced
 * archive that was compared with it has them. Bound: one step of the journal in memory.
 */
export * from './backup.ts';
export * from './backup-manifest.ts';
export * from './compaction.ts';
export * from './compaction-limit.ts';
export * from './inspect.ts';
export * from './restore.ts';
export * from './verify.ts';
