/**
 * The side file `durable.seq`. It holds a seq that was durable when the file was written: after
 * commits, at most once in `STORE_PACE.markMs`, and at a stop. SQLite silently drops a damaged tail
 * of a write-ahead log; a journal that ends before the mark has lost acknowledged commands and is
 * refused.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, isMissingFile, replaceFile, StoreError } from '../shared/index.ts';

/** What the file holds while a backup is being restored into the folder. */
const RESTORING = 'restoring\n';
/** What the file holds while a checkpoint of the sandbox takes the place of the folder's data. */
const SWAPPING = 'swapping\n';

export function writeDurableMark(path: string, seq: number): void {
  replaceFile(path, Buffer.from(`${seq}\n`));
}

/** Makes every start refuse the folder until `writeDurableMark` is called. */
export function markRestoring(path: string): void {
  replaceFile(path, Buffer.from(RESTORING));
}

/** The same for a folder whose data is replaced; the next start finishes that. */
export function markSwapping(path: string): void {
  replaceFile(path, Buffer.from(SWAPPING));
}

/**
 * Throws StoreError `journal_behind` if the journal has lost its end, or `restore_unfinished`.
 * `readLastSeq` is called after the mark was read: a commit of a live exchange between the
 * two must not look like a lost end.
 */
export function checkDurableMark(path: string, readLastSeq: () => number): void {
  const mark = readDurableMark(path);
  const lastSeq = readLastSeq();
  if (mark <= lastSeq) return;
  throw new StoreError(
    'journal_behind',
    `the journal ends at seq ${lastSeq}, but seq ${mark} was durable (${path}): the journal or ` +
      'its write-ahead log was lost, cut short or replaced by an older copy. Put back journal.db ' +
      `and journal.db-wal as they were, or the newest backup; remove ${path} only to go on ` +
      `without the acknowledged commands ${lastSeq + 1} to ${mark}`,
  );
}

function readDurableMark(path: string): number {
  const text = readIfPresent(path);
  if (text === undefined) return 0;
  if (/^[0-9]{1,15}\n?$/.test(text)) return Number(text);
  if (text === RESTORING) {
    throw new StoreError(
      'restore_unfinished',
      `a backup is being restored into ${dirname(path)}, or the restore was interrupted: if none ` +
        'is running, remove that folder and restore the backup again',
    );
  }
  if (text === SWAPPING) {
    throw new StoreError(
      'restore_unfinished',
      `a checkpoint is being restored in ${dirname(path)}, or the restore was interrupted: if no ` +
        'exchange uses that folder, start one on it, which finishes the restore',
    );
  }
  throw new StoreError(
    'journal_behind',
    `${path} should hold one number and holds ${JSON.stringify(text.slice(0, 40))}: put it back ` +
      'from a backup, or remove it if you are sure that the journal is whole',
  );
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    if (codeOf(error) === 'EISDIR') {
      throw new StoreError(
        'journal_behind',
        `${path} should be a file with one number and is a folder: put the file back from a ` +
          'backup, or remove the folder if you are sure that the journal is whole',
      );
    }
    throw error;
  }
}
