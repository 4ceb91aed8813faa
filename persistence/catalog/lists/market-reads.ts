// Markets as their texts, for every answer that holds some. Invariant: the same market has the
// same members everywhere, but for its events (brief in lists, whole by its own name) and its
// mirror (in events asked for by id alone). Bound: the caller's ids; of one event,
// `CATALOG_BOUNDS.marketsAnEvent`.

import type { Database, Statement } from 'better-sqlite3';
import {
  type EventBriefRow,
  eventBrief,
  eventMembers,
  type MarketTextRow,
  marketMembers,
  mirrorMembers,
  untradedMembers,
} from '../json/index.ts';
import {
  CATALOG_BOUNDS,
  EVENT_FIELDS,
  type EventRow,
  MARKET_FIELDS,
  selectList,
} from '../model/index.ts';
import type { CatalogMoment } from './moment.ts';
import { type MadePiece, PieceMemory } from './piece-memory.ts';
import { type PageWriter, type Piece, PieceWriter } from './pieces.ts';

const MARKET_COLUMNS = `${selectList('m', MARKET_FIELDS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  f.volume, f.volume_24hr AS volume24hr, f.liquidity`;

// The index has all that is asked of a token: ids of tokens are long and lie anywhere.
const FROM_MARKETS = `
FROM markets m
CROSS JOIN market_figures f ON f.market_id = m.id
CROSS JOIN market_tokens t0 INDEXED BY market_tokens_told
  ON t0.market_id = m.id AND t0.outcome_index = 0
CROSS JOIN market_tokens t1 INDEXED BY market_tokens_told
  ON t1.market_id = m.id AND t1.outcome_index = 1`;

const SELECT_MARKETS = `SELECT ${MARKET_COLUMNS} ${FROM_MARKETS}`;

/** With what a list tells of its event, and the event's version. */
const SELECT_LISTED = `
SELECT ${MARKET_COLUMNS}, e.ticker AS eventTicker, e.slug AS eventSlug, e.title AS eventTitle,
  g.version
${FROM_MARKETS}
CROSS JOIN events e ON e.id = m.event_id
CROSS JOIN event_figures g ON g.event_id = m.event_id
WHERE m.id = ?`;

interface ListedMarket extends MarketTextRow {
  readonly eventTicker: string;
  readonly eventSlug: string;
  readonly eventTitle: string;
  readonly version: number;
}

/** What the markets of an event have besides: their mirrors, where it is asked for by its id. */
export type MarketForm = 'listed' | 'mirrored';

export class MarketReads {
  readonly #byId: Statement<[id: number], MarketTextRow>;
  readonly #listed: Statement<[id: number], ListedMarket>;
  readonly #ofEvent: Statement<[eventId: number], MarketTextRow>;
  readonly #event: Statement<[id: number], EventRow>;
  /** Of those in lists. */
  readonly #memory: PieceMemory;

  constructor(database: Database, moment: CatalogMoment) {
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#listed = database.prepare(SELECT_LISTED);
    this.#ofEvent = database.prepare(`${SELECT_MARKETS} WHERE m.event_id = ? ORDER BY m.id`);
    this.#event = database.prepare(
      `SELECT ${selectList('e', EVENT_FIELDS)} FROM events e WHERE e.id = ?`,
    );
    this.#memory = new PieceMemory(moment, CATALOG_BOUNDS.keptMarketBytes);
  }

  row(id: number): MarketTextRow | undefined {
    return this.#byId.get(id);
  }

  /** Elements of a list. */
  writeList(page: PageWriter, ids: readonly number[]): void {
    let separator = '';
    for (const id of ids) {
      const piece = this.#memory.of(id, () => this.#made(id));
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

  /** By its own name, with its whole event. */
  wholePiece(row: MarketTextRow): Piece {
    const event = this.#event.get(row.eventId);
    return pieceOf(row, event === undefined ? '' : `${eventMembers(event)}}`);
  }

  /** Of a list. */
  #made(id: number): MadePiece | undefined {
    const row = this.#listed.get(id);
    if (row === undefined) return undefined;
    const { eventId, eventTicker: ticker, eventSlug: slug, eventTitle: title, version } = row;
    const brief = eventBrief({ id: eventId, ticker, slug, title });
    return { piece: pieceOf(row, brief), eventId, version };
  }
}

/** A market with its event. */
function pieceOf(row: MarketTextRow, event: string): Piece {
  const piece = new PieceWriter();
  writeMarket(piece, row, `,"events":[${event}]`);
  return piece.done();
}

/** `further` has a comma before each member. */
function writeMarket(piece: PieceWriter, row: MarketTextRow, further: string): void {
  const { conditionId, closed, acceptingOrders } = row;
  const place = { conditionId, closed: closed === 1, acceptingOrders: acceptingOrders === 1 };
  piece.add(marketMembers(row) + further);
  piece.market(place, untradedMembers(row));
  piece.add('}');
}
