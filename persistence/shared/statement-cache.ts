// Statements that are made of parts: each shape is prepared once and kept while it is used.
// Bound: the last `STATEMENTS_KEPT` shapes.

import type { Database, Statement } from 'better-sqlite3';

const STATEMENTS_KEPT = 256;

export class StatementCache {
  readonly #database: Database;
  /** By their SQL, the one that was used last at the end. */
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The first column of each row. */
  column<Value>(
    sql: string,
    values: Readonly<Record<string, unknown>> | readonly unknown[],
  ): Value[] {
    // Safe as far as the caller knows what its SQL selects, as with every prepared statement.
    return this.#statement(sql).all(values) as Value[];
  }

  #statement(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql).pluck();
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest = ''] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_KEPT) this.#statements.delete(oldest);
    return statement;
  }
}
