/**
 * Prepared statements whose SQL is put together from parts: each text is prepared once. Bound: the
 * STATEMENTS_KEPT texts that were used last.
 */

import type { Database, Statement } from 'better-sqlite3';

const STATEMENTS_KEPT = 256;

export class StatementCache {
  readonly #database: Database;
  /** By SQL, the most recently used at the end. */
  readonly #statements = new Map<string, Statement<unknown[], unknown>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** A statement that returns rows as objects. Its SQL must not be given to `column` too. */
  prepare<Parameters extends unknown[], Row>(sql: string): Statement<Parameters, Row> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest = ''] = this.#statements.keys();
    if (this.#statements.size > STATEMENTS_KEPT) this.#statements.delete(oldest);
    // As safe as any prepared statement: the caller knows what its SQL selects.
    return statement as unknown as Statement<Parameters, Row>;
  }

  /** The first column of each row. */
  column<Value>(
    sql: string,
    values: Readonly<Record<string, unknown>> | readonly unknown[],
  ): Value[] {
    return this.prepare<unknown[], Value>(sql).pluck().all(values);
  }
}
