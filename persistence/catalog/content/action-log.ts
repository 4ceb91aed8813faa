/**
 * The log of the operator's actions on the catalog, each with who requested it and why. An action
 * is logged in the transaction that does it, and kept permanently: the journal has none of them,
 * because they are no commands of the engine.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Attribution } from '../../shared/index.ts';

export interface OperatorAction {
  readonly kind: string;
  /** What was changed, and how. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: Attribution;
}

export class ActionLog {
  readonly #put: Statement<[Readonly<Record<string, string>>]>;

  constructor(database: Database) {
    this.#put = database.prepare(
      `INSERT INTO catalog_actions (time, kind, by, reason, details)
       VALUES (@nowIso, @kind, @by, @reason, @details)`,
    );
  }

  put({ kind, details, nowIso, said: { by, reason } }: OperatorAction): void {
    this.#put.run({ kind, by, reason, nowIso, details: JSON.stringify(details) });
  }
}
