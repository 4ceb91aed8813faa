// What the operator adds to the catalog: new events with their markets, and further markets, each
// with the plan that carries it out (catalog-plans.ts). Nothing that is stored is changed.
// Invariant: words and plan are stored whole, synced to the disk before any command of the plan is
// submitted, so that the journal never runs ahead of them. Bound: CATALOG_BOUNDS; one transaction
// on the caller's thread, a tenth of a millisecond a market.

import type { Database, Statement } from 'better-sqlite3';
import { FIRST_STAND_IN_ID } from './catalog-bounds.ts';
import {
  type CheckedEvent,
  type CheckedMarket,
  checkEvents,
  checkMarket,
  type ParentEvent,
} from './catalog-check.ts';
import type { CatalogConflicts } from './catalog-conflicts.ts';
import type { CatalogEnds } from './catalog-ends.ts';
import { deriveNumericId, type NumericIdKind } from './catalog-identity.ts';
import type { LostMarkets } from './catalog-lost.ts';
import { type CatalogPlan, CatalogPlans } from './catalog-plans.ts';
import { RecordReader, RefusalList } from './catalog-record-reader.ts';
import { type EventRow, selectList, TAG_FIELDS, type TagRow } from './catalog-rows.ts';
import { standInSlug } from './catalog-stand-in.ts';
import type { CatalogWriter } from './catalog-write.ts';

/** The name of the plan of an event, or of one further market. */
export const planName = (kind: 'event' | 'market', slug: string): string => `${kind}/${slug}`;

export interface AdditionsParts {
  readonly conflicts: CatalogConflicts;
  readonly writer: CatalogWriter;
  readonly ends: CatalogEnds;
  readonly lost: LostMarkets;
}

/** An event as a further market needs to know it. */
export interface EventKind {
  readonly slug: string;
  readonly negRisk: boolean;
  readonly marketCount: number;
}

/** What was found well-formed and can be stored. */
export interface Addition {
  /**
   * Stores words and plan, all or nothing: throws `CatalogImportError`, as a conflict, where
   * something stored has one of the names.
   */
  store(): void;
}

interface ParentRow extends Pick<EventRow, 'slug' | 'creator' | 'negRisk'> {
  readonly marketCount: number;
}

// The event of lost markets has the id that the real one will have again.
const SELECT_REAL_EVENT = `
SELECT id FROM events WHERE id = ? AND slug <> '${standInSlug('')}' || id`;

const SELECT_PARENT = `
SELECT slug, creator, neg_risk AS negRisk,
  (SELECT count(*) FROM markets WHERE event_id = events.id) AS marketCount
FROM events WHERE id = ?`;

type Exists = Statement<[id: number], { readonly id: number }>;

export class CatalogAdditions {
  readonly #database: Database;
  readonly #parts: AdditionsParts;
  readonly #plans: CatalogPlans;
  readonly #parent: Statement<[id: number], ParentRow>;
  readonly #tag: Statement<[slug: string], TagRow>;
  readonly #marketId: Statement<[conditionId: string], { readonly id: number }>;
  readonly #exists: Readonly<Record<NumericIdKind, Exists>>;

  constructor(database: Database, parts: AdditionsParts) {
    this.#database = database;
    this.#parts = parts;
    this.#plans = new CatalogPlans(database);
    this.#parent = database.prepare(SELECT_PARENT);
    this.#tag = database.prepare(
      `SELECT ${selectList('t', TAG_FIELDS)} FROM tags t WHERE slug = ?`,
    );
    this.#marketId = database.prepare('SELECT id FROM markets WHERE condition_id = ?');
    this.#exists = {
      event: database.prepare(SELECT_REAL_EVENT),
      market: database.prepare('SELECT id FROM markets WHERE id = ?'),
      tag: database.prepare('SELECT id FROM tags WHERE id = ?'),
    };
  }

  /** A numeric id for a record that was given none: neither stored nor among those `chosen`. */
  freeId(kind: NumericIdKind, slug: string, chosen: ReadonlySet<number>): number {
    const { [kind]: exists } = this.#exists;
    const isTaken = (id: number) => chosen.has(id) || exists.get(id) !== undefined;
    return deriveNumericId(kind, slug, isTaken);
  }

  event(id: number): EventKind | undefined {
    const row = this.#parent.get(id);
    if (row === undefined) return undefined;
    const { slug, negRisk, marketCount } = row;
    return { slug, negRisk: negRisk === 1, marketCount };
  }

  /** A stored tag in the form of an import. */
  tagRecord(slug: string): Readonly<Record<string, unknown>> | undefined {
    const row = this.#tag.get(slug);
    if (row === undefined) return undefined;
    const { id, record, requiresTranslation, ...words } = row;
    const further: object = JSON.parse(record);
    return { ...further, ...words, id: `${id}`, requiresTranslation: requiresTranslation === 1 };
  }

  /** Whether a market of the engine is only stood in for. */
  isLost(conditionId: string): boolean {
    return (this.#marketId.get(conditionId)?.id ?? 0) >= FIRST_STAND_IN_ID;
  }

  /** The plan of that name. */
  plan(name: string): CatalogPlan | undefined {
    return this.#plans.get(name);
  }

  /** Plans of which some command may not be durable, oldest first. */
  undonePlans(): CatalogPlan[] {
    return this.#plans.undone();
  }

  /** All commands of the plan are durable. */
  finish(name: string): void {
    this.#plans.finish(name);
  }

  /**
   * What can be done with a new event, a record in the form of an import, and the plan that opens
   * its markets. Throws `CatalogImportError` for a record that is malformed.
   */
  checkEvent(record: unknown, plan: CatalogPlan): Addition {
    const refusals = new RefusalList();
    const events = checkEvents([record], refusals);
    refusals.throwIfAny('malformed');
    return {
      store: () =>
        this.#store(plan, () => {
          for (const event of events) this.#putEvent(event);
        }),
    };
  }

  /** The same of one further market of a stored event; the record's path is `$`. */
  checkMarket(record: unknown, plan: CatalogPlan): Addition {
    const refusals = new RefusalList();
    const market = checkMarket(new RecordReader(record, '$', refusals), this.#parentOf(plan));
    refusals.throwIfAny('malformed');
    return { store: () => this.#store(plan, () => this.#putMarket(market)) };
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
  #store(plan: CatalogPlan, putWords: () => void): void {
    const usual = Number(this.#database.pragma('synchronous', { simple: true }));
    this.#database.pragma('synchronous = FULL');
    try {
      const store = this.#database.transaction(() => {
        putWords();
        this.#plans.put(plan);
      });
      store.immediate();
    } finally {
      this.#database.pragma(`synchronous = ${usual}`);
    }
  }
}
