/** Checks for free disk space before a large write. */
import { codeOf, freeBytesAt } from '../shared/index.ts';
import { BackupError } from './backup-manifest.ts';

const MEGABYTE = 1_000_000;

/** Throws BackupError if a folder's disk has less free space. */
export function requireRoom(folder: string, neededBytes: number): void {
  const freeBytes = freeBytesAt(folder);
  if (freeBytes >= neededBytes) return;
  throw new BackupError(
    `${folder} has ${Math.floor(freeBytes / MEGABYTE)} MB free, and ` +
      `this needs ${Math.ceil(neededBytes / MEGABYTE)} MB: make room, or name another place`,
  );
}

/** Returns a BackupError if the disk is full, and `error` itself otherwise. */
export function namingFullDisk(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'SQLITE_FULL' && code !== 'EDQUOT') return error;
  return new BackupError(`${folder} is full: make room, and try again; nothing was left behind`);
}
