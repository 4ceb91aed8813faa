/**
 * Opens a database whose statements are planned once, whatever is bound to them later (SQLite calls
 * this the query planner stability guarantee, which better-sqlite3 can't switch on).
 *
 * When SQLite plans a join it looks at the values bound in `column = ?` and `LIMIT ?`, and plans
 * the statement again whenever other values are bound: 10 to 160 microseconds instead of two at
 * each use. It does not look at `column = +?` and `LIMIT +?`, so `prepare` puts the plus there.
 */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { STORE_PACE } from './store-bounds.ts';

const PEEKED = /([=<>]\s*|\bLIMIT\s+)(?=[?@])/g;

/** The same SQL, planned without a look at the bound values. */
export function planStableSql(sql: string): string {
  return sql.replace(PEEKED, '$1+');
}

export interface PlanStableOptions {
  readonly path: string;
  readonly readonly: boolean;
}

/** Throws SqliteError if the file can't be used; the caller closes the database. */
export function openPlanStableDatabase({ path, readonly }: PlanStableOptions): Database {
  const database = new SqliteDatabase(path, { readonly, timeout: STORE_PACE.busyMs });
  const prepare = database.prepare.bind(database);
  // Safe: it makes a statement of the same database with the same parameters.
  database.prepare = ((sql: string) => prepare(planStableSql(sql))) as Database['prepare'];
  return database;
}
