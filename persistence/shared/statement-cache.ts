/**
 * A cache of prepared statements by their SQL text, each prepared when it is first used. Bound:
 * STATEMENTS_KEPT statements. Beyond it the least recently used one is dropped, where uses before
 * the cache was full do not count.
 */

import type { Database, RunResult, Statement } from 'better-sqlite3';

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

  /** The first row. */
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
