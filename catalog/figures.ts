/**
 * Volume and liquidity of markets that trade here, and their sums for events. Lists sort by them.
 * Runs inside a transaction of the caller.
 *
 * Invariant: an import never changes the figures of a market that trades here. As soon as a market
 * of an event trades here, the event's figures are the sums over such markets: what happened at a
 * source is not added to what happened here.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../persistence/shared/index.ts';
import { assignedFigures, columnOf, FIGURES, type MarketFigures } from './model/index.ts';

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

export class CatalogFigures {
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
