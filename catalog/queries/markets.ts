/**
 * Markets as JSON, for every answer that contains markets. Invariant: a market has the same members
 * everywhere, except for its events (whole, but short inside of their event) and its mirror
 * (only in one event asked for by its id). Bounds: the caller's ids; the markets of one
 * event.
 */
import type { Database, Statement } from 'better-sqlite3';
import type { JsonWriter } from '../json/json-writer.ts';
import {
  type CommentCounted,
  type EventBriefRow,
  eventBrief,
  eventMembers,
  furtherEventMembers,
  type MarketTextRow,
  marketMembers,
  mirrorMembers,
  untradedMembers,
} from '../json/record-text.ts';
import {
  CATALOG_BOUNDS,
  EVENT_COLUMNS,
  type EventFigureRow,
  type EventRow,
  MARKET_COLUMNS,
  selectFigures,
  selectList,
  slotOfMarket,
} from '../model/index.ts';
import {
  type CatalogVersions,
  type EventJson,
  eventJsonCache,
  type VersionedCache,
} from './versioned-cache.ts';

const SELECTED = `${selectList('m', MARKET_COLUMNS)},
  t0.token_id AS token0, t1.token_id AS token1, t0.outcome AS outcome0, t1.outcome AS outcome1,
  ${selectFigures('f')}, x.ended_at AS endedAt`;

// The index covers the query, so that tokens are not looked up by their long ids.
const FROM_MARKETS = `
FROM markets m
CROSS JOIN market_figures f ON f.market_id = m.id
CROSS JOIN market_tokens t0 INDEXED BY market_tokens_told
  ON t0.market_id = m.id AND t0.outcome_index = 0
CROSS JOIN market_tokens t1 INDEXED BY market_tokens_told
  ON t1.market_id = m.id AND t1.outcome_index = 1
LEFT JOIN ended_markets x ON x.condition_id = m.condition_id`;

const SELECT_MARKETS = `SELECT ${SELECTED} ${FROM_MARKETS}`;

export const SELECT_EVENT = `
SELECT ${selectList('e', EVENT_COLUMNS)}, ${selectFigures('f')}, f.competitive,
  f.told_comments AS sourceComments, f.comment_count AS commentCount, f.version
FROM events e CROSS JOIN event_figures f ON f.event_id = e.id WHERE e.id = ?`;

export type WholeEvent = EventRow & EventFigureRow & CommentCounted & { readonly version: number };

export type MarketForm = 'listed' | 'mirrored';

/** The tags of an event as a member with a comma before it. */
type TagsOf = (eventId: number) => string;

export class MarketQueries {
  readonly #versions: CatalogVersions;
  readonly #byId: Statement<[id: number], MarketTextRow>;
  readonly #ofEvent: Statement<[eventId: number], MarketTextRow>;
  readonly #event: Statement<[id: number], WholeEvent>;
  readonly #cache: VersionedCache<number, EventJson>;

  constructor(database: Database, versions: CatalogVersions) {
    this.#versions = versions;
    this.#byId = database.prepare(`${SELECT_MARKETS} WHERE m.id = ?`);
    this.#ofEvent = database.prepare(`${SELECT_MARKETS} WHERE m.event_id = ? ORDER BY m.id`);
    this.#event = database.prepare(SELECT_EVENT);
    this.#cache = eventJsonCache(CATALOG_BOUNDS.keptMarketBytes);
  }

  row(id: number): MarketTextRow | undefined {
    return this.#byId.get(id);
  }

  /** Writes the elements of a list with the tags of their events. They are not cached. */
  writeTagged(writer: JsonWriter, ids: readonly number[], tagsOf: TagsOf): void {
    const rows = ids.map((id) => this.#byId.get(id)).filter((row) => row !== undefined);
    writer.addEach(rows, (row) => this.writeWhole(writer, row, tagsOf(row.eventId)));
  }

  writeList(writer: JsonWriter, ids: readonly number[]): void {
    let separator = '';
    for (const id of ids) {
      const kept = this.#cache.get(id, ({ eventId }) => this.#versions.ofEvent(eventId));
      const row = kept === undefined ? this.#byId.get(id) : undefined;
      if (kept === undefined && row === undefined) continue;
      writer.add(separator);
      separator = ',';
      if (kept !== undefined) writer.addFragment(kept.fragment);
      if (row !== undefined) this.#writeAndKeep(writer, row);
    }
  }

  writeOfEvent(writer: JsonWriter, event: EventBriefRow, form: MarketForm): void {
    const brief = `,"events":[${eventBrief(event)}]`;
    writer.addEach(this.#ofEvent.all(event.id), (row) => {
      writeMarket(writer, row, `${brief}${form === 'mirrored' ? mirrorMembers(row) : ''}`);
    });
  }

  /** A market with its event. `further`: members with a comma before each. */
  writeWhole(writer: JsonWriter, row: MarketTextRow, further = ''): void {
    writeMarket(writer, row, `${eventsOf(this.#event.get(row.eventId))}${further}`);
  }

  #writeAndKeep(writer: JsonWriter, row: MarketTextRow): void {
    const event = this.#event.get(row.eventId);
    const mark = writer.mark();
    writeMarket(writer, row, eventsOf(event));
    if (event === undefined) return;
    const kept = { eventId: event.id, fragment: writer.fragmentSince(mark) };
    this.#cache.set(row.id, event.version, kept);
  }
}

/** The event of a market without its lists, as a member with a comma before it. */
function eventsOf(event: WholeEvent | undefined): string {
  if (event === undefined) return ',"events":[]';
  return `,"events":[${eventMembers(event)}${furtherEventMembers(event)}}]`;
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
