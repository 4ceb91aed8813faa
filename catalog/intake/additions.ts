/**
 * Adds the operator's new events and markets to the catalog, each with the plan that carries it
 * out. Stored events and markets are not overwritten, except placeholders. Invariant: records and
 * plan are stored together and synced to disk before any command of the plan is submitted, so the
 * journal never runs ahead of the catalog.
 * Bound: CATALOG_BOUNDS; one transaction, a tenth of a millisecond a market.
 */
import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { type CatalogPlan, durably, type EventRow, RefusalList } from '../model/index.ts';
import {
  type CheckedEvent,
  type CheckedMarket,
  checkEvents,
  checkMarketRecord,
  type ParentEvent,
} from '../records/event-records.ts';
import type { CatalogWriter } from './catalog-writer.ts';
import type { CatalogConflicts } from './conflicts.ts';
import type { EndedMarkets } from './ended-markets.ts';
import type { Placeholders } from './placeholders.ts';
import { CatalogPlans } from './plans.ts';

export function planName(kind: 'event' | 'market', slug: string): string {
  return `${kind}/${slug}`;
}

export interface IntakeParts {
  readonly conflicts: CatalogConflicts;
  readonly writer: CatalogWriter;
  readonly endedMarkets: EndedMarkets;
  readonly placeholders: Placeholders;
}

type ParentRow = Pick<EventRow, 'slug' | 'creator' | 'negRisk'>;

const MARKET_ID = 'SELECT id FROM markets WHERE condition_id = ?';
const SELECT_PARENT = 'SELECT slug, creator, neg_risk AS negRisk FROM events WHERE id = ?';

export class CatalogAdditions {
  readonly #sql: StatementCache;
  readonly #database: Database;
  readonly #parts: IntakeParts;
  readonly #plans: CatalogPlans;

  constructor(database: Database, parts: IntakeParts) {
    this.#sql = new StatementCache(database);
    this.#database = database;
    this.#parts = parts;
    this.#plans = new CatalogPlans(database);
  }

  finish(name: string): void {
    this.#plans.finish(name);
  }

  /**
   * Stores a new event, a record in the form of an import, with the plan that opens its markets. If
   * there is a plan of that name, returns it and stores nothing. Throws `CatalogImportError`: a
   * conflict if a stored record has one of its ids or slugs.
   */
  addEvent(record: unknown, plan: CatalogPlan): CatalogPlan | undefined {
    const events = checkNewEvent(record);
    return this.#store(plan, () => {
      for (const event of events) this.#putEvent(event);
    });
  }

  /** The same for a new market of a stored event. In refusals, the record's path is `$`. */
  addMarket(record: unknown, plan: CatalogPlan): CatalogPlan | undefined {
    const market = checkNewMarket(record, this.#parentOf(plan));
    return this.#store(plan, () => this.#putMarket(market));
  }

  #putEvent(event: CheckedEvent): void {
    const { conflicts, writer, endedMarkets, placeholders } = this.#parts;
    const refusals = new RefusalList();
    placeholders.removeFor(event.markets);
    conflicts.refuseTakenEvent(event, refusals);
    refusals.throwIfAny('conflict');
    writer.putEvent(event);
    endedMarkets.closeEnded(event.row.id);
  }

  #putMarket(market: CheckedMarket): void {
    const { conflicts, writer, endedMarkets, placeholders } = this.#parts;
    const refusals = new RefusalList();
    placeholders.removeFor([market]);
    conflicts.refuseTakenMarket(market, refusals);
    refusals.throwIfAny('conflict');
    writer.addMarket(market);
    endedMarkets.closeEnded(market.row.eventId);
  }

  /** Removes markets that the engine refused, their plan, and its new event if it is left empty. */
  withdraw({ name, eventId }: CatalogPlan, conditionIds: readonly string[]): void {
    const { writer } = this.#parts;
    const withdraw = this.#database.transaction(() => {
      for (const conditionId of conditionIds) {
        const id = this.#sql.value<number>(MARKET_ID, conditionId);
        if (id !== undefined) writer.deleteMarket(id);
      }
      this.#plans.delete(name);
      const slug = this.#sql.get<ParentRow>(SELECT_PARENT, eventId)?.slug ?? '';
      if (name === planName('event', slug)) writer.deleteEmptyEvent({ id: eventId, slug });
    });
    withdraw.immediate();
  }

  #parentOf({ eventId }: CatalogPlan): ParentEvent {
    const row = this.#sql.get<ParentRow>(SELECT_PARENT, eventId);
    if (row === undefined) throw new Error(`the catalog has no event ${eventId}`);
    return { eventId, creator: row.creator, isNegRisk: row.negRisk === 1 };
  }

  #store(plan: CatalogPlan, putRecords: () => void): CatalogPlan | undefined {
    return durably(this.#database, () => {
      const known = this.#plans.get(plan.name);
      if (known !== undefined) return known;
      putRecords();
      this.#plans.put(plan);
      return undefined;
    });
  }
}

/** Checks the record by itself. Throws `CatalogImportError` if it is malformed. */
export function checkNewEvent(record: unknown): CheckedEvent[] {
  const refusals = new RefusalList();
  const events = checkEvents([record], refusals);
  refusals.throwIfAny('malformed');
  return events;
}

export function checkNewMarket(record: unknown, parent: ParentEvent): CheckedMarket {
  const refusals = new RefusalList();
  const market = checkMarketRecord({ value: record, path: '$', refusals }, parent);
  refusals.throwIfAny('malformed');
  assert(market !== undefined, 'a market without a refusal passed its check');
  return market;
}
