/**
 * The plans of the operator (CatalogPlan). Invariant: a plan is stored in the transaction that
 * stores its records, before any of its commands is submitted; it is done once all commands are
 * durable. Bound: one a market at the most.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Command } from '../../../engine/index.ts';
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

type OfName = Statement<[name: string], PlanRow>;

export class CatalogPlans {
  readonly #byName: OfName;
  readonly #unfinished: Statement<[], PlanRow>;
  readonly #put: Statement<[PlanRow]>;
  readonly #finish: OfName;
  readonly #delete: OfName;

  constructor(database: Database) {
    this.#byName = database.prepare(`${SELECT_PLANS} WHERE name = ?`);
    this.#unfinished = database.prepare(`${SELECT_PLANS} WHERE NOT is_done ORDER BY rowid`);
    this.#put = database.prepare(PUT_PLAN);
    this.#finish = database.prepare('UPDATE plans SET is_done = 1 WHERE name = ? AND NOT is_done');
    this.#delete = database.prepare('DELETE FROM plans WHERE name = ?');
  }

  get(name: string): CatalogPlan | undefined {
    const row = this.#byName.get(name);
    return row === undefined ? undefined : planOf(row);
  }

  /** Plans of which some command may not be durable, oldest first. */
  unfinished(): CatalogPlan[] {
    return this.#unfinished.all().map(planOf);
  }

  put({ name, eventId, request, commands, evidence }: CatalogPlan): void {
    this.#put.run({
      name,
      eventId,
      request: JSON.stringify(request),
      commands: JSON.stringify(commands),
      evidence: JSON.stringify(evidence),
    });
  }

  /** All commands are durable. */
  finish(name: string): void {
    this.#finish.run(name);
  }

  delete(name: string): void {
    this.#delete.run(name);
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
