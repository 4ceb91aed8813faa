/**
 * A cache of prepared statements by their SQL text, each prepared when it is first used. Bound:
 * STATEMENTS_KEPT statements. Beyond it the least recently used one is dropped, where uses before
 * the cache was full do not count.
 */

import type { Database, RunResult, Statement } from 'better-sqlite3';
import SqliteDatabase from 'better-sqlite3';
import { STORE_PACE } from './store-bounds.ts';

// Opens a database whose statements are planned once, whatever is bound to them later (SQLite calls
// this the query planner stability guarantee, which better-sqlite3 can't switch on).
//
// When SQLite plans a join it looks at the values bound in `column = ?` and `LIMIT ?`, and plans
// the statement again whenever other values are bound: 10 to 160 microseconds instead of two at
// each use. It does not look at `column = +?` and `LIMIT +?`, so `prepare` puts the plus there.

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

// Opens databases for reading, also while another process writes them.

/** Throws SqliteError if the file can't be opened; the caller closes the database. */
export function openReadonly(path: string): Database {
  return new SqliteDatabase(path, { readonly: true, timeout: STORE_PACE.busyMs });
}

export function readDatabase<Result>(path: string, read: (database: Database) => Result): Result {
  const database = openReadonly(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** `endDate` to `end_date`, `volume24hr` to `volume_24hr`: the column of a field. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);
}

const STATEMENTS_KEPT = 256;

export class StatementCache {
  readonly #database: Database;
  /** By SQL; once the cache is full, the most recently used at the end. */
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns rows as objects. Do not use its SQL with `column` or `value`: they change the mode. */
  prepare<Parameters extends unknown[], Row>(sql: string): Statement<Parameters, Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined || this.#statements.size >= STATEMENTS_KEPT) {
      // The order matters only when the cache is full.
      statement ??= this.#database.prepare(sql);
      this.#statements.delete(sql);
      this.#statements.set(sql, statement);
      const [oldest = ''] = this.#statements.keys();
      if (this.#statements.size > STATEMENTS_KEPT) this.#statements.delete(oldest);
    }
    // As safe as any prepared statement: the caller knows what its SQL selects.
    return statement as unknown as Statement<Parameters, Row>;
  }

  run(sql: string, ...values: readonly unknown[]): RunResult {
    return this.prepare(sql).run(...values);
  }

  get<Row>(sql: string, ...values: readonly unknown[]): Row | undefined {
    return this.prepare<unknown[], Row>(sql).get(...values);
  }

  all<Row>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.prepare<unknown[], Row>(sql).all(...values);
  }

  /** The first column of the first row. */
  value<Value>(sql: string, ...values: readonly unknown[]): Value | undefined {
    return this.prepare<unknown[], Value>(sql)
      .pluck()
      .get(...values);
  }

  /** The first column of each row. */
  column<Value>(
    sql: string,
    values: Readonly<Record<string, unknown>> | readonly unknown[],
  ): Value[] {
    return this.prepare<unknown[], Value>(sql).pluck().all(values);
  }
}
