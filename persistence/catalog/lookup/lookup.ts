/** Lookups in the catalog by the main thread, over a read-only connection of its own. */
import assert from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { openPlanStableDatabase } from '../../shared/index.ts';
import { CatalogPlans, placeholderSlug } from '../intake/index.ts';
import {
  CATALOG_BOUNDS,
  type CatalogPlan,
  type CommentParent,
  EVENT_COLUMNS,
  type EventRow,
  FIRST_PLACEHOLDER_ID,
  selectList,
  TAG_COLUMNS,
  type TagRow,
} from '../model/index.ts';
import { deriveNumericId, type NumericIdKind } from '../records/index.ts';
import { TRADABLE } from '../schema/index.ts';
import {
  type CatalogMarket,
  catalogMarketOf,
  type JoinedRow,
  SELECT_MARKETS,
  TRADABLE_MARKETS,
  type TradableMarket,
  type TradableRow,
  tradableMarketOf,
} from './market.ts';

/** All markets, or those that may be traded. */
export type MarketScope = 'all' | 'tradable';

/** What a new market needs to know about its event. */
export interface EventKind {
  readonly slug: string;
  readonly negRisk: boolean;
  readonly marketCount: number;
  readonly creator: string;
}

interface KindRow extends Pick<EventRow, 'slug' | 'creator' | 'negRisk'> {
  readonly marketCount: number;
}

// An index of ids alone finds the page first, so that skipped markets are not read.
function pageSql(condition: string): string {
  return `${SELECT_MARKETS}
WHERE m.id IN (SELECT id FROM markets WHERE ${condition} ORDER BY id LIMIT @limit OFFSET @offset)
ORDER BY m.id`;
}

const SELECT_TRADABLE = `${TRADABLE_MARKETS}
  AND EXISTS (SELECT 1 FROM imported_markets WHERE market_id = m.id) = @isImported
ORDER BY m.event_id, m.id`;

// A placeholder's event has the id that the real event will have again.
const SELECT_REAL_EVENT = `
SELECT id FROM events WHERE id = ? AND slug <> '${placeholderSlug('')}' || id`;

const SELECT_KIND = `
SELECT slug, creator, neg_risk AS negRisk,
  (SELECT count(*) FROM markets WHERE event_id = events.id) AS marketCount
FROM events WHERE id = ?`;

const SELECT_TOKENS = `
SELECT t.token_id AS tokenId FROM markets m JOIN market_tokens t ON t.market_id = m.id`;

type Tokens = Statement<[id: number, limit: number], { readonly tokenId: string }>;
type Count = Statement<[], { readonly count: number }>;
type Page = Statement<[{ readonly offset: number; readonly limit: number }], JoinedRow>;
type Exists = Statement<[id: number], { readonly id: number }>;

export class CatalogLookup {
  readonly #database: Database;
  readonly #counts: Readonly<Record<MarketScope, Count>>;
  readonly #byId: Statement<[id: number], JoinedRow>;
  readonly #byCondition: Statement<[conditionId: string], JoinedRow>;
  readonly #pages: Readonly<Record<MarketScope, Page>>;
  readonly #event: Statement<[id: number], EventRow>;
  readonly #tradable: Statement<[{ readonly isImported: 0 | 1 }], TradableRow>;
  readonly #tradableOf: Statement<[conditionId: string], TradableRow>;
  readonly #plans: CatalogPlans;
  readonly #kind: Statement<[id: number], KindRow>;
  readonly #tag: Statement<[slug: string], TagRow>;
  readonly #marketId: Statement<[conditionId: string], { readonly id: number }>;
  readonly #exists: Readonly<Record<NumericIdKind, Exists>>;
  readonly #eventId: Statement<[slug: string], { readonly id: number }>;
  readonly #tokens: Readonly<Record<'Event' | 'market', Tokens>>;

  /** `close` closes the database. */
  constructor(database: Database) {
    this.#database = database;
    const countSql = 'SELECT count(*) AS count FROM markets';
    this.#counts = {
      all: database.prepare(countSql),
      tradable: database.prepare(`${countSql} WHERE ${TRADABLE}`),
    };
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#byCondition = database.prepare(`${SELECT_MARKETS} WHERE m.condition_id = ?`);
    this.#pages = {
      all: database.prepare(pageSql('true')),
      tradable: database.prepare(pageSql(TRADABLE)),
    };
    this.#event = database.prepare(
      `SELECT ${selectList('e', EVENT_COLUMNS)} FROM events e WHERE e.id = ?`,
    );
    this.#tradable = database.prepare(SELECT_TRADABLE);
    this.#tradableOf = database.prepare(`${TRADABLE_MARKETS} AND m.condition_id = ?`);
    this.#plans = new CatalogPlans(database);
    this.#kind = database.prepare(SELECT_KIND);
    this.#tag = database.prepare(
      `SELECT ${selectList('t', TAG_COLUMNS)} FROM tags t WHERE slug = ?`,
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
    const row = this.#byCondition.get(conditionId);
    return row && catalogMarketOf(row);
  }

  /** The market of a numeric id. */
  market(id: number): CatalogMarket | undefined {
    const row = this.#byId.get(id);
    return row && catalogMarketOf(row);
  }

  /** The event of a numeric id. */
  event(id: number): EventRow | undefined {
    return this.#event.get(id);
  }

  marketCount(scope: MarketScope = 'all'): number {
    return this.#counts[scope].get()?.count ?? 0;
  }

  /** Markets by ascending id; `limit` is at most `CATALOG_BOUNDS.marketsAPage`. */
  marketPage(offset: number, limit: number, scope: MarketScope = 'all'): CatalogMarket[] {
    assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
    const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.marketsAPage;
    assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.marketsAPage}`);
    return this.#pages[scope].all({ offset, limit }).map(catalogMarketOf);
  }

  /** Every market that may be traded, except imported ones, by event id and then market id. */
  tradable(): TradableMarket[] {
    return this.#tradable.all({ isImported: 0 }).map(tradableMarketOf);
  }

  /** Imported markets that could be traded and don't trade here. */
  importedTradable(): TradableMarket[] {
    return this.#tradable.all({ isImported: 1 }).map(tradableMarketOf);
  }

  /** Undefined if the market is unknown or may not be traded. */
  tradableMarket(conditionId: string): TradableMarket | undefined {
    const row = this.#tradableOf.get(conditionId);
    return row && tradableMarketOf(row);
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

  /** The tokens of an event's markets or of one market; none for a series. */
  tokensOf({ type, id }: CommentParent, limit: number): string[] {
    const statement = type === 'Series' ? undefined : this.#tokens[type];
    return statement?.all(id, limit).map(({ tokenId }) => tokenId) ?? [];
  }

  /** Whether the catalog lost the market and has only a placeholder. */
  isPlaceholder(conditionId: string): boolean {
    return (this.#marketId.get(conditionId)?.id ?? 0) >= FIRST_PLACEHOLDER_ID;
  }

  /** A numeric id for a record without one: neither stored nor among those `chosen`. */
  freeId(kind: NumericIdKind, slug: string, chosen: ReadonlySet<number>): number {
    const { [kind]: exists } = this.#exists;
    const isTaken = (id: number) => chosen.has(id) || exists.get(id) !== undefined;
    return deriveNumericId(kind, slug, isTaken);
  }

  plan(name: string): CatalogPlan | undefined {
    return this.#plans.get(name);
  }

  /** Plans of which some command may not be durable, oldest first. */
  unfinishedPlans(): CatalogPlan[] {
    return this.#plans.unfinished();
  }

  close(): void {
    this.#database.close();
  }
}

/** The writer thread must have created the file. */
export function openCatalogLookup(path: string): CatalogLookup {
  return new CatalogLookup(openPlanStableDatabase({ path, readonly: true }));
}
