// Markets as their texts, for every answer that holds some. Invariant: the same market has the
// same members everywhere, but for its events (brief in lists, whole by its own name) and its
// mirror (in events asked for by id alone). Bound: the caller's ids; of one event,
// `CATALOG_BOUNDS.marketsAnEvent`.

import type { Database, Statement } from 'better-sqlite3';
import { CATALOG_BOUNDS } from './catalog-bounds.ts';
import type { CatalogMoment } from './catalog-moment.ts';
import { type MadePiece, PieceMemory } from './catalog-piece-memory.ts';
import { type PageWriter, type Piece, PieceWriter } from './catalog-pieces.ts';
import {
  type EventBriefRow,
  eventBrief,
  eventMembers,
  type MarketTextRow,
  marketMembers,
  mirrorMembers,
  untradedMembers,
} from './catalog-record-text.ts';
import { EVENT_FIELDS, type EventRow, MARKET_FIELDS, selectList } from './catalog-rows.ts';

const SELECT_MARKETS = `
SELECT ${selectList('m', MARKET_FIELDS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  f.volume, f.volume_24hr AS volume24hr, f.liquidity
FROM markets m
CROSS JOIN market_figures f ON f.market_id = m.id
CROSS JOIN market_tokens t0 ON t0.market_id = m.id AND t0.outcome_index = 0
CROSS JOIN market_tokens t1 ON t1.market_id = m.id AND t1.outcome_index = 1`;

/** What the markets of one text have of their events. */
export type MarketForm = 'listed' | 'whole' | 'mirrored';

export class MarketReads {
  readonly #byId: Statement<[id: number], MarketTextRow>;
  readonly #ofEvent: Statement<[eventId: number], MarketTextRow>;
  readonly #event: Statement<[id: number], EventRow>;
  readonly #brief: Statement<[id: number], EventBriefRow>;
  /** Of those in lists. */
  readonly #memory: PieceMemory;
  readonly #moment: CatalogMoment;

  constructor(database: Database, moment: CatalogMoment) {
    this.#moment = moment;
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#ofEvent = database.prepare(`${SELECT_MARKETS} WHERE m.event_id = ? ORDER BY m.id`);
    this.#event = database.prepare(
      `SELECT ${selectList('e', EVENT_FIELDS)} FROM events e WHERE e.id = ?`,
    );
    this.#brief = database.prepare('SELECT id, ticker, slug, title FROM events WHERE id = ?');
    this.#memory = new PieceMemory(moment, CATALOG_BOUNDS.keptMarketBytes);
  }

  row(id: number): MarketTextRow | undefined {
    return this.#byId.get(id);
  }

  /** Elements of a list. */
  writeList(page: PageWriter, ids: readonly number[]): void {
    let separator = '';
    for (const id of ids) {
      const piece = this.#memory.of(id, () => this.#listed(id));
      if (piece === undefined) continue;
      page.add(separator);
      page.add(piece);
      separator = ',';
    }
  }

  /** Elements of the list that an event has. */
  writeOfEvent(piece: PieceWriter, event: EventBriefRow, form: MarketForm): void {
    const brief = `,"events":[${eventBrief(event)}]`;
    this.#ofEvent.all(event.id).forEach((row, index) => {
      if (index > 0) piece.add(',');
      writeMarket(piece, row, `${brief}${form === 'mirrored' ? mirrorMembers(row) : ''}`);
    });
  }

  piece(row: MarketTextRow, form: MarketForm): Piece {
    const piece = new PieceWriter();
    writeMarket(piece, row, `,"events":[${this.#eventText(row.eventId, form)}]`);
    return piece.done();
  }

  #listed(id: number): MadePiece | undefined {
    const row = this.#byId.get(id);
    if (row === undefined) return undefined;
    const { eventId } = row;
    // An event has its figures as long as it is there, and it is while it has a market.
    const version = this.#moment.versionOf(eventId) ?? 0;
    return { piece: this.piece(row, 'listed'), eventId, version };
  }

  #eventText(eventId: number, form: MarketForm): string {
    if (form === 'whole') {
      const event = this.#event.get(eventId);
      return event === undefined ? '' : `${eventMembers(event)}}`;
    }
    const event = this.#brief.get(eventId);
    return event === undefined ? '' : eventBrief(event);
  }
}

/** `further` has a comma before each member. */
function writeMarket(piece: PieceWriter, row: MarketTextRow, further: string): void {
  const { conditionId, closed, acceptingOrders } = row;
  const place = { conditionId, closed: closed === 1, acceptingOrders: acceptingOrders === 1 };
  piece.add(marketMembers(row) + further);
  piece.market(place, untradedMembers(row));
  piece.add('}');
}
