/** How much room files take, and how much is left. */
import { readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of a file, or of all files in a folder. They may be removed during the count. */
export function bytesIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return found?.size ?? 0;
  const sizes = readdirSync(path).map((name) => bytesIn(join(path, name)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** What this user may still write to the disk of a folder. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
