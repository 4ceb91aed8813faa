/** Opens databases for reading, also while another process writes them. */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { STORE_PACE } from './store-bounds.ts';

/** Throws SqliteError if the file can't be opened; the caller closes the database. */
export function openReadonly(path: string): Database {
  return new SqliteDatabase(path, { readonly: true, timeout: STORE_PACE.busyMs });
}

/** Opens a database, reads it with `read` and closes it. */
export function readDatabase<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openReadonly(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}
