// catalog.db: the words and pictures of events, markets, tags and series (design 1). It tells
// the engine which markets there are when they are first opened; replay never reads it, and a
// market of the engine that it lost is stood in for by `ensureMarket`.
// Invariant: a condition id, slug or token id has one holder, and a stored market's trading
// identity never changes. Bounds: CATALOG_BOUNDS.

import assert from 'node:assert';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { CATALOG_BOUNDS, FIRST_STAND_IN_ID } from './catalog-bounds.ts';
import { type CheckedEvent, checkEvents } from './catalog-check.ts';
import { CatalogConflicts, type MarketNames, namesOf } from './catalog-conflicts.ts';
import type { CatalogMarket } from './catalog-markets.ts';
import {
  type CatalogEvent,
  CatalogQueries,
  type MarketScope,
  type TradableMarket,
} from './catalog-queries.ts';
import { type ImportRefusal, RefusalList } from './catalog-record-reader.ts';
import { migrateCatalog } from './catalog-schema.ts';
import { type MarketSearch, MarketSearcher } from './catalog-search.ts';
import { type KnownMarket, standInEvent } from './catalog-stand-in.ts';
import { CatalogWriter } from './catalog-write.ts';

export { CATALOG_BOUNDS } from './catalog-bounds.ts';
export type { CatalogMarket } from './catalog-markets.ts';
export type { CatalogEvent, MarketScope, TradableMarket } from './catalog-queries.ts';
export type { MarketCondition, MarketOrder, MarketSearch } from './catalog-search.ts';
export { MARKET_ORDERS } from './catalog-search.ts';

/** What an import changed. */
export interface ImportReport {
  readonly eventsAdded: number;
  readonly eventsUpdated: number;
  readonly marketsAdded: number;
  readonly marketsUpdated: number;
}

/** Nothing of the import was stored; `refusals` says why, the first hundred reasons of `count`. */
export class CatalogImportError extends Error {
  readonly refusals: readonly ImportRefusal[];
  readonly count: number;

  constructor(refusals: RefusalList) {
    const more = refusals.count > 1 ? ` (and ${refusals.count - 1} more)` : '';
    super(`catalog import refused: ${refusals.listed[0]?.sentence}${more}`);
    this.name = 'CatalogImportError';
    this.refusals = refusals.listed;
    this.count = refusals.count;
  }
}

export class Catalog {
  readonly #database: Database;
  readonly #queries: CatalogQueries;
  readonly #searcher: MarketSearcher;
  readonly #writer: CatalogWriter;
  readonly #conflicts: CatalogConflicts;

  constructor(database: Database) {
    this.#database = database;
    this.#queries = new CatalogQueries(database);
    this.#searcher = new MarketSearcher(database);
    this.#writer = new CatalogWriter(database);
    this.#conflicts = new CatalogConflicts(database);
  }

  /**
   * Stores events in the public catalog's own JSON form (catalog-record.ts): `[event, …]` or
   * `{events: [event, …]}`, as parsed from JSON. An event or market whose id is stored already
   * is updated. All or nothing: throws `CatalogImportError` with every refusal.
   */
  importEvents(records: unknown): ImportReport {
    const refusals = new RefusalList();
    const events = checkEvents(records, refusals);
    if (refusals.count > 0) throw new CatalogImportError(refusals);
    return this.#inTransaction(() => this.#store(events));
  }

  /** Every market that may be traded, by event id and then market id. */
  tradable(): TradableMarket[] {
    return this.#queries.tradable();
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
    assertPage(offset, limit);
    return this.#queries.marketPage({ offset, limit }, scope);
  }

  /** The markets for which every condition holds, in the order asked for. */
  searchMarkets(search: MarketSearch): CatalogMarket[] {
    assertPage(search.offset, search.limit);
    return this.#searcher.search(search);
  }

  /**
   * Makes sure that a market of the engine has a row, a stand-in with an event of its own if
   * none was stored, and says whether it had to make one. An import of the real record replaces
   * the stand-in. Throws if the catalog holds the condition id or a token id otherwise.
   */
  ensureMarket(market: KnownMarket): boolean {
    return this.#inTransaction(() => this.#ensure(market));
  }

  close(): void {
    this.#database.close();
  }

  /** Immediate: what is looked up in it stays true until it commits. */
  #inTransaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate();
  }

  #store(events: readonly CheckedEvent[]): ImportReport {
    const refusals = new RefusalList();
    for (const event of events) this.#deleteStandIns(event);
    for (const event of events) this.#conflicts.refuseConflicts(event, refusals);
    if (refusals.count > 0) throw new CatalogImportError(refusals);
    const report = { eventsAdded: 0, eventsUpdated: 0, marketsAdded: 0, marketsUpdated: 0 };
    for (const event of events) {
      const added = this.#writer.putEvent(event);
      report.eventsAdded += added.events;
      report.eventsUpdated += 1 - added.events;
      report.marketsAdded += added.markets;
      report.marketsUpdated += event.markets.length - added.markets;
    }
    return report;
  }

  /** A stand-in makes way for a record with the same condition id and token ids. */
  #deleteStandIns(event: CheckedEvent): void {
    for (const market of event.markets) {
      const names = namesOf(market);
      for (const stored of this.#conflicts.sameNamedMarkets(names)) {
        const isStandIn = stored.id >= FIRST_STAND_IN_ID && isSameMarket(stored, names);
        if (isStandIn) this.#writer.deleteLoneMarket(stored);
      }
    }
  }

  #ensure(market: KnownMarket): boolean {
    const event = standInEvent(market, this.#queries.nextStandInId());
    for (const standIn of event.markets) {
      const names = namesOf(standIn);
      const holders = this.#conflicts.sameNamedMarkets(names);
      if (holders.some((stored) => isSameMarket(stored, names))) return false;
      if (holders.length > 0) throw new Error(foreignHolderSentence(names, holders));
    }
    this.#writer.putEvent(event);
    return true;
  }
}

function assertPage(offset: number, limit: number): void {
  assert(Number.isSafeInteger(offset) && offset >= 0, 'the offset must be whole, from 0');
  const isLimit = Number.isInteger(limit) && limit >= 1 && limit <= CATALOG_BOUNDS.marketsAPage;
  assert(isLimit, `the limit must be whole, 1 to ${CATALOG_BOUNDS.marketsAPage}`);
}

function isSameMarket(stored: MarketNames, known: MarketNames): boolean {
  return (
    stored.conditionId === known.conditionId &&
    stored.token0 === known.token0 &&
    stored.token1 === known.token1
  );
}

function foreignHolderSentence(names: MarketNames, holders: readonly MarketNames[]): string {
  const slugs = holders.map(({ slug }) => `"${slug}"`).join(', ');
  return (
    `the catalog is not that of this exchange: it holds condition ${names.conditionId} or one of ` +
    `its tokens ${names.token0}, ${names.token1} as another market, ${slugs}`
  );
}

/** Opens or creates the catalog at `path`; `:memory:` keeps it in memory. */
export function openCatalog(path: string): Catalog {
  const database = new SqliteDatabase(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    migrateCatalog(database);
    return new Catalog(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
