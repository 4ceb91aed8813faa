/**
 * The manifest of a backup: `backup.json`, the first entry of its tar file, which lists all others.
 * Invariant: only files that a data folder has are allowed, each with its length and hash.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { Header } from 'tar';
import type { Funding } from '../journal/schema.ts';

/** Raised with each change that older programs can't restore. */
export const BACKUP_FORMAT = 1;
export const MANIFEST_NAME = 'backup.json';
/** Enough for thousands of archives. */
export const MANIFEST_BYTES = 4 * 1024 * 1024;

export interface BackupFile {
  /** Relative to the data folder. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface BackupManifest {
  readonly format: number;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly madeBy: string;
  /** The last command and its time; both 0 for none. */
  readonly lastSeq: number;
  readonly lastTimeMs: number;
  readonly funding: Funding;
  readonly files: readonly BackupFile[];
}

/** A backup can't be made or restored. The message says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

const KNOWN_NAMES = ['journal.db', 'catalog.db', 'durable.seq', 'master.secret', 'admin.token'];
const SNAPSHOT = /^snapshots\/[0-9]{15}\.snapshot$/;
const ARCHIVE = /^archive\/journal-[0-9]{15}-[0-9]{15}\.db$/;

export function isKnownPath(path: string): boolean {
  return KNOWN_NAMES.includes(path) || SNAPSHOT.test(path) || ARCHIVE.test(path);
}

const READ_BYTES = 1024 * 1024;

/** The length and hash of a file. Do not call it for an open database. */
export function measureFile(path: string): Pick<BackupFile, 'bytes' | 'sha256'> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let bytes = 0; ; ) {
      const count = readSync(file, buffer);
      if (count === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(file);
  }
}

const TAR_BLOCK = 512;

/** The manifest of a backup, without a look at the rest; undefined if it can't be read. */
export function readFirstManifest(path: string): BackupManifest | undefined {
  try {
    return firstManifestOf(path);
  } catch {
    // It is a folder, it is someone else's, it was removed meanwhile, or it is no backup.
    return undefined;
  }
}

/** Throws if the file can't be read, or does not begin with a manifest. */
function firstManifestOf(path: string): BackupManifest {
  const file = openSync(path, 'r');
  try {
    const block = Buffer.alloc(TAR_BLOCK);
    readSync(file, block, { position: 0 });
    const { size = 0 } = new Header(block);
    if (size <= 0 || size > MANIFEST_BYTES) throw new BackupError(`${path} has no manifest`);
    const text = Buffer.alloc(size);
    readSync(file, text, { position: TAR_BLOCK });
    return parseManifest(text.toString());
  } finally {
    closeSync(file);
  }
}

/** Throws BackupError. */
export function parseManifest(text: string): BackupManifest {
  const value = jsonOf(text);
  if (!isRecord(value)) throw malformed('it is not an object');
  const { format, madeAt, madeBy, lastSeq, lastTimeMs, funding, files } = value;
  if (format !== BACKUP_FORMAT) {
    throw new BackupError(
      `the backup has format ${String(format)} and this program knows ${BACKUP_FORMAT}: ` +
        `restore it with the program that made it (version ${String(madeBy)}), or a newer one`,
    );
  }
  if (typeof madeAt !== 'string' || typeof madeBy !== 'string')
    throw malformed('madeAt and madeBy must be texts');
  if (!isCount(lastSeq) || !isCount(lastTimeMs))
    throw malformed('lastSeq and lastTimeMs must be whole numbers');
  if (funding !== 'paper' && funding !== 'ledger')
    throw malformed('funding must be paper or ledger');
  if (!Array.isArray(files)) throw malformed('files must be a list');
  const checked = files.map(checkedFile);
  if (new Set(checked.map(({ path }) => path)).size < checked.length) {
    throw malformed('it lists a file twice');
  }
  if (!checked.some(({ path }) => path === 'journal.db')) throw malformed('it lists no journal.db');
  return { format, madeAt, madeBy, lastSeq, lastTimeMs, funding, files: checked };
}

function checkedFile(value: unknown): BackupFile {
  if (!isRecord(value)) throw malformed('each of files must be an object');
  const { path, bytes, sha256 } = value;
  if (typeof path !== 'string' || !isKnownPath(path)) {
    throw malformed(`it lists ${JSON.stringify(path)}, which no data folder has`);
  }
  if (!isCount(bytes)) throw malformed(`the bytes of ${path} must be a whole number`);
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw malformed(`the sha256 of ${path} must be 64 lower-case hex digits`);
  }
  return { path, bytes, sha256 };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('it is not JSON');
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(what: string): BackupError {
  return new BackupError(`the backup's ${MANIFEST_NAME} is malformed: ${what}`);
}
