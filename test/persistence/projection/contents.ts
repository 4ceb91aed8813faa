/** Reads all tables of a projection, to compare them with those of another one. */
import type { Database } from 'better-sqlite3';

/** Every table, in the order of its key. */
export function contents(database: Database): unknown[] {
  const tables = database.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  return tables
    .pluck()
    .all()
    .map((table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()]);
}
