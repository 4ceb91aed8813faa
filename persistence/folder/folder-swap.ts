/**
 * Replaces the data of a closed data folder by staged files, so that a crash at any moment leaves
 * the folder either as it was or as it will be: the staged folder is complete and on the disk
 * before it gets its final name, and from then on every start first finishes the swap.
 *
 * Invariant: the folder is locked, and none of its databases is open. A staged folder holds every
 * name of PARTS, so a part that is missing there is in place already. While parts are moved, the
 * durable mark says so, so that tools refuse the folder; the mark of the new state is moved last.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { markSwapping } from '../journal/durable-mark.ts';
import { syncPath } from '../shared/index.ts';

const STAGING = 'swap.parts';
const READY = 'swap.ready';
const MARK = 'durable.seq';
/** The databases and folders that are replaced. Secrets stay: API keys were derived from them. */
export const SWAPPED_DATABASES = ['journal.db', 'analytics.db', 'catalog.db'] as const;
export const SWAPPED_FOLDERS = ['archive', 'snapshots'] as const;

/** Makes an empty staging folder. What an earlier try left there is removed. */
export function makeStaging(folder: string): string {
  removeStaging(folder);
  const staging = join(folder, STAGING);
  mkdirSync(staging, { mode: 0o700 });
  return staging;
}

export function removeStaging(folder: string): void {
  rmSync(join(folder, STAGING), { recursive: true, force: true });
}

/**
 * Call it when all of the staging folder is on the disk. From here on the staged state is that of
 * the folder, also after a crash.
 */
export function commitSwap(folder: string): void {
  renameSync(join(folder, STAGING), join(folder, READY));
  syncPath(folder);
}

/** Whether a swap was committed and is not finished. */
export function isSwapping(folder: string): boolean {
  return existsSync(join(folder, READY));
}

/**
 * Moves the parts of a committed swap into place, and removes a staging folder that was not
 * committed. `onStep` is a test seam: called before each change of the folder.
 */
export function finishSwap(folder: string, onStep: () => void = () => {}): void {
  removeStaging(folder);
  if (!isSwapping(folder)) return;
  const ready = join(folder, READY);
  const move = (name: string): void => {
    onStep();
    renameSync(join(ready, name), join(folder, name));
  };
  onStep();
  // Without the staged mark all parts are in place, and so is the mark.
  if (existsSync(join(ready, MARK))) markSwapping(join(folder, MARK));
  for (const name of SWAPPED_DATABASES) {
    if (!existsSync(join(ready, name))) continue;
    // Before the move: a log of the old database would be applied to the new one.
    for (const suffix of ['-wal', '-shm']) {
      onStep();
      rmSync(join(folder, `${name}${suffix}`), { force: true });
    }
    move(name);
  }
  for (const name of SWAPPED_FOLDERS) {
    if (!existsSync(join(ready, name))) continue;
    onStep();
    rmSync(join(folder, name), { recursive: true, force: true });
    move(name);
  }
  syncPath(folder);
  if (existsSync(join(ready, MARK))) move(MARK);
  onStep();
  // If the disk loses this, the next start does it again.
  rmSync(ready, { recursive: true, force: true });
}
