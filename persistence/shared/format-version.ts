/**
 * Versions of the formats on disk, and of this program. A database keeps the version of its format
 * in `PRAGMA user_version`: 1 for the first tables, and one more for each migration that has run.
 * Each journal also notes the newest program that opened it, so that a program that refuses a newer
 * format can say which one the folder needs. CONTRIBUTING.md describes how to add a migration.
 */
import type { Database } from 'better-sqlite3';
import packageJson from '../../package.json' with { type: 'json' };
import { StoreError, type StoreErrorCode } from './store-error.ts';

export const PROGRAM_VERSION = packageJson.version;

export interface DatabaseFormat {
  /** The statements that create the tables of version 1. */
  readonly tables: string;
  /**
   * The statements that make version 2 of version 1, version 3 of version 2, and so on. A new file
   * runs all of them after `tables`. A migration that was released never changes.
   */
  readonly migrations: readonly string[];
}

/** The version that this program writes. */
export function newestVersion({ migrations }: DatabaseFormat): number {
  return 1 + migrations.length;
}

/** 0 for a file in which no program created tables yet. */
export function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Creates the tables of a new file, or runs the migrations that an older one lacks. Call it in a
 * transaction, after the file was found not to be newer.
 */
export function migrate(database: Database, format: DatabaseFormat): void {
  const missing = [format.tables, ...format.migrations].slice(versionOf(database));
  for (const statements of missing) database.exec(statements);
  database.pragma(`user_version = ${newestVersion(format)}`);
}

export interface FoundVersion {
  readonly code: StoreErrorCode;
  /** What has the version: "the journal has format version". */
  readonly what: string;
  readonly found: number;
  readonly known: number;
  /** Says what to do instead. */
  readonly advice: () => string;
}

/** Throws StoreError `code` for a version that this program does not know yet. */
export function refuseNewer({ code, what, found, known, advice }: FoundVersion): void {
  if (found <= known) return;
  throw new StoreError(code, `${what} ${found} and this program knows ${known}: ${advice()}`);
}

/** Advice for `refuseNewer`. `noted`: the newest program that opened the folder, if it is known. */
export function programToStart(noted: string | undefined): string {
  return noted === undefined || !isNewerVersion(noted, PROGRAM_VERSION)
    ? `this is version ${PROGRAM_VERSION} of the program: start the newer one that wrote it`
    : `this is version ${PROGRAM_VERSION} of the program: start version ${noted}, which opened ` +
        'the folder before, or a newer one';
}

/** Whether `one` is a newer version than `other`; both as in package.json. */
export function isNewerVersion(one: string, other: string): boolean {
  const [mine, others] = [partsOf(one), partsOf(other)];
  const differing = mine.findIndex((part, place) => part !== others[place]);
  return differing >= 0 && (mine[differing] ?? 0) > (others[differing] ?? 0);
}

/** Major, minor and patch; what follows does not count. */
function partsOf(version: string): readonly number[] {
  return version.split(/[.+-]/, 3).map(Number);
}
