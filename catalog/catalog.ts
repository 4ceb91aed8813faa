/**
 * catalog.db: events, markets, tags and series with their texts and pictures, comments and
 * profiles. At a first start it tells the engine which markets to open; replay never reads it. A
 * market of the engine that the catalog lost gets a placeholder (`reconcile`).
 *
 * Invariant: condition ids, slugs and token ids are unique; the trading identity of a stored market
 * never changes; a market whose trading has ended is closed. Bounds: CATALOG_BOUNDS.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { notedProgram } from '../persistence/journal/schema.ts';
import {
  openPlanStableDatabase,
  readDatabase,
  STORE_PACE,
  StatementCache,
  StoreError,
} from '../persistence/shared/index.ts';
import { CatalogComments } from './content/comments.ts';
import { CatalogEdits } from './content/edits.ts';
import { ActionLog } from './content/local-changes.ts';
import { CatalogProfiles } from './content/profiles.ts';
import { CatalogAdditions } from './intake/additions.ts';
import { CatalogWriter } from './intake/catalog-writer.ts';
import { CatalogConflicts } from './intake/conflicts.ts';
import { EndedMarkets } from './intake/ended-markets.ts';
import { RecordIntake } from './intake/intake.ts';
import { Placeholders } from './intake/placeholders.ts';
import { RecordStore } from './intake/record-store.ts';
import { CatalogLookup } from './lookup/lookup.ts';
import {
  assignedFigures,
  columnOf,
  durably,
  FIGURES,
  type KnownMarket,
  type MarketEnds,
  type MarketFigures,
  type RecordBatch,
} from './model/index.ts';
import { migrateCatalog, refuseNewerCatalog } from './schema/index.ts';

export class Catalog {
  readonly #database: Database;
  readonly #writer: CatalogWriter;
  readonly #endedMarkets: EndedMarkets;
  readonly #placeholders: Placeholders;
  readonly #figures: CatalogFigures;
  readonly #putRecords: (batch: RecordBatch) => void;
  readonly additions: CatalogAdditions;
  readonly comments: CatalogComments;
  readonly profiles: CatalogProfiles;
  /** The operator's changes to imported records. */
  readonly edits: CatalogEdits;
  readonly lookup: CatalogLookup;
  readonly intake: RecordIntake;

  constructor(database: Database) {
    this.#database = database;
    this.#writer = new CatalogWriter(database);
    this.#endedMarkets = new EndedMarkets(database);
    this.#figures = new CatalogFigures(database);
    const named = { writer: this.#writer, conflicts: new CatalogConflicts(database) };
    this.#placeholders = new Placeholders(database, named);
    const parts = { ...named, endedMarkets: this.#endedMarkets, placeholders: this.#placeholders };
    this.additions = new CatalogAdditions(database, parts);
    const actions = new ActionLog(database);
    this.comments = new CatalogComments(database, actions);
    this.profiles = new CatalogProfiles(database, actions);
    this.lookup = new CatalogLookup(database);
    const store = new RecordStore(database, parts);
    const putRecords = (batch: RecordBatch): void => {
      store.put(batch);
      this.edits.applyTo(batch);
    };
    this.#putRecords = putRecords;
    this.edits = new CatalogEdits({ database, actions, putRecords });
    this.intake = new RecordIntake({
      database,
      putRecords,
      deferIndexing: (work) => this.#writer.deferIndexing(work),
    });
  }

  /**
   * Stores events in the public catalog's JSON form: `[event, …]` or `{events: [event, …]}`, as
   * parsed from JSON. An event or market whose id is stored is updated; an ended market stays
   * closed. All or nothing: throws `CatalogImportError` with every refusal.
   */
  importEvents(records: unknown): void {
    this.putRecords({ kind: 'events', records });
  }

  /**
   * Makes the rows agree with the engine, in one transaction that writes only what differs. Then
   * each market of the engine has a row (a placeholder if none was stored), and exactly the markets
   * of `ends` have ended. Returns the number of placeholders made. Throws if the catalog has the
   * condition id or a token id of one of these markets in another market.
   */
  reconcile(markets: Iterable<KnownMarket>, ends: MarketEnds): number {
    return this.#inTransaction(() => {
      const eventIds = Array.from(markets, (market) => this.#placeholders.ensure(market)).filter(
        (id) => id !== undefined,
      );
      this.#endedMarkets.replaceAll(ends);
      for (const id of new Set(eventIds)) this.#endedMarkets.closeEnded(id);
      return eventIds.length;
    });
  }

  markEnded(ends: MarketEnds): void {
    this.#inTransaction(() => this.#endedMarkets.add(ends));
  }

  /** Stores all records of the batch, or none and throws `CatalogImportError`. */
  putRecords(batch: RecordBatch): void {
    this.#inTransaction(() => this.#writer.deferIndexing(() => this.#putRecords(batch)));
  }

  /** Those of these ends that are not stored. */
  missingEnds(ends: MarketEnds): MarketEnds {
    return this.#endedMarkets.missing(ends);
  }

  /** For a log of writes, which has tables of its own in the file. */
  get database(): Database {
    return this.#database;
  }

  /** This catalog is about to change without its log of writes, if it had one. */
  leaveHistory(): void {
    const database = this.#database;
    if (database.prepare('SELECT 1 FROM content_state').get() === undefined) return;
    durably(database, () =>
      database.exec('DELETE FROM content_records; DELETE FROM content_state'),
    );
  }

  putFigures(figures: readonly MarketFigures[]): void {
    this.#inTransaction(() => this.#figures.put(figures));
  }

  close(): void {
    this.#database.close();
  }

  /** Immediate, so that no other connection changes what `work` read before the commit. */
  #inTransaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work).immediate();
  }
}

/**
 * Opens or creates the catalog at `path`; `:memory:` keeps it in memory. Throws StoreError
 * `catalog_damaged` or `catalog_newer`.
 */
export function openCatalog(path: string): Catalog {
  return namingCatalog(path, () => openDatabase(path));
}

/**
 * Rethrows an SQLite error as StoreError `catalog_damaged`, which names the file and the remedy.
 */
export function namingCatalog<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    throw new StoreError(
      'catalog_damaged',
      `${path} can't be used (${error.message}). If its disk failed or is full, mend that and ` +
        'start again. If the file is damaged, restore it from a backup; or move it away and ' +
        'start with --replace-lost-catalog to go on without its texts and pictures: markets and ' +
        'money are in the journal',
    );
  }
}

function openDatabase(path: string): Catalog {
  const database = openPlanStableDatabase({ path, readonly: false });
  try {
    refuseNewerCatalog(database, () => programBeside(path));
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

/** The newest program that opened the catalog's folder, which its journal notes. */
function programBeside(path: string): string | undefined {
  const journal = join(dirname(path), 'journal.db');
  return existsSync(journal) ? readDatabase(journal, notedProgram) : undefined;
}

// Volume and liquidity of markets that trade here, and their sums for events. Lists sort by them.
// Runs inside a transaction of the caller.
//
// Invariant: an import never changes the figures of a market that trades here. As soon as a market
// of an event trades here, the event's figures are the sums over such markets: what happened at a
// source is not added to what happened here.

const FIND = 'SELECT id, event_id AS eventId FROM markets WHERE condition_id = ?';

const COLUMNS = FIGURES.map(columnOf).join(', ');

// Unchanged figures are not written again, because each write makes cached answers out of date.
const PUT = `
UPDATE market_figures SET ${assignedFigures()}, is_own = 1
WHERE market_id = @id
  AND (is_own, ${COLUMNS}) IS NOT (1, ${FIGURES.map((figure) => `@${figure}`).join(', ')})`;

const SUM_UP = `
UPDATE event_figures SET (${COLUMNS}, source_figures, is_own) =
  (SELECT ${FIGURES.map((figure) => `round(sum(f.${columnOf(figure)}), 6)`).join(', ')}, '', 1
   FROM markets m CROSS JOIN market_figures f ON f.market_id = m.id
   WHERE m.event_id = event_figures.event_id AND f.is_own)
WHERE event_id = ?`;

interface Found {
  readonly id: number;
  readonly eventId: number;
}

class CatalogFigures {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  /** Figures of markets that are not stored are dropped. */
  put(figures: readonly MarketFigures[]): void {
    const events = new Set<number>();
    for (const { conditionId, ...values } of figures) {
      const found = this.#sql.get<Found>(FIND, conditionId);
      if (found === undefined) continue;
      const put = { ...values, id: found.id, sourceFigures: '' };
      if (this.#sql.run(PUT, put).changes > 0) events.add(found.eventId);
    }
    for (const eventId of events) this.#sql.run(SUM_UP, eventId);
  }
}
