/** Whether there is room on a disk for what is to be written, told before half of it is there. */
import { statfsSync } from 'node:fs';
import { codeOf } from '../shared/index.ts';
import { BackupError } from './backup-manifest.ts';

const MEGABYTE = 1_000_000;

/** Throws BackupError when a folder's disk has less room than is needed. */
export function requireRoom(folder: string, neededBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  throw new BackupError(
    `${folder} has ${Math.floor(freeBytes / MEGABYTE)} MB free, and ` +
      `${Math.ceil(neededBytes / MEGABYTE)} MB are needed ` +
      'in between: make room, or name another place',
  );
}

/** An error of a write, in words where the disk is full. */
export function namingFullDisk(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code !== 'ENOSPC' && code !== 'SQLITE_FULL' && code !== 'EDQUOT') return error;
  return new BackupError(`${folder} is full: make room, and try again; nothing was left behind`);
}
