/**
 * Markets whose trading has ended permanently, as the engine reports. The end is written into their
 * rows, because lists filter by it. Every method runs inside a transaction of its caller.
 *
 * Invariant: an ended market is closed in the catalog, whatever an import says later. An event is
 * closed when all its markets are closed and one of them has ended.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import type { MarketEnds } from '../model/index.ts';

const NOTE = 'INSERT INTO ended_markets VALUES (?, ?) ON CONFLICT DO NOTHING';

const SELECT_ENDED = 'SELECT condition_id FROM ended_markets';
const EVENT_OF = 'SELECT event_id FROM markets WHERE condition_id = ?';

const CLOSE_MARKETS = `
UPDATE markets SET closed = 1, accepting_orders = 0, closed_time = ended.ended_at,
  updated_at = max(coalesce(updated_at, ''), ended.ended_at)
FROM ended_markets AS ended
WHERE ended.condition_id = markets.condition_id AND markets.event_id = ?
  AND (NOT markets.closed OR markets.accepting_orders
       OR markets.closed_time IS NOT ended.ended_at)`;

const CLOSE_EVENT = `
UPDATE events SET closed = 1,
  closed_time = (SELECT max(closed_time) FROM markets WHERE event_id = events.id),
  updated_at = (SELECT max(updated_at) FROM markets WHERE event_id = events.id)
WHERE id = ? AND (NOT closed OR closed_time IS NULL)
  AND EXISTS (SELECT 1 FROM markets JOIN ended_markets USING (condition_id)
              WHERE event_id = events.id)
  AND NOT EXISTS (SELECT 1 FROM markets WHERE event_id = events.id AND NOT closed)`;

// Only tradable markets trade, so this one was tradable before it ended.
const REOPEN_MARKET = `
UPDATE markets SET closed = 0, accepting_orders = 1, closed_time = NULL WHERE condition_id = ?
RETURNING event_id`;

export class EndedMarkets {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  /** Closes these markets. Markets that ended before are left alone. */
  add(ends: MarketEnds): void {
    const events = new Set<number>();
    for (const [conditionId, endedAt] of ends) {
      if (this.#sql.run(NOTE, conditionId, endedAt).changes === 0) continue;
      const eventId = this.#sql.value<number>(EVENT_OF, conditionId);
      if (eventId !== undefined) events.add(eventId);
    }
    for (const eventId of events) this.closeEnded(eventId);
  }

  /** Those of these ends that are not stored. */
  missing(ends: MarketEnds): MarketEnds {
    const sql = 'SELECT 1 FROM ended_markets WHERE condition_id = ?';
    return new Map([...ends].filter(([id]) => this.#sql.value(sql, id) === undefined));
  }

  /** Makes exactly these markets the ended ones. Writes only what differs. */
  replaceAll(ends: MarketEnds): void {
    for (const conditionId of this.#sql.column<string>(SELECT_ENDED, [])) {
      if (ends.has(conditionId)) continue;
      this.#sql.run('DELETE FROM ended_markets WHERE condition_id = ?', conditionId);
      const eventId = this.#sql.value<number>(REOPEN_MARKET, conditionId);
      if (eventId !== undefined)
        this.#sql.run('UPDATE events SET closed = 0, closed_time = NULL WHERE id = ?', eventId);
    }
    this.add(ends);
  }

  closeEnded(eventId: number): void {
    this.#sql.run(CLOSE_MARKETS, eventId);
    this.#sql.run(CLOSE_EVENT, eventId);
  }
}
