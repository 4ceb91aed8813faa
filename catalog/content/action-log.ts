/**
 * The log of the operator's actions on the catalog, each with who requested it and why. An action
 * is logged in the transaction that does it, and kept permanently: the journal has none of them,
 * because they are not engine commands.
 */
import type { Database } from 'better-sqlite3';
import { type Attribution, StatementCache } from '../../persistence/shared/index.ts';

export interface OperatorAction {
  readonly kind: string;
  /** What was changed, and how. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly nowIso: string;
  readonly said: Attribution;
}

const PUT = `
INSERT INTO catalog_actions (time, kind, by, reason, details)
VALUES (@nowIso, @kind, @by, @reason, @details)`;

export class ActionLog {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  put({ kind, details, nowIso, said: { by, reason } }: OperatorAction): void {
    this.#sql.run(PUT, { kind, by, reason, nowIso, details: JSON.stringify(details) });
  }
}
