/**
 * Markets as JSON, for every answer that contains markets. Invariant: a market has the same members
 * everywhere, except for its events (short in lists, whole in an answer about one market) and its
 * mirror (only in one event asked for by its id). Bounds: the caller's ids; the markets of one
 * event.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  type EventBriefRow,
  eventBrief,
  eventMembers,
  type JsonWriter,
  type MarketTextRow,
  marketMembers,
  mirrorMembers,
  untradedMembers,
} from '../json/index.ts';
import {
  CATALOG_BOUNDS,
  EVENT_COLUMNS,
  type EventRow,
  MARKET_COLUMNS,
  selectList,
  slotOfMarket,
} from '../model/index.ts';
import { type EventJson, eventJsonCache } from './event-json.ts';
import type { VersionedCache } from './versioned-cache.ts';
import type { CatalogVersions } from './versions.ts';

const SELECTED = `${selectList('m', MARKET_COLUMNS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  f.volume, f.volume_24hr AS volume24hr, f.liquidity`;

// The index covers the query, so that tokens are not looked up by their long ids.
const FROM_MARKETS = `
FROM markets m
CROSS JOIN market_figures f ON f.market_id = m.id
CROSS JOIN market_tokens t0 INDEXED BY market_tokens_told
  ON t0.market_id = m.id AND t0.outcome_index = 0
CROSS JOIN market_tokens t1 INDEXED BY market_tokens_told
  ON t1.market_id = m.id AND t1.outcome_index = 1`;

const SELECT_MARKETS = `SELECT ${SELECTED} ${FROM_MARKETS}`;

/** With the columns of its event that a list shows, and the event's version. */
const SELECT_LISTED = `
SELECT ${SELECTED}, e.ticker AS eventTicker, e.slug AS eventSlug, e.title AS eventTitle,
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

/** Whether the markets of an event are written with their mirrors. */
export type MarketForm = 'listed' | 'mirrored';

/** The tags of an event as a member with a comma before it. */
type TagsOf = (eventId: number) => string;

export class MarketQueries {
  readonly #versions: CatalogVersions;
  readonly #byId: Statement<[id: number], MarketTextRow>;
  readonly #listed: Statement<[id: number], ListedMarket>;
  readonly #ofEvent: Statement<[eventId: number], MarketTextRow>;
  readonly #event: Statement<[id: number], EventRow>;
  /** Markets as lists show them. */
  readonly #cache: VersionedCache<number, EventJson>;

  constructor(database: Database, versions: CatalogVersions) {
    this.#versions = versions;
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#listed = database.prepare(SELECT_LISTED);
    this.#ofEvent = database.prepare(`${SELECT_MARKETS} WHERE m.event_id = ? ORDER BY m.id`);
    this.#event = database.prepare(
      `SELECT ${selectList('e', EVENT_COLUMNS)} FROM events e WHERE e.id = ?`,
    );
    this.#cache = eventJsonCache(CATALOG_BOUNDS.keptMarketBytes);
  }

  row(id: number): MarketTextRow | undefined {
    return this.#byId.get(id);
  }

  /** Writes the elements of a list with the tags of their events. They are not cached. */
  writeTagged(writer: JsonWriter, ids: readonly number[], tagsOf: TagsOf): void {
    const rows = ids.map((id) => this.#listed.get(id)).filter((row) => row !== undefined);
    writer.addEach(rows, (row) =>
      writeMarket(writer, row, `${briefOf(row)}${tagsOf(row.eventId)}`),
    );
  }

  /** Writes the elements of a list. */
  writeList(writer: JsonWriter, ids: readonly number[]): void {
    let separator = '';
    for (const id of ids) {
      const kept = this.#cache.get(id, ({ eventId }) => this.#versions.ofEvent(eventId));
      const row = kept === undefined ? this.#listed.get(id) : undefined;
      if (kept === undefined && row === undefined) continue;
      writer.add(separator);
      separator = ',';
      if (kept !== undefined) writer.addFragment(kept.fragment);
      if (row !== undefined) this.#writeAndKeep(writer, row);
    }
  }

  /** Writes the elements of an event's list of markets. */
  writeOfEvent(writer: JsonWriter, event: EventBriefRow, form: MarketForm): void {
    const brief = `,"events":[${eventBrief(event)}]`;
    writer.addEach(this.#ofEvent.all(event.id), (row) => {
      writeMarket(writer, row, `${brief}${form === 'mirrored' ? mirrorMembers(row) : ''}`);
    });
  }

  /** One market with its whole event. `further`: members with a comma before each. */
  writeWhole(writer: JsonWriter, row: MarketTextRow, further = ''): void {
    const event = this.#event.get(row.eventId);
    const events = `,"events":[${event === undefined ? '' : `${eventMembers(event)}}`}]`;
    writeMarket(writer, row, `${events}${further}`);
  }

  #writeAndKeep(writer: JsonWriter, row: ListedMarket): void {
    const { eventId, version } = row;
    const mark = writer.mark();
    writeMarket(writer, row, briefOf(row));
    this.#cache.set(row.id, version, { eventId, fragment: writer.fragmentSince(mark) });
  }
}

/** The event of a listed market, as a member with a comma before it. */
function briefOf(row: ListedMarket): string {
  const { eventId: id, eventTicker: ticker, eventSlug: slug, eventTitle: title } = row;
  return `,"events":[${eventBrief({ id, ticker, slug, title })}]`;
}

/** `further`: members with a comma before each. */
function writeMarket(writer: JsonWriter, row: MarketTextRow, further: string): void {
  const { conditionId, closed, acceptingOrders } = row;
  writer.add(marketMembers(row) + further);
  writer.slot(
    slotOfMarket({ conditionId, closed: closed === 1, acceptingOrders: acceptingOrders === 1 }),
    untradedMembers(row),
  );
  writer.add('}');
}
