/**
 * How threads open a database that is read by joins. Invariant: a statement is planned once,
 * whatever is bound to it later.
 *
 * SQLite looks at the value in `column = ?` when it plans a join, for -1, 0 and 1 are likely to be
 * found more often than others, and at the one in `LIMIT ?`. A statement whose plan took that look
 * is planned again whenever something else is bound: 10 to 160 microseconds in place of two, at
 * each use. In `column = +?` and `LIMIT +?` it does not look, and all else is the same. So the plus
 * is put there here, for all of them.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { STORE_PACE } from './store-bounds.ts';

const LOOKED_AT = /([=<>]\s*|\bLIMIT\s+)(?=[?@])/g;

/** The same SQL, planned without a look at what is bound. */
export function planStableSql(sql: string): string {
  return sql.replace(LOOKED_AT, '$1+');
}

export interface SteadyDatabaseOptions {
  readonly path: string;
  readonly readonly: boolean;
}

/** Throws SqliteError where the file can't be used; the caller closes it. */
export function openPlanStableDatabase({ path, readonly }: SteadyDatabaseOptions): Database {
  const database = new SqliteDatabase(path, { readonly, timeout: STORE_PACE.busyMs });
  const prepare = database.prepare.bind(database);
  // Safe: what it makes is a statement of the same database with the same parameters.
  database.prepare = ((sql: string) => prepare(planStableSql(sql))) as Database['prepare'];
  return database;
}
