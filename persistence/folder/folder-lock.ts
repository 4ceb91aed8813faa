/**
 * The lock of a folder: an exclusive transaction held on a database of its own. Invariant: the
 * system drops it with the process that has it, however that dies. (No live database is ever
 * opened through `fs`: closing it there would drop SQLite's locks.)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';

/** Held until it is closed; undefined when another has it. */
export function takeLock(folder: string): Database | undefined {
  const lock = new SqliteDatabase(join(folder, 'lock.db'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(noteOf(folder), `${process.pid}\n`, { mode: 0o600 });
    return lock;
  } catch (error) {
    lock.close();
    const isBusy = error instanceof SqliteDatabase.SqliteError && error.code === 'SQLITE_BUSY';
    if (!isBusy) throw error;
    return undefined;
  }
}

/** Who took the lock last: words for a person, for the lock itself doesn't hang on them. */
export function lastHolder(folder: string): string | undefined {
  try {
    return `process ${readFileSync(noteOf(folder), 'utf8').trim()}`;
  } catch {
    return undefined;
  }
}

function noteOf(folder: string): string {
  return join(folder, 'lock.pid');
}
