// Markets whose trading has ended for good, as the engine says: lists filter by it, so it has to
// be in the rows. Invariant: a market that is noted here is closed in the catalog, whatever an
// import says of it later; an event is closed when one of its markets is noted here and all are
// closed. Every method expects to run inside a transaction of its caller.

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

// What ended was tradable before: nothing else is traded.
const REOPEN_MARKET = `
UPDATE markets SET closed = 0, accepting_orders = 1 WHERE condition_id = ?
RETURNING event_id AS id`;

type OfCondition = Statement<[conditionId: string], { readonly id: number }>;
type OfEvent = Statement<[eventId: number]>;

export class CatalogEnds {
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

  /** Closes these markets; what was noted before is left alone. */
  note(ends: MarketEnds): void {
    const events = new Set<number>();
    for (const [conditionId, endedAt] of ends) {
      if (this.#note.run(conditionId, endedAt).changes === 0) continue;
      const event = this.#eventOf.get(conditionId);
      if (event !== undefined) events.add(event.id);
    }
    for (const eventId of events) this.overlay(eventId);
  }

  /** Makes exactly these markets the ended ones; only what differs is written. */
  correct(ends: MarketEnds): void {
    for (const { conditionId } of this.#noted.all()) {
      if (ends.has(conditionId)) continue;
      this.#forget.run(conditionId);
      const event = this.#reopenMarket.get(conditionId);
      if (event !== undefined) this.#reopenEvent.run(event.id);
    }
    this.note(ends);
  }

  /** Closes again what an event's rows, as they were just written, take for open. */
  overlay(eventId: number): void {
    this.#closeMarkets.run(eventId);
    this.#closeEvent.run(eventId);
  }
}
