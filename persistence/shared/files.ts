/**
 * Replaces a small file atomically: writes a new file beside it, syncs, renames and syncs the
 * folder, so that neither a crash nor a power loss leaves half of it. Do not use it for databases.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissingFile } from './store-error.ts';

// How many files this process may open at once. Node raises the soft limit to the hard one when it
// starts.

/** On Linux alone. */
const LIMITS = '/proc/self/limits';

/** Infinite where the system has no limit. */
export function descriptorLimit(): number {
  if (!existsSync(LIMITS)) return limitInReport();
  const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync(LIMITS, 'utf8')) ?? [];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** On every system. But a report asks each thread for its stack, which takes 40 ms of each. */
export function limitInReport(): number {
  // Node's types lack `excludeNetwork`.
  const report: { getReport(): object; excludeNetwork?: boolean } = process.report;
  // Otherwise the report looks up the host names of all peers.
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as Report;
  const limit = userLimits?.open_files.soft;
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY;
}

interface Report {
  /** Absent on Windows. */
  readonly userLimits?: { readonly open_files: { readonly soft: number | 'unlimited' } };
}

// How much room files take, and how much is left.

/** The bytes of a file, or of all files in a folder. They may be removed during the count. */
export function bytesIn(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isDirectory()) return found?.size ?? 0;
  const sizes = namesIn(path).map((name) => bytesIn(join(path, name)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The names in a folder; none if there is no folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** What this user may still write to the disk of a folder. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function replaceFile(path: string, content: Buffer): void {
  const beside = `${path}.new`;
  // A file left by a crash could have another mode, and a link another target.
  rmSync(beside, { force: true });
  const file = openSync(beside, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
  syncPath(dirname(path));
}

/** Syncs a file, or a folder with the names in it. Do not call it for an open database. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
