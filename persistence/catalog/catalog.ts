// catalog.db: the words and pictures of events, markets, tags and series (design 1). It tells
// the engine which markets there are when they are first opened; replay never reads it, and a
// market of the engine that it lost is stood in for by `agreeWith`.
// Invariant: a condition id, slug or token id has one holder, a stored market's trading identity
// never changes, and one whose trading has ended is closed. Bounds: CATALOG_BOUNDS.

import SqliteDatabase, { type Database } from 'better-sqlite3';
import { openPlanStableDatabase, STORE_PACE, StoreError } from '../shared/index.ts';
import { CatalogActions, CatalogComments, CatalogEdits, CatalogProfiles } from './content/index.ts';
import { CatalogFigures } from './figures.ts';
import {
  CatalogAdditions,
  CatalogConflicts,
  CatalogEnds,
  CatalogIntake,
  CatalogWriter,
  LostMarkets,
  RecordStore,
} from './intake/index.ts';
import { CatalogQueries } from './lists/index.ts';
import { CatalogLook } from './look.ts';
import {
  type ImportReport,
  type KnownMarket,
  type MarketEnds,
  type MarketFigures,
  type RecordBatch,
  RefusalList,
} from './model/index.ts';
import { type CheckedEvent, checkEvents } from './records/index.ts';
import { migrateCatalog } from './schema/index.ts';

export class Catalog {
  readonly #database: Database;
  readonly #writer: CatalogWriter;
  readonly #conflicts: CatalogConflicts;
  readonly #ends: CatalogEnds;
  readonly #lost: LostMarkets;
  readonly #figures: CatalogFigures;
  readonly #putRecords: (batch: RecordBatch) => void;
  /** What the operator adds. */
  readonly additions: CatalogAdditions;
  /** What account holders say, and what the operator does about it. */
  readonly comments: CatalogComments;
  readonly profiles: CatalogProfiles;
  /** What the operator says otherwise than the source. */
  readonly edits: CatalogEdits;
  readonly look: CatalogLook;
  /** What comes from elsewhere. */
  readonly intake: CatalogIntake;

  constructor(database: Database) {
    this.#database = database;
    this.#writer = new CatalogWriter(database);
    this.#conflicts = new CatalogConflicts(database);
    this.#ends = new CatalogEnds(database);
    this.#figures = new CatalogFigures(database);
    const queries = new CatalogQueries(database);
    const parts = { queries, writer: this.#writer, conflicts: this.#conflicts };
    this.#lost = new LostMarkets(parts);
    this.additions = new CatalogAdditions(database, {
      ...parts,
      ends: this.#ends,
      lost: this.#lost,
    });
    const actions = new CatalogActions(database);
    this.comments = new CatalogComments(database, actions);
    this.profiles = new CatalogProfiles(database, actions);
    this.look = new CatalogLook(database);
    const records = new RecordStore(database, {
      ...parts,
      storeEvents: (events) => this.#store(events),
      closeEnded: (eventId) => this.#ends.overlay(eventId),
      removePlaceholders: (markets) => this.#lost.makeWay(markets),
    });
    const putRecords = (batch: RecordBatch): void => {
      records.put(batch);
      this.edits.overlayRecords(batch);
    };
    this.#putRecords = putRecords;
    this.edits = new CatalogEdits({ database, actions, putRecords });
    this.intake = new CatalogIntake({
      database,
      putRecords,
      together: (work) => this.#writer.deferringIndex(work),
    });
  }

  /**
   * Stores events in the public catalog's own JSON form (catalog-record.ts): `[event, …]` or
   * `{events: [event, …]}`, as parsed from JSON. An event or market whose id is stored already
   * is updated; a market that has ended stays closed. All or nothing: throws `CatalogImportError`
   * with every refusal.
   */
  importEvents(records: unknown): ImportReport {
    const refusals = new RefusalList();
    const events = checkEvents(records, refusals);
    refusals.throwIfAny('malformed');
    return this.#inTransaction(() => {
      const report = this.#store(events);
      const isWrapped = typeof records === 'object' && records !== null && 'events' in records;
      const list = isWrapped ? records.events : records;
      this.edits.overlayRecords({ kind: 'events', records: list });
      return report;
    });
  }

  /**
   * Brings the rows to what the engine knows, in one transaction that writes only what differs.
   * Each of its markets has a row, a stand-in if none was stored; exactly those of `ends` have
   * ended. Gives the number of stand-ins. Throws if the catalog holds a condition id or a token id
   * otherwise.
   */
  agreeWith(markets: Iterable<KnownMarket>, ends: MarketEnds): number {
    return this.#inTransaction(() => {
      const events = Array.from(markets, (market) => this.#lost.ensure(market)).filter(
        (id) => id !== undefined,
      );
      this.#ends.correct(ends);
      for (const eventId of new Set(events)) this.#ends.overlay(eventId);
      return events.length;
    });
  }

  /** Closes markets whose trading has ended, and events of which all markets are closed. */
  noteEnds(ends: MarketEnds): void {
    this.#inTransaction(() => this.#ends.note(ends));
  }

  /** Records of one kind, all or none: throws `CatalogImportError`. */
  putRecords(batch: RecordBatch): void {
    this.#inTransaction(() => this.#writer.deferringIndex(() => this.#putRecords(batch)));
  }

  /** What trading here says of markets. */
  putFigures(figures: readonly MarketFigures[]): void {
    this.#inTransaction(() => this.#figures.put(figures));
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
    for (const { markets } of events) this.#lost.makeWay(markets);
    for (const event of events) this.#conflicts.refuseConflicts(event, refusals);
    refusals.throwIfAny('conflict');
    const report = { eventsAdded: 0, eventsUpdated: 0, marketsAdded: 0, marketsUpdated: 0 };
    for (const event of events) {
      const added = this.#writer.putEventRows(event);
      this.#ends.overlay(event.row.id);
      report.eventsAdded += added.events;
      report.eventsUpdated += 1 - added.events;
      report.marketsAdded += added.markets;
      report.marketsUpdated += event.markets.length - added.markets;
    }
    this.#writer.indexEvents(events);
    return report;
  }
}

/**
 * Opens or creates the catalog at `path`; `:memory:` keeps it in memory. Throws StoreError
 * `catalog_damaged`.
 */
export function openCatalog(path: string): Catalog {
  return namingCatalog(path, () => openDatabase(path));
}

/** Says which file can't be used, and what to do; throws StoreError `catalog_damaged`. */
export function namingCatalog<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    throw new StoreError(
      'catalog_damaged',
      `${path} can't be used (${error.message}). If its disk failed or is full, mend that and ` +
        'start again. If the file is damaged, put it back from a backup; or move it away to go ' +
        'on without the words and pictures that it had, for markets and money are in the journal',
    );
  }
}

function openDatabase(path: string): Catalog {
  const database = openPlanStableDatabase({ path, readonly: false });
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${STORE_PACE.catalogCacheKib}`);
    migrateCatalog(database);
    return new Catalog(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
