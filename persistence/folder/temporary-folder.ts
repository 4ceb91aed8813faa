/**
 * Folders for `--memory`: in memory where the system has a place for that. A process that is killed
 * can't remove its own, so the next one that needs such a folder removes what is left of the dead.
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
    if (name.startsWith(PREFIX)) removeIfDead(join(place, name));
  }
  return mkdtempSync(join(place, PREFIX));
}

/** Dead is what was locked once and is not any more. Somebody else's folder stays as it is. */
function removeIfDead(folder: string): void {
  try {
    if (lastHolder(folder) === undefined) return;
    const lock = takeLock(folder);
    if (lock === undefined) return;
    lock.close();
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It went away while we looked, or is another user's: no reason not to start.
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
