/**
 * A note in the data folder of its last backup. From it a running exchange knows how old the backup
 * is, also if another process made it. Invariant: it names a backup that was complete and on the
 * disk. No backup contains it, so a restored folder has none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissingFile, replaceFile } from '../shared/index.ts';

export interface BackupNote {
  /** The last command that the backup has. */
  readonly seq: number;
  /** When the backup was begun, milliseconds since the epoch. */
  readonly madeMs: number;
}

const NAME = 'last.backup';
const TEXT = /^([0-9]{1,15}) ([0-9]{1,15})\n$/;

export function writeBackupNote(dataDir: string, { seq, madeMs }: BackupNote): void {
  replaceFile(join(dataDir, NAME), Buffer.from(`${seq} ${madeMs}\n`));
}

/** undefined without a note, and for a damaged one: nothing then proves that there is a backup. */
export function readBackupNote(dataDir: string): BackupNote | undefined {
  const [, seq, madeMs] = TEXT.exec(readIfPresent(join(dataDir, NAME))) ?? [];
  if (seq === undefined || madeMs === undefined) return undefined;
  return { seq: Number(seq), madeMs: Number(madeMs) };
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissingFile(error)) return '';
    throw error;
  }
}
