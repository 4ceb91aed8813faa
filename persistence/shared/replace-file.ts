/**
 * Replaces a small file atomically: writes a new file beside it, syncs, renames and syncs the
 * folder, so that neither a crash nor a power loss leaves half of it. Do not use it for databases.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function replaceFile(path: string, content: Buffer): void {
  const beside = `${path}.new`;
  // A file left by a crash could have another mode, and a link another target.
  rmSync(beside, { force: true });
  const file = openSync(beside, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncPath(dirname(path));
}

/** Syncs a file, or a folder with the names in it. Do not call it for an open database. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
