/**
 * The plans of the operator (CatalogPlan). Invariant: a plan is stored in the transaction that
 * stores its records, before any of its commands is submitted; it is done once all commands are
 * durable. Bound: at most one for each market.
 */
import type { Database } from 'better-sqlite3';
import type { Command } from '../../engine/index.ts';
import { StatementCache } from '../../persistence/shared/index.ts';
import type { CatalogPlan } from '../model/index.ts';

interface PlanRow {
  readonly name: string;
  readonly eventId: number;
  readonly request: string;
  readonly commands: string;
  readonly evidence: string;
}

const SELECT_PLANS = 'SELECT name, event_id AS eventId, request, commands, evidence FROM plans';
const PUT_PLAN = `
INSERT INTO plans (name, event_id, request, commands, evidence, is_done)
VALUES (@name, @eventId, @request, @commands, @evidence, 0)`;

export class CatalogPlans {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  get(name: string): CatalogPlan | undefined {
    const row = this.#sql.get<PlanRow>(`${SELECT_PLANS} WHERE name = ?`, name);
    return row && planOf(row);
  }

  /** Plans with a command that may not be durable, oldest first. */
  unfinished(): CatalogPlan[] {
    return this.#sql.all<PlanRow>(`${SELECT_PLANS} WHERE NOT is_done ORDER BY rowid`).map(planOf);
  }

  put({ name, eventId, request, commands, evidence }: CatalogPlan): void {
    this.#sql.run(PUT_PLAN, {
      name,
      eventId,
      request: JSON.stringify(request),
      commands: JSON.stringify(commands),
      evidence: JSON.stringify(evidence),
    });
  }

  /** Call it when all commands are durable. */
  finish(name: string): void {
    this.#sql.run('UPDATE plans SET is_done = 1 WHERE name = ? AND NOT is_done', name);
  }

  delete(name: string): void {
    this.#sql.run('DELETE FROM plans WHERE name = ?', name);
  }
}

function planOf(row: PlanRow): CatalogPlan {
  const { name, eventId } = row;
  return {
    name,
    eventId,
    request: JSON.parse(row.request),
    // Safe: `put` wrote them.
    commands: JSON.parse(row.commands) as Command[],
    evidence: JSON.parse(row.evidence),
  };
}
