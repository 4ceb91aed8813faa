// What the operator adds to the catalog: new events with their markets, and further markets, each
// with the plan that carries it out (catalog-plans.ts). Nothing that is stored is changed.
// Invariant: words and plan are stored whole, synced to the disk before any command of the plan is
// submitted, so that the journal never runs ahead of them. Bound: CATALOG_BOUNDS; one transaction,
// a tenth of a millisecond a market.

import assert from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { type CatalogPlan, type EventRow, RefusalList } from '../model/index.ts';
import {
  type CheckedEvent,
  type CheckedMarket,
  checkEvents,
  checkMarket,
  type ParentEvent,
} from '../records/index.ts';
import type { CatalogConflicts } from './conflicts.ts';
import type { CatalogEnds } from './ends.ts';
import type { LostMarkets } from './lost.ts';
import { CatalogPlans } from './plans.ts';
import type { CatalogWriter } from './write.ts';

/** The name of the plan of an event, or of one further market. */
export function planName(kind: 'event' | 'market', slug: string): string {
  return `${kind}/${slug}`;
}

export interface AdditionsParts {
  readonly conflicts: CatalogConflicts;
  readonly writer: CatalogWriter;
  readonly ends: CatalogEnds;
  readonly lost: LostMarkets;
}

type ParentRow = Pick<EventRow, 'slug' | 'creator' | 'negRisk'>;

const SELECT_PARENT = 'SELECT slug, creator, neg_risk AS negRisk FROM events WHERE id = ?';

export class CatalogAdditions {
  readonly #database: Database;
  readonly #parts: AdditionsParts;
  readonly #plans: CatalogPlans;
  readonly #parent: Statement<[id: number], ParentRow>;
  readonly #marketId: Statement<[conditionId: string], { readonly id: number }>;

  constructor(database: Database, parts: AdditionsParts) {
    this.#database = database;
    this.#parts = parts;
    this.#plans = new CatalogPlans(database);
    this.#parent = database.prepare(SELECT_PARENT);
    this.#marketId = database.prepare('SELECT id FROM markets WHERE condition_id = ?');
  }

  /** All commands of the plan are durable. */
  finish(name: string): void {
    this.#plans.finish(name);
  }

  /**
   * Stores a new event, a record in the form of an import, with the plan that opens its markets.
   * Where there is a plan of that name already, that is the answer and nothing is stored. Throws
   * `CatalogImportError`: as a conflict where something stored has one of the names.
   */
  addEvent(record: unknown, plan: CatalogPlan): CatalogPlan | undefined {
    const events = checkNewEvent(record);
    return this.#store(plan, () => {
      for (const event of events) this.#putEvent(event);
    });
  }

  /** The same of one further market of a stored event; the record's path is `$`. */
  addMarket(record: unknown, plan: CatalogPlan): CatalogPlan | undefined {
    const market = checkNewMarket(record, this.#parentOf(plan));
    return this.#store(plan, () => this.#putMarket(market));
  }

  #putEvent(event: CheckedEvent): void {
    const { conflicts, writer, ends, lost } = this.#parts;
    const refusals = new RefusalList();
    lost.makeWay(event.markets);
    conflicts.refuseTaken(event, refusals);
    refusals.throwIfAny('conflict');
    writer.putEvent(event);
    ends.overlay(event.row.id);
  }

  #putMarket(market: CheckedMarket): void {
    const { conflicts, writer, ends, lost } = this.#parts;
    const refusals = new RefusalList();
    lost.makeWay([market]);
    conflicts.refuseTakenMarket(market, refusals);
    refusals.throwIfAny('conflict');
    writer.addMarket(market);
    ends.overlay(market.row.eventId);
  }

  /** Takes back markets that the engine refused, with their plan and an event left empty. */
  withdraw({ name, eventId }: CatalogPlan, conditionIds: readonly string[]): void {
    const { writer } = this.#parts;
    const withdraw = this.#database.transaction(() => {
      for (const conditionId of conditionIds) {
        const market = this.#marketId.get(conditionId);
        if (market !== undefined) writer.deleteMarket(market.id);
      }
      this.#plans.delete(name);
      const slug = this.#parent.get(eventId)?.slug ?? '';
      if (name === planName('event', slug)) writer.deleteEmptyEvent({ id: eventId, slug });
    });
    withdraw.immediate();
  }

  #parentOf({ eventId }: CatalogPlan): ParentEvent {
    const row = this.#parent.get(eventId);
    if (row === undefined) throw new Error(`the catalog has no event ${eventId}`);
    return { eventId, creator: row.creator, isNegRisk: row.negRisk === 1 };
  }

  /** Synced at the commit: else a loss of power could take the words back and leave the journal. */
  #store(plan: CatalogPlan, putWords: () => void): CatalogPlan | undefined {
    const usual = Number(this.#database.pragma('synchronous', { simple: true }));
    this.#database.pragma('synchronous = FULL');
    try {
      const store = this.#database.transaction(() => {
        const known = this.#plans.get(plan.name);
        if (known !== undefined) return known;
        putWords();
        this.#plans.put(plan);
        return undefined;
      });
      return store.immediate();
    } finally {
      this.#database.pragma(`synchronous = ${usual}`);
    }
  }
}

/** Looks at nothing that is stored; throws `CatalogImportError` for a record that is malformed. */
export function checkNewEvent(record: unknown): CheckedEvent[] {
  const refusals = new RefusalList();
  const events = checkEvents([record], refusals);
  refusals.throwIfAny('malformed');
  return events;
}

/** The same of a further market. */
export function checkNewMarket(record: unknown, parent: ParentEvent): CheckedMarket {
  const refusals = new RefusalList();
  const market = checkMarket({ value: record, path: '$', refusals }, parent);
  refusals.throwIfAny('malformed');
  assert(market !== undefined, 'a market without a refusal passed its check');
  return market;
}
