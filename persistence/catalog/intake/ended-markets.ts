/**
 * Markets whose trading has ended permanently, as the engine reports. Lists filter by it, so it is
 * written into the rows. Every method runs inside a transaction of its caller.
 *
 * Invariant: an ended market is closed in the catalog, whatever an import says later. An event is
 * closed when all its markets are closed and one of them has ended.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { MarketEnds } from '../model/index.ts';

const NOTE = 'INSERT INTO ended_markets VALUES (?, ?) ON CONFLICT DO NOTHING';

const CLOSE_MARKETS = `
UPDATE markets SET closed = 1, accepting_orders = 0,
  updated_at = max(coalesce(updated_at, ''), ended.ended_at)
FROM ended_markets AS ended
WHERE ended.condition_id = markets.condition_id AND markets.event_id = ?
  AND (NOT markets.closed OR markets.accepting_orders)`;

const CLOSE_EVENT = `
UPDATE events SET closed = 1,
  updated_at = (SELECT max(updated_at) FROM markets WHERE event_id = events.id)
WHERE id = ? AND NOT closed
  AND EXISTS (SELECT 1 FROM markets JOIN ended_markets USING (condition_id)
              WHERE event_id = events.id)
  AND NOT EXISTS (SELECT 1 FROM markets WHERE event_id = events.id AND NOT closed)`;

// Only tradable markets trade, so this one was tradable before it ended.
const REOPEN_MARKET = `
UPDATE markets SET closed = 0, accepting_orders = 1 WHERE condition_id = ?
RETURNING event_id AS id`;

type OfCondition = Statement<[conditionId: string], { readonly id: number }>;
type OfEvent = Statement<[eventId: number]>;

export class EndedMarkets {
  readonly #noted: Statement<[], { readonly conditionId: string }>;
  readonly #note: Statement<[conditionId: string, endedAt: string]>;
  readonly #forget: Statement<[conditionId: string]>;
  readonly #eventOf: OfCondition;
  readonly #reopenMarket: OfCondition;
  readonly #reopenEvent: OfEvent;
  readonly #closeMarkets: OfEvent;
  readonly #closeEvent: OfEvent;

  constructor(database: Database) {
    this.#noted = database.prepare('SELECT condition_id AS conditionId FROM ended_markets');
    this.#note = database.prepare(NOTE);
    this.#forget = database.prepare('DELETE FROM ended_markets WHERE condition_id = ?');
    this.#eventOf = database.prepare('SELECT event_id AS id FROM markets WHERE condition_id = ?');
    this.#reopenMarket = database.prepare(REOPEN_MARKET);
    this.#reopenEvent = database.prepare('UPDATE events SET closed = 0 WHERE id = ?');
    this.#closeMarkets = database.prepare(CLOSE_MARKETS);
    this.#closeEvent = database.prepare(CLOSE_EVENT);
  }

  /** Closes these markets. Markets that ended before are left alone. */
  add(ends: MarketEnds): void {
    const events = new Set<number>();
    for (const [conditionId, endedAt] of ends) {
      if (this.#note.run(conditionId, endedAt).changes === 0) continue;
      const event = this.#eventOf.get(conditionId);
      if (event !== undefined) events.add(event.id);
    }
    for (const eventId of events) this.closeEnded(eventId);
  }

  /** Makes exactly these markets the ended ones. Writes only what differs. */
  replaceAll(ends: MarketEnds): void {
    for (const { conditionId } of this.#noted.all()) {
      if (ends.has(conditionId)) continue;
      this.#forget.run(conditionId);
      const event = this.#reopenMarket.get(conditionId);
      if (event !== undefined) this.#reopenEvent.run(event.id);
    }
    this.add(ends);
  }

  /** Closes the ended markets of an event whose rows were just written. */
  closeEnded(eventId: number): void {
    this.#closeMarkets.run(eventId);
    this.#closeEvent.run(eventId);
  }
}
