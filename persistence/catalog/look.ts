/**
 * What the main thread looks up in the catalog itself, over a connection that only reads: the words
 * of a market or event by its id, the operator's plans, and what a start needs.
 * Invariant: a look answers at once, and shows all that was committed before it. Bound: each reads
 * what one index finds, some ten microseconds, but for `tradable`, which is for starts.
 */
import assert from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { openPlanStableDatabase } from '../shared/index.ts';
import { CatalogPlans, standInSlug } from './intake/index.ts';
import type { CatalogMarket } from './lists/index.ts';
import {
  type CatalogEvent,
  CatalogQueries,
  type MarketScope,
  type TradableMarket,
} from './lists/index.ts';
import type { CatalogPlan, CommentParent } from './model/index.ts';
import {
  CATALOG_BOUNDS,
  type EventRow,
  FIRST_STAND_IN_ID,
  selectList,
  TAG_FIELDS,
  type TagRow,
} from './model/index.ts';
import { deriveNumericId, type NumericIdKind } from './records/index.ts';

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

const SELECT_TOKENS = `
SELECT t.token_id AS tokenId FROM markets m JOIN market_tokens t ON t.market_id = m.id`;

type Tokens = Statement<[id: number, limit: number], { readonly tokenId: string }>;
type Exists = Statement<[id: number], { readonly id: number }>;

export class CatalogLook {
  readonly #database: Database;
  readonly #queries: CatalogQueries;
  readonly #plans: CatalogPlans;
  readonly #kind: Statement<[id: number], KindRow>;
  readonly #tag: Statement<[slug: string], TagRow>;
  readonly #marketId: Statement<[conditionId: string], { readonly id: number }>;
  readonly #exists: Readonly<Record<NumericIdKind, Exists>>;
  readonly #eventId: Statement<[slug: string], { readonly id: number }>;
  readonly #tokens: Readonly<Record<'Event' | 'market', Tokens>>;

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
    this.#eventId = database.prepare('SELECT id FROM events WHERE slug = ?');
    const inOrder = 'ORDER BY m.id, t.outcome_index LIMIT ?';
    this.#tokens = {
      Event: database.prepare(`${SELECT_TOKENS} WHERE m.event_id = ? ${inOrder}`),
      market: database.prepare(`${SELECT_TOKENS} WHERE m.id = ? ${inOrder}`),
    };
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
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.marketsAPage;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.marketsAPage}`);
    return this.#queries.marketPage({ offset, limit }, scope);
  }

  /** Every market that may be traded, by event id and then market id. */
  tradable(): TradableMarket[] {
    return this.#queries.tradable(0);
  }

  /** The same of those that came by an import or sync and do not trade here. */
  importedTradable(): TradableMarket[] {
    return this.#queries.tradable(1);
  }

  /** A market as the engine needs it; undefined where there is none that may be traded. */
  tradableMarket(conditionId: string): TradableMarket | undefined {
    return this.#queries.tradableMarket(conditionId);
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

  /** The numeric id of an event. */
  eventId(slug: string): number | undefined {
    return this.#eventId.get(slug)?.id;
  }

  /** The tokens of the markets that are commented on, by market; of a series none. */
  tokensOf({ type, id }: CommentParent, limit: number): string[] {
    const statement = type === 'Series' ? undefined : this.#tokens[type];
    return statement?.all(id, limit).map(({ tokenId }) => tokenId) ?? [];
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
export function openCatalogLook(path: string): CatalogLook {
  return new CatalogLook(openPlanStableDatabase({ path, readonly: true }));
}
