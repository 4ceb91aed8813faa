/**
 * Replaces a small file atomically: writes a new file beside it, syncs, renames and syncs the
 * folder, so that neither a crash nor a power loss leaves half of it. Never for a database.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function replaceFile(path: string, content: Buffer): void {
  const beside = `${path}.new`;
  // A file that a crash left there, or a link, has its own mode or target.
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

/** Syncs a file, or a folder with the names in it. Never for a database that is open. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
