/**
 * `backup`: an online copy of a data folder as one tar file. Invariant: what is copied later shows
 * no less than what was copied before it needs: the journal first, in one read transaction that
 * holds nobody up; then the archives that this copy names, a snapshot of no later command, and the
 * catalog, whose plans without commands the next start carries out. The file has its name once it
 * is whole and on the disk. Bound: room for twice the copy, beside the file, while it is made.
 *
 * analytics.db is left out: it is made again from the journal.
 */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { create } from 'tar';
import type { Funding, JournalEnd } from '../journal/index.ts';
import { archiveName, JournalReader, writeDurableMark } from '../journal/index.ts';
import { isMissingFile, openReadonly, syncPath } from '../shared/index.ts';
import { listSnapshots, looksWhole } from '../snapshots/index.ts';
import {
  BACKUP_FORMAT,
  BackupError,
  type BackupFile,
  type BackupManifest,
  MANIFEST_NAME,
  measureFile,
} from './backup-manifest.ts';
import { namingFullDisk, requireRoom } from './free-room.ts';

export interface BackupOptions {
  readonly dataDir: string;
  /** Must not be there yet. */
  readonly file: string;
  /** Of this program. */
  readonly version: string;
  readonly nowMs: number;
  readonly onProgress?: (progress: BackupProgress) => void;
}

export interface BackupProgress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

export interface BackupReport extends Pick<BackupManifest, 'lastSeq' | 'lastTimeMs' | 'files'> {
  readonly file: string;
  readonly bytes: number;
  /** Of the file, in hex. */
  readonly sha256: string;
}

const PRIVATE = 0o600;

/** Throws BackupError, or StoreError for a journal that can't be read. */
export async function backupFolder(options: BackupOptions): Promise<BackupReport> {
  const file = resolve(options.file);
  const folder = dirname(file);
  refuseToOverwrite(file);
  if (!existsSync(folder)) throw new BackupError(`there is no folder ${folder}: make it first`);
  const journal = join(options.dataDir, 'journal.db');
  if (!existsSync(journal)) {
    throw new BackupError(`${journal} is not there: ${options.dataDir} is no data folder`);
  }
  requireRoom(folder, 2 * sizeOf(options.dataDir));
  const staging = mkdtempSync(`${file}.parts-`);
  try {
    const manifest = copyParts(options, staging);
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

function refuseToOverwrite(file: string): void {
  if (!existsSync(file)) return;
  throw new BackupError(`${file} is there already: a backup never overwrites anything`);
}

/** Copies all that belongs to a backup, in the order that keeps it consistent. */
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
  for (const name of archives) copied(takeFile(dataDir, staging, join('archive', name)));
  const snapshot = takeSnapshot(dataDir, staging, end.lastSeq);
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

/** One read transaction: the writer goes on meanwhile. */
function copyDatabase(dataDir: string, staging: string, name: string): void {
  const path = join(dataDir, name);
  const database = openReadonly(path);
  try {
    database.prepare('VACUUM INTO ?').run(join(staging, name));
  } finally {
    database.close();
  }
}

interface CopiedJournal extends Pick<BackupManifest, 'lastSeq' | 'lastTimeMs' | 'funding'> {
  /** Names of files. */
  readonly archives: readonly string[];
}

function readCopy(path: string): CopiedJournal {
  const journal = new JournalReader(path);
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    const end = database
      .prepare<[], JournalEnd>(
        'SELECT seq AS lastSeq, time_ms AS lastTimeMs FROM commands ORDER BY seq DESC LIMIT 1',
      )
      .get() ?? { lastSeq: 0, lastTimeMs: 0 };
    const funding = database
      .prepare<[], Funding>("SELECT value FROM meta WHERE key = 'funding'")
      .pluck()
      .get();
    if (funding === undefined) throw new BackupError("the journal's meta table has no funding");
    return { ...end, funding, archives: journal.archives().map(archiveName) };
  } finally {
    database.close();
    journal.close();
  }
}

/** The newest that looks whole and shows no more than the copied journal. */
function takeSnapshot(dataDir: string, staging: string, lastSeq: number): string | undefined {
  for (const { seq, path } of listSnapshots(join(dataDir, 'snapshots'))) {
    if (seq > lastSeq || !looksWhole(path)) continue;
    const name = join('snapshots', path.slice(path.lastIndexOf('/') + 1));
    try {
      return takeFile(dataDir, staging, name);
    } catch (error) {
      // A running exchange keeps only a few.
      if (!isMissingFile(error)) throw error;
    }
  }
  return undefined;
}

/** Of a file that never changes, another name is enough, where that can be had. */
function takeFile(dataDir: string, staging: string, name: string): string {
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

/** Of everything that may be copied; what is not, is little beside it. */
function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += sizeOf(path);
    else if (!entry.name.startsWith('analytics.db')) bytes += sizeIfThere(path);
  }
  return bytes;
}

function sizeIfThere(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    if (isMissingFile(error)) return 0;
    throw error;
  }
}
