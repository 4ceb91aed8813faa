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
import type { MarketFigures } from './model/index.ts';

const FIND = 'SELECT id, event_id AS eventId FROM markets WHERE condition_id = ?';

const PUT = `
UPDATE market_figures SET volume = @volume, volume_24hr = @volume24hr, liquidity = @liquidity,
  is_own = 1
WHERE market_id = @id`;

const SUM_UP = `
UPDATE event_figures SET (volume, volume_24hr, liquidity, is_own) =
  (SELECT round(sum(f.volume), 6), round(sum(f.volume_24hr), 6), round(sum(f.liquidity), 6), 1
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
    for (const { conditionId, volume, volume24hr, liquidity } of figures) {
      const found = this.#sql.get<Found>(FIND, conditionId);
      if (found === undefined) continue;
      this.#sql.run(PUT, { id: found.id, volume, volume24hr, liquidity });
      events.add(found.eventId);
    }
    for (const eventId of events) this.#sql.run(SUM_UP, eventId);
  }
}
