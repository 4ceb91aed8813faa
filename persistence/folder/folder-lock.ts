/**
 * The lock of a folder: an exclusive transaction on `lock.db`. Invariant: the system releases it
 * when the process dies. (A live database is never opened through `fs`: closing that descriptor
 * would release SQLite's locks.)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';

/** Takes the lock until the returned database is closed; undefined if it is already held. */
export function takeLock(folder: string): Database | undefined {
  const lock = new SqliteDatabase(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(holderFile(folder), `${process.pid}\n`, { mode: 0o600 });
    return lock;
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY';
    if (!isBusy) throw error;
    return undefined;
  }
}

/** Who took the lock last, for an error message: the lock does not depend on it. */
export function lastHolder(folder: string): string | undefined {
  try {
    return `process ${readFileSync(holderFile(folder), 'utf8').trim()}`;
  } catch {
    return undefined;
  }
}

function holderFile(folder: string): string {
  return join(folder, 'lock.pid');
}
