/**
 * `restore`: makes a data folder from a backup. Invariant: nothing is put in place before the list
 * of entries, all lengths and all hashes were checked. From its first file to its last, every start
 * refuses the folder, because its durable mark says that it is being restored. Bound: disk space
 * for one copy.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { extract, list, type ReadEntry } from 'tar';
import { takeLock } from '../folder/data-folder.ts';
import { secretFingerprint } from '../folder/secrets.ts';
import { markRestoring, writeDurableMark } from '../journal/durable-mark.ts';
import { type JournalEnd, journalEnd, notedSecret } from '../journal/schema.ts';
import { codeOf, messageOf, readDatabase, syncPath } from '../shared/index.ts';
import {
  BackupError,
  type BackupManifest,
  isKnownPath,
  MANIFEST_BYTES,
  MANIFEST_NAME,
  measureFile,
  parseManifest,
} from './backup-manifest.ts';
import { namingFullDisk, requireRoom, type ToolOptions } from './compaction-limit.ts';
import { type CutPoint, restorePoint } from './journal-cut.ts';

/** `dataDir` must be empty or missing. */
export interface RestoreOptions extends ToolOptions {
  readonly file: string;
  /** The last command to restore; by default the backup's last one. */
  readonly point?: CutPoint;
  /** Test seam: called before each file is put in place, and before the restore is marked done. */
  readonly onStep?: () => void;
}

export interface RestoreReport extends JournalEnd {
  readonly dataDir: string;
  readonly manifest: BackupManifest;
}

const STAGING = 'restoring.new';
const PRIVATE = 0o600;
const READ_ONLY = 0o400;
const MARK = 'durable.seq';
/** The files that the restore itself writes into the folder. The mark is removed last. */
const OWN_FILES = [STAGING, 'lock.db', 'lock.pid', MARK];

/** Throws BackupError. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { file } = options;
  const dataDir = resolve(options.dataDir);
  if (!existsSync(file)) throw new BackupError(`there is no file ${file}`);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new BackupError(
      `${dataDir} is not empty: a backup is restored into an empty or a new folder only`,
    );
  }
  const manifest = await readManifest(file);
  const isNew = !existsSync(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = takeLock(dataDir);
  if (lock === undefined) throw new BackupError(`${dataDir} is in use by another process`);
  const placed: string[] = [];
  try {
    markRestoring(join(dataDir, MARK));
    const end = await fill(dataDir, manifest, options, placed);
    return { dataDir, manifest, ...end };
  } catch (error) {
    const made = [...placed, ...OWN_FILES].map((name) => join(dataDir, name));
    if (isNew) made.push(dataDir);
    for (const path of made) rmSync(path, { recursive: true, force: true });
    throw namingFullDisk(dataDir, error);
  } finally {
    lock.close();
  }
}

/** Adds to `placed` what it puts in place. */
async function fill(
  dataDir: string,
  manifest: BackupManifest,
  options: RestoreOptions,
  placed: string[],
): Promise<JournalEnd> {
  const { file } = options;
  const staging = join(dataDir, STAGING);
  mkdirSync(staging, { mode: 0o700 });
  requireRoom(
    dataDir,
    manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  await unpack(file, staging, manifest);
  checkFiles(staging, manifest, options);
  if (options.point !== undefined) await restorePoint(staging, options.point, options.onProgress);
  const end = endOf(staging, file);
  chmodSync(dataDir, 0o700);
  for (const name of readdirSync(staging)) {
    options.onStep?.();
    // The folder's own mark is written when all is in place.
    if (name === MARK) continue;
    placed.push(name);
    putInPlace(staging, dataDir, name);
  }
  rmSync(staging, { recursive: true });
  syncPath(dataDir);
  options.onStep?.();
  writeDurableMark(join(dataDir, MARK), end.lastSeq);
  syncPath(dirname(dataDir));
  return end;
}

/** Reads the manifest, and checks the header of every entry. */
async function readManifest(file: string): Promise<BackupManifest> {
  const sizes = new Map<string, number>();
  const chunks: Buffer[] = [];
  let fault: string | undefined;
  await readingTar(file, () =>
    list({
      file,
      strict: true,
      onReadEntry: (entry) => {
        fault ??= entryFault(entry, sizes);
        sizes.set(entry.path, entry.size);
        if (fault !== undefined || entry.path !== MANIFEST_NAME) return;
        entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      },
    }),
  );
  if (fault !== undefined) throw new BackupError(`${file} is refused: ${fault}`);
  if (!sizes.has(MANIFEST_NAME))
    throw new BackupError(`${file} is not a backup: it has no ${MANIFEST_NAME}`);
  const manifest = parseManifest(Buffer.concat(chunks).toString());
  compareLists(file, manifest, sizes);
  return manifest;
}

/** Why an entry can't belong to a backup; undefined if it can. */
function entryFault(entry: ReadEntry, seen: ReadonlyMap<string, number>): string | undefined {
  const { path, type, size } = entry;
  const name = JSON.stringify(path);
  if (type !== 'File') return `its entry ${name} is a ${type}, and a backup has plain files only`;
  if (path !== MANIFEST_NAME && !isKnownPath(path)) {
    return `its entry ${name} is not a file of a data folder`;
  }
  if (seen.has(path)) return `its entry ${name} occurs twice`;
  const isFirst = seen.size === 0;
  if (isFirst !== (path === MANIFEST_NAME)) return `its first entry is not ${MANIFEST_NAME}`;
  if (isFirst && size > MANIFEST_BYTES)
    return `its ${MANIFEST_NAME} has ${size} bytes, at most ${MANIFEST_BYTES} are allowed`;
  return undefined;
}

function compareLists(
  file: string,
  { files }: BackupManifest,
  sizes: ReadonlyMap<string, number>,
): void {
  for (const { path, bytes } of files) {
    const size = sizes.get(path);
    if (size === bytes) continue;
    const found = size === undefined ? 'is missing' : `has ${size} bytes instead of ${bytes}`;
    throw new BackupError(`${file} is damaged or was changed: its ${path} ${found}`);
  }
  const listed = new Set(files.map(({ path }) => path));
  const extra = [...sizes.keys()].find((path) => path !== MANIFEST_NAME && !listed.has(path));
  if (extra === undefined) return;
  throw new BackupError(`${file} was changed: its ${MANIFEST_NAME} does not list ${extra}`);
}

async function unpack(file: string, staging: string, manifest: BackupManifest): Promise<void> {
  const listed = new Set(manifest.files.map(({ path }) => path));
  await readingTar(file, () =>
    extract({
      file,
      cwd: staging,
      strict: true,
      preserveOwner: false,
      // Checked again, because the file may have been replaced since `readManifest`.
      filter: (path, entry) => listed.has(path) && 'type' in entry && entry.type === 'File',
    }),
  );
}

/** Turns the library's error for a broken tar into a sentence. */
async function readingTar(file: string, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    const code = codeOf(error);
    if (!code.startsWith('TAR_') && !code.startsWith('Z_')) throw error;
    throw new BackupError(`${file} is cut short, damaged or not a tar file: ${messageOf(error)}`);
  }
}

function checkFiles(staging: string, { files }: BackupManifest, options: RestoreOptions): void {
  for (const [index, { path, bytes, sha256 }] of files.entries()) {
    const place = join(staging, path);
    if (!existsSync(place)) throw new BackupError(`${options.file} is damaged: it has no ${path}`);
    const actual = measureFile(place);
    if (actual.bytes !== bytes || actual.sha256 !== sha256) {
      throw new BackupError(
        `${options.file} is damaged or was changed: its ${path} has SHA-256 ${actual.sha256} ` +
          `and its ${MANIFEST_NAME} says ${sha256}. Nothing was restored`,
      );
    }
    syncPath(place);
    chmodSync(place, path.startsWith('archive/') ? READ_ONLY : PRIVATE);
    options.onProgress?.({ what: 'files checked', done: index + 1, total: files.length });
  }
}

/** Checks the secret's fingerprint, and returns the end of the restored journal. */
function endOf(staging: string, file: string): JournalEnd {
  try {
    return readDatabase(join(staging, 'journal.db'), (database) => {
      checkSecret(staging, file, notedSecret(database));
      return journalEnd(database);
    });
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    throw new BackupError(`${file} has a journal.db that can't be read: ${error.message}`);
  }
}

function checkSecret(staging: string, file: string, fingerprint: string | undefined): void {
  const path = join(staging, 'master.secret');
  if (fingerprint === undefined || !existsSync(path)) return;
  if (secretFingerprint(readFileSync(path)) === fingerprint) return;
  throw new BackupError(
    `${file} has a master.secret that does not belong to its journal, so every API key would be ` +
      'refused. Restore another backup; or unpack this one with tar into an empty folder, ' +
      'and put ' +
      'the right master.secret there',
  );
}

function putInPlace(staging: string, dataDir: string, name: string): void {
  if (name === 'archive' || name === 'snapshots') {
    chmodSync(join(staging, name), 0o700);
    syncPath(join(staging, name));
  }
  renameSync(join(staging, name), join(dataDir, name));
}
