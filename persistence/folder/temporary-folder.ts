/**
 * Folders for `--memory`, in shared memory if the system has it. A killed process can't remove its
 * folder, so each process that makes a new one first removes the folders of dead processes.
 */
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastHolder, takeLock } from './folder-lock.ts';

const SHARED_MEMORY = '/dev/shm';
const PREFIX = 'outcome-exchange-';

export function makeTemporaryFolder(): string {
  const place = isWritable(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    if (name.startsWith(PREFIX)) removeIfAbandoned(join(place, name));
  }
  return mkdtempSync(join(place, PREFIX));
}

/** A folder that was locked once and is not now belongs to a dead process. */
function removeIfAbandoned(folder: string): void {
  try {
    if (lastHolder(folder) === undefined) return;
    const lock = takeLock(folder);
    if (lock === undefined) return;
    lock.close();
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It was removed meanwhile, or belongs to another user.
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
