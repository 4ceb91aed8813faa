/** How much room files take, and how much is left. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissingFile } from './thrown.ts';

/** The bytes of a file, or of all files in a folder. They may be removed during the count. */
export function bytesIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return found?.size ?? 0;
  const sizes = namesIn(path).map((name) => bytesIn(join(path, name)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The names in a folder; none if there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** What this user may still write to the disk of a folder. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
