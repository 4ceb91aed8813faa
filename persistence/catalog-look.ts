/**
 * What the main thread looks up in the catalog itself, over a connection that only reads: the words
 * of a market or event by its id, the operator's plans, and what a start needs.
 * Invariant: a look answers at once, and shows all that was committed before it. Bound: each reads
 * what one index finds, some ten microseconds, but for `tradable`, which is for starts.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { FIRST_STAND_IN_ID } from './catalog-bounds.ts';
import { deriveNumericId, type NumericIdKind } from './catalog-identity.ts';
import type { CatalogMarket } from './catalog-markets.ts';
import { type CatalogPlan, CatalogPlans } from './catalog-plans.ts';
import {
  type CatalogEvent,
  CatalogQueries,
  type MarketScope,
  type TradableMarket,
} from './catalog-queries.ts';
import { type EventRow, selectList, TAG_FIELDS, type TagRow } from './catalog-rows.ts';
import { standInSlug } from './catalog-stand-in.ts';
import { STORE_PACE } from './store-bounds.ts';

/** An event as a further market needs to know it. */
export interface EventKind {
  readonly slug: string;
  readonly negRisk: boolean;
  readonly marketCount: number;
  readonly creator: string;
}

interface KindRow extends Pick<EventRow, 'slug' | 'creator' | 'negRisk'> {
  readonly marketCount: number;
}

// The event of lost markets has the id that the real one will have again.
const SELECT_REAL_EVENT = `
SELECT id FROM events WHERE id = ? AND slug <> '${standInSlug('')}' || id`;

const SELECT_KIND = `
SELECT slug, creator, neg_risk AS negRisk,
  (SELECT count(*) FROM markets WHERE event_id = events.id) AS marketCount
FROM events WHERE id = ?`;

type Exists = Statement<[id: number], { readonly id: number }>;

export class CatalogLook {
  readonly #database: Database;
  readonly #queries: CatalogQueries;
  readonly #plans: CatalogPlans;
  readonly #kind: Statement<[id: number], KindRow>;
  readonly #tag: Statement<[slug: string], TagRow>;
  readonly #marketId: Statement<[conditionId: string], { readonly id: number }>;
  readonly #exists: Readonly<Record<NumericIdKind, Exists>>;

  /** The database is closed with the look. */
  constructor(database: Database) {
    this.#database = database;
    this.#queries = new CatalogQueries(database);
    this.#plans = new CatalogPlans(database);
    this.#kind = database.prepare(SELECT_KIND);
    this.#tag = database.prepare(
      `SELECT ${selectList('t', TAG_FIELDS)} FROM tags t WHERE slug = ?`,
    );
    this.#marketId = database.prepare('SELECT id FROM markets WHERE condition_id = ?');
    const exists = (table: string): Exists =>
      database.prepare(`SELECT id FROM ${table} WHERE id = ?`);
    this.#exists = {
      event: database.prepare(SELECT_REAL_EVENT),
      market: exists('markets'),
      tag: exists('tags'),
      series: exists('series'),
      creator: exists('creators'),
    };
  }

  /** The market of a condition id (`0x` and 64 lower-case hex digits). */
  marketByCondition(conditionId: string): CatalogMarket | undefined {
    return this.#queries.marketByCondition(conditionId);
  }

  /** The market of a numeric id. */
  market(id: number): CatalogMarket | undefined {
    return this.#queries.market(id);
  }

  /** The event of a numeric id. */
  event(id: number): CatalogEvent | undefined {
    return this.#queries.event(id);
  }

  marketCount(scope: MarketScope = 'all'): number {
    return this.#queries.marketCount(scope);
  }

  /** Markets by ascending id; `limit` is at most `CATALOG_BOUNDS.marketsAPage`. */
  marketPage(offset: number, limit: number, scope: MarketScope = 'all'): CatalogMarket[] {
    return this.#queries.marketPage({ offset, limit }, scope);
  }

  /** Every market that may be traded, by event id and then market id. */
  tradable(): TradableMarket[] {
    return this.#queries.tradable();
  }

  eventKind(id: number): EventKind | undefined {
    const row = this.#kind.get(id);
    return row === undefined ? undefined : { ...row, negRisk: row.negRisk === 1 };
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

  /** A numeric id for a record that was given none: neither stored nor among those `chosen`. */
  freeId(kind: NumericIdKind, slug: string, chosen: ReadonlySet<number>): number {
    const { [kind]: exists } = this.#exists;
    const isTaken = (id: number) => chosen.has(id) || exists.get(id) !== undefined;
    return deriveNumericId(kind, slug, isTaken);
  }

  /** The plan of that name. */
  plan(name: string): CatalogPlan | undefined {
    return this.#plans.get(name);
  }

  /** Plans of which some command may not be durable, oldest first. */
  undonePlans(): CatalogPlan[] {
    return this.#plans.undone();
  }

  close(): void {
    this.#database.close();
  }
}

/** Opens a catalog that its writing thread has made. */
export const openCatalogLook = (path: string): CatalogLook =>
  new CatalogLook(new SqliteDatabase(path, { readonly: true, timeout: STORE_PACE.busyMs }));
