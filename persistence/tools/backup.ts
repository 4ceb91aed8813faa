/**
 * `backup`: makes an online copy of a data folder as one tar file. Invariant: the parts fit
 * together, because of the order in which they are copied: first the journal, in one read
 * transaction that blocks no writer; then the archives that this copy lists, and a snapshot that is
 * not newer than it; then the catalog. Plans in the catalog that the copied journal lacks are
 * carried out by the next start. The file has its name only when it is whole and on the disk.
 * Bound: disk space for twice the copy while it is made.
 *
 * analytics.db is left out, because a start rebuilds it from the journal; so are checkpoints.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { isSwapping } from '../folder/folder-swap.ts';
import { archiveName } from '../journal/archive.ts';
import { writeDurableMark } from '../journal/durable-mark.ts';
import { JournalReader } from '../journal/reader.ts';
import { journalEnd, journalFunding } from '../journal/schema.ts';
import { isMissingFile, messageOf, readDatabase, replaceFile, syncPath } from '../shared/index.ts';
import { looksWhole } from '../snapshots/file.ts';
import { listSnapshots } from '../snapshots/folder.ts';
import {
  BACKUP_FORMAT,
  BackupError,
  type BackupFile,
  type BackupManifest,
  MANIFEST_NAME,
  measureFile,
} from './backup-manifest.ts';
import { namingFullDisk, requireRoom, type ToolOptions } from './compaction-limit.ts';

/**
 * A note in the data folder of its last backup. From it a running exchange knows how old the backup
 * is, also if another process made it. Invariant: it names a backup that was complete and on the
 * disk. No backup contains it, so a restored folder has none.
 */
export interface BackupNote {
  /** The last command that the backup has. */
  readonly seq: number;
  /** When the backup was begun, milliseconds since the epoch. */
  readonly madeMs: number;
}

const NAME = 'last.backup';
const TEXT = /^([0-9]{1,15}) ([0-9]{1,15})\n$/;

function writeBackupNote(dataDir: string, { seq, madeMs }: BackupNote): void {
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

export interface BackupOptions extends ToolOptions {
  /** Must not exist. */
  readonly file: string;
  readonly version: string;
  readonly nowMs: number;
}

export interface BackupReport extends Pick<BackupManifest, 'lastSeq' | 'lastTimeMs' | 'files'> {
  readonly file: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

const PRIVATE = 0o600;

/** Throws BackupError, or StoreError if the journal can't be read. */
export async function backupFolder(options: BackupOptions): Promise<BackupReport> {
  const made = await makeBackup(options);
  noteBackup(options, made);
  return made;
}

/** As `backupFolder`, for a backup that counts only after more checks: it is not noted. */
export async function makeBackup(options: BackupOptions): Promise<BackupReport> {
  const file = resolve(options.file);
  const folder = dirname(file);
  refuseToOverwrite(file);
  if (!existsSync(folder)) throw new BackupError(`there is no folder ${folder}: make it first`);
  const journal = join(options.dataDir, 'journal.db');
  if (!existsSync(journal)) {
    throw new BackupError(`${journal} is missing: ${options.dataDir} is not a data folder`);
  }
  refuseSwap(options.dataDir);
  requireRoom(folder, 2 * sizeOf(options.dataDir));
  const staging = mkdtempSync(`${file}.parts-`);
  try {
    const before = identityOf(journal);
    const manifest = copyParts(options, staging);
    refuseSwap(options.dataDir);
    if (identityOf(journal) !== before) throw swappedError(options.dataDir);
    await writeTar(`${file}.new`, staging, manifest);
    refuseToOverwrite(file);
    renameSync(`${file}.new`, file);
    syncPath(folder);
    const { lastSeq, lastTimeMs, files } = manifest;
    return { file, ...measureFile(file), lastSeq, lastTimeMs, files };
  } catch (error) {
    throw namingFullDisk(folder, error);
  } finally {
    rmSync(`${file}.new`, { force: true });
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The backup is whole, but a script must not take an unwritable data folder for a success. */
export function noteBackup(
  { dataDir, nowMs }: Pick<BackupOptions, 'dataDir' | 'nowMs'>,
  { file, lastSeq }: Pick<BackupReport, 'file' | 'lastSeq'>,
): void {
  try {
    writeBackupNote(dataDir, { seq: lastSeq, madeMs: nowMs });
  } catch (error) {
    throw new BackupError(
      `the backup ${file} is complete, but ${dataDir} could not be written to note that ` +
        `(${messageOf(error)}), so GET /metrics shows an older one: run the command as the user ` +
        'of the exchange',
    );
  }
}

function refuseToOverwrite(file: string): void {
  if (!existsSync(file)) return;
  throw new BackupError(`${file} already exists: a backup never overwrites a file`);
}

/** A checkpoint must not take the place of the data between two parts of a backup. */
function refuseSwap(dataDir: string): void {
  if (isSwapping(dataDir)) throw swappedError(dataDir);
}

function swappedError(dataDir: string): BackupError {
  return new BackupError(
    `a checkpoint was being restored in ${dataDir}: try again when that is done; after a crash, ` +
      'start the exchange once, which finishes it',
  );
}

/** Another file of the same path has another one. */
function identityOf(path: string): number {
  return statSync(path).ino;
}

/** Copies the parts of a backup in the order that keeps them consistent. */
function copyParts(options: BackupOptions, staging: string): BackupManifest {
  const { dataDir, onProgress } = options;
  const paths: string[] = [];
  const copied = (path: string): void => {
    paths.push(path);
    onProgress?.({ what: 'files copied', done: paths.length, total: 0 });
  };
  copyDatabase(dataDir, staging, 'journal.db');
  copied('journal.db');
  const { archives, ...end } = readCopy(join(staging, 'journal.db'));
  for (const name of archives) copied(linkFile(dataDir, staging, join('archive', name)));
  const snapshot = linkSnapshot(dataDir, staging, end.lastSeq);
  if (snapshot !== undefined) copied(snapshot);
  if (existsSync(join(dataDir, 'catalog.db'))) {
    copyDatabase(dataDir, staging, 'catalog.db');
    copied('catalog.db');
  }
  for (const name of ['master.secret', 'admin.token']) {
    if (existsSync(join(dataDir, name))) copied(copyFile(dataDir, staging, name));
  }
  writeDurableMark(join(staging, 'durable.seq'), end.lastSeq);
  copied('durable.seq');
  const files = paths.map((path): BackupFile => ({ path, ...measureFile(join(staging, path)) }));
  const madeAt = new Date(options.nowMs).toISOString();
  return { format: BACKUP_FORMAT, madeAt, madeBy: options.version, ...end, files };
}

/** Copies a database in one read transaction, which blocks no writer. */
function copyDatabase(dataDir: string, staging: string, name: string): void {
  readDatabase(join(dataDir, name), (database) =>
    database.prepare('VACUUM INTO ?').run(join(staging, name)),
  );
}

interface CopiedJournal extends Pick<BackupManifest, 'lastSeq' | 'lastTimeMs' | 'funding'> {
  /** File names. */
  readonly archives: readonly string[];
}

function readCopy(path: string): CopiedJournal {
  const journal = new JournalReader(path);
  try {
    const archives = journal.archives().map(archiveName);
    return readDatabase(path, (database) => {
      const funding = journalFunding(database);
      if (funding === undefined) throw new BackupError("the journal's meta table has no funding");
      return { ...journalEnd(database), funding, archives };
    });
  } finally {
    journal.close();
  }
}

/** Copies the newest snapshot that looks whole and is not newer than the copied journal. */
function linkSnapshot(dataDir: string, staging: string, lastSeq: number): string | undefined {
  for (const { seq, path } of listSnapshots(join(dataDir, 'snapshots'))) {
    if (seq > lastSeq || !looksWhole(path)) continue;
    const name = join('snapshots', path.slice(path.lastIndexOf('/') + 1));
    try {
      return linkFile(dataDir, staging, name);
    } catch (error) {
      // A running exchange removed it after it was listed.
      if (!isMissingFile(error)) throw error;
    }
  }
  return undefined;
}

/** Links a file that never changes; copies it if the file system has no links. */
function linkFile(dataDir: string, staging: string, name: string): string {
  mkdirSync(dirname(join(staging, name)), { recursive: true, mode: 0o700 });
  try {
    linkSync(join(dataDir, name), join(staging, name));
    return name;
  } catch (error) {
    if (isMissingFile(error)) throw error;
    return copyFile(dataDir, staging, name);
  }
}

function copyFile(dataDir: string, staging: string, name: string): string {
  copyFileSync(join(dataDir, name), join(staging, name));
  return name;
}

async function writeTar(path: string, staging: string, manifest: BackupManifest): Promise<void> {
  writeFileSync(join(staging, MANIFEST_NAME), `${JSON.stringify(manifest, undefined, 1)}\n`);
  const names = [MANIFEST_NAME, ...manifest.files.map((file) => file.path)];
  rmSync(path, { force: true });
  await create({ file: path, cwd: staging, portable: true, strict: true, mode: PRIVATE }, names);
  syncPath(path);
}

/** An upper bound of the bytes that a backup copies. Files may be removed during the count. */
function sizeOf(folder: string): number {
  const others = ['checkpoints', 'backups'].map((name) => join(folder, name));
  const copied = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) =>
      !entry.isDirectory() &&
      !entry.name.startsWith('analytics.db') &&
      !others.some((other) => entry.parentPath.startsWith(other)),
  );
  const sizes = copied.map(({ parentPath, name }) => {
    return statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}
