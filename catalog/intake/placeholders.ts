/**
 * Placeholders: rows for markets that the engine trades and the catalog lost. An import of the real
 * record replaces the placeholder. Every method runs inside a transaction of its caller.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { FIRST_PLACEHOLDER_ID, type KnownMarket } from '../model/index.ts';
import type { CheckedMarket } from '../records/event-records.ts';
import type { CatalogWriter } from './catalog-writer.ts';
import { type CatalogConflicts, type MarketNames, namesOf } from './conflicts.ts';
import { placeholderEvent, placeholderSlug } from './placeholder-rows.ts';

export interface PlaceholderParts {
  readonly conflicts: CatalogConflicts;
  readonly writer: CatalogWriter;
}

const SELECT_ANY = `SELECT id FROM markets WHERE id >= ${FIRST_PLACEHOLDER_ID} LIMIT 1`;

/** Above the id of every market and event, and above any that an import could bring. */
const SELECT_NEXT_ID = `
SELECT max(${FIRST_PLACEHOLDER_ID}, 1 + coalesce((SELECT max(id) FROM markets), 0),
  1 + coalesce((SELECT max(id) FROM events), 0))`;

export class Placeholders {
  readonly #parts: PlaceholderParts;
  readonly #sql: StatementCache;

  constructor(database: Database, parts: PlaceholderParts) {
    this.#parts = parts;
    this.#sql = new StatementCache(database);
  }

  /** Adds a placeholder and returns its event's id; undefined if the market already has a row. */
  ensure(market: KnownMarket): number | undefined {
    const { conflicts, writer } = this.#parts;
    const freeId = this.#sql.value<number>(SELECT_NEXT_ID) ?? FIRST_PLACEHOLDER_ID;
    const event = placeholderEvent(market, freeId);
    for (const placeholder of event.markets) {
      const names = namesOf(placeholder);
      const holders = conflicts.sameNamedMarkets(names);
      if (holders.some((stored) => isSameMarket(stored, names))) return undefined;
      if (holders.length > 0) throw new Error(otherHolderSentence(names, holders));
    }
    writer.putPlaceholder(event);
    return event.row.id;
  }

  removeFor(markets: readonly CheckedMarket[]): void {
    const { conflicts, writer } = this.#parts;
    // Placeholders are rare: usually this one query replaces a query for each market.
    if (this.#sql.value(SELECT_ANY) === undefined) return;
    for (const names of markets.map(namesOf)) {
      for (const stored of conflicts.sameNamedMarkets(names)) {
        if (stored.id < FIRST_PLACEHOLDER_ID || !isSameMarket(stored, names)) continue;
        writer.deleteMarket(stored.id);
        writer.deleteEmptyEvent({ id: stored.eventId, slug: placeholderSlug(stored.eventId) });
      }
    }
  }
}

function isSameMarket(stored: MarketNames, known: MarketNames): boolean {
  return (
    stored.conditionId === known.conditionId &&
    stored.token0 === known.token0 &&
    stored.token1 === known.token1
  );
}

function otherHolderSentence(names: MarketNames, holders: readonly MarketNames[]): string {
  const slugs = holders.map(({ slug }) => `"${slug}"`).join(', ');
  return (
    `this catalog belongs to another exchange: condition ${names.conditionId}, ` +
    `token ${names.token0} or token ${names.token1} is in another market here, ${slugs}`
  );
}
