/**
 * A folder with the last backups of one exchange, for a timer: each new one is restored and
 * verified, and only then are old ones removed.
 *
 * Invariants: a file with its final name is a whole backup that was restored and verified, and only
 * such a file is noted in the data folder, for the metric of its age. Nothing is removed before a
 * new one is there, and never the newest. A data folder that ends before the newest backup adds
 * none: it is another exchange's, or has lost commands, and its backups would slowly take the place
 * of the good ones. Bounds: `keep` files, and one that is being tried, which needs the space of a
 * backup and of the restored folder.
 */
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { takeLock } from '../folder/data-folder.ts';
import { namesIn, syncPath } from '../shared/index.ts';
import {
  BackupError,
  type BackupReport,
  makeBackup,
  noteBackup,
  readFirstManifest,
  restoreBackup,
  type ToolOptions,
  type VerifyReport,
  verifyFolder,
} from '../tools/index.ts';

export interface RotationOptions extends ToolOptions {
  /** Must exist: it may be of a disk that is not mounted now. */
  readonly folder: string;
  /** How many backups stay, the new one included: at least 1. */
  readonly keep: number;
  readonly version: string;
  readonly nowMs: number;
}

export interface RotationReport
  extends Pick<BackupReport, 'file' | 'bytes' | 'sha256' | 'lastSeq' | 'lastTimeMs'>,
    Pick<VerifyReport, 'stateHash'> {
  /** The names of all backups that the folder has now, the newest first. */
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

interface OldBackup {
  readonly name: string;
  readonly lastSeq: number;
}

const PREFIX = 'rotated';
const NAME = /^rotated-\d{8}T\d{6}\.\d{3}Z\.tar$/;
/** Where a new backup is made and tried. */
const TRIAL = 'trial';
/** Where a backup that turned out wrong stays, with what was restored of it, until the next run. */
const WRONG = 'wrong';

/** Throws BackupError, or the system's error if the folder can't be written. */
export async function rotateBackups(options: RotationOptions): Promise<RotationReport> {
  const folder = resolve(options.folder);
  if (!existsSync(folder)) throw new BackupError(`there is no folder ${folder}: make it first`);
  accessSync(folder, constants.W_OK);
  const lock = takeLock(folder);
  if (lock === undefined) {
    throw new BackupError(`another process makes a backup in ${folder}: wait until it has ended`);
  }
  try {
    return await addBackup({ ...options, folder });
  } finally {
    lock.close();
  }
}

async function addBackup(options: RotationOptions): Promise<RotationReport> {
  const { folder, keep } = options;
  const [trial, wrong] = [join(folder, TRIAL), join(folder, WRONG)];
  for (const left of [trial, wrong]) rmSync(left, { recursive: true, force: true });
  const old = listOld(folder);
  mkdirSync(trial, { mode: 0o700 });
  const added = await addTried(options, old[0]).finally(() => {
    rmSync(trial, { recursive: true, force: true });
  });
  const names = old.map(({ name }) => name);
  const removed = names.slice(keep - 1);
  for (const name of removed) rmSync(join(folder, name));
  return { ...added, kept: [basename(added.file), ...names.slice(0, keep - 1)], removed };
}

async function addTried(
  options: RotationOptions,
  newest: OldBackup | undefined,
): Promise<Omit<RotationReport, 'kept' | 'removed'>> {
  const { folder, nowMs } = options;
  const name = backupName(PREFIX, nowMs);
  const made = await makeBackup({ ...options, file: join(folder, TRIAL, name) });
  refuseEarlierEnd(options, made, newest);
  const stateHash = await tryBackup(options, made);
  const file = join(folder, name);
  renameSync(made.file, file);
  syncPath(folder);
  noteBackup(options, { ...made, file });
  const { bytes, sha256, lastSeq, lastTimeMs } = made;
  return { file, bytes, sha256, lastSeq, lastTimeMs, stateHash };
}

/**
 * The newest first: by their last command, because the clock may have been wrong. A file without a
 * manifest is no backup; it is neither counted nor removed.
 */
function listOld(folder: string): OldBackup[] {
  const names = namesIn(folder).filter((name) => NAME.test(name));
  const backups = names.flatMap((name): OldBackup[] => {
    const manifest = readFirstManifest(join(folder, name));
    return manifest === undefined ? [] : [{ name, lastSeq: manifest.lastSeq }];
  });
  return backups.sort((one, other) => {
    return other.lastSeq - one.lastSeq || (one.name < other.name ? 1 : -1);
  });
}

function refuseEarlierEnd(
  { folder, dataDir }: RotationOptions,
  { lastSeq }: BackupReport,
  newest: OldBackup | undefined,
): void {
  if (newest === undefined || lastSeq >= newest.lastSeq) return;
  throw new BackupError(
    `${dataDir} ends at seq ${lastSeq}, and ${newest.name} in ${folder} has ${newest.lastSeq}: ` +
      'the data folder is another one or has lost commands. Nothing was removed. If it was ' +
      'restored as of an earlier moment, name another folder for its backups',
  );
}

/** Restores a backup and verifies the result. Returns the hash of its state. */
async function tryBackup(options: RotationOptions, { file }: BackupReport): Promise<string> {
  const { folder, onProgress } = options;
  const progress = onProgress === undefined ? {} : { onProgress };
  const dataDir = join(folder, TRIAL, 'restored');
  await restoreBackup({ dataDir, file, ...progress });
  const { ok, findings, stateHash } = await verifyFolder({ dataDir, ...progress });
  if (ok) return stateHash;
  const sentences = findings.map(({ sentence }) => sentence).join('; ');
  renameSync(join(folder, TRIAL), join(folder, WRONG));
  throw new BackupError(
    `the backup was restored and is wrong: ${sentences}. No older one was removed. Verify the ` +
      `data folder itself. ${join(folder, WRONG)} has the backup until the next run`,
  );
}

/** Sortable, and different for each millisecond. */
export function backupName(prefix: string, ms: number): string {
  return `${prefix}-${new Date(ms).toISOString().replaceAll(/[-:]/g, '')}.tar`;
}
