/**
 * Events as JSON with their tags, markets and series; series with their events. Bounds: the
 * caller's ids; of a series, the newest `CATALOG_BOUNDS.eventsTold` events; an answer of more than
 * `CATALOG_BOUNDS.answerChars` characters is refused, because an event may have a thousand markets
 * with long texts.
 */
import type { Database, Statement } from 'better-sqlite3';
import { StoreError } from '../../persistence/shared/index.ts';
import { JsonWriter } from '../json/json-writer.ts';
import { eventMembers, furtherEventMembers, seriesMembers, tagText } from '../json/record-text.ts';
import {
  CATALOG_BOUNDS,
  EVENT_COLUMNS,
  type EventRow,
  SERIES_COLUMNS,
  type SeriesRow,
  selectList,
  TAG_COLUMNS,
  type TagRow,
} from '../model/index.ts';
import { STATE_BITS } from './list-tables.ts';
import { type MarketForm, type MarketQueries, SELECT_EVENT, type WholeEvent } from './markets.ts';
import {
  type CatalogVersions,
  type EventJson,
  eventJsonCache,
  type VersionedCache,
} from './versioned-cache.ts';

export interface EventQueriesParts {
  readonly versions: CatalogVersions;
  readonly markets: MarketQueries;
}

const SELECT_EVENT_BEFORE = `
SELECT event_id AS id, state FROM event_figures WHERE event_id < ? ORDER BY event_id DESC LIMIT 1`;

const SELECT_TAGS_OF = `
SELECT ${selectList('t', TAG_COLUMNS)} FROM event_tags l CROSS JOIN tags t ON t.id = l.tag_id
WHERE l.event_id = ? ORDER BY l.position`;

const SELECT_SERIES_OF = `
SELECT ${selectList('s', SERIES_COLUMNS)}
FROM event_series l CROSS JOIN series s ON s.id = l.series_id
WHERE l.event_id = ? ORDER BY l.position`;

const SELECT_EVENTS_OF = `
SELECT * FROM (SELECT ${selectList('e', EVENT_COLUMNS)}
  FROM event_series l CROSS JOIN events e ON e.id = l.event_id
  WHERE l.series_id = ? ORDER BY l.event_id DESC LIMIT ${CATALOG_BOUNDS.eventsTold})
ORDER BY id`;

export class EventQueries {
  readonly #versions: CatalogVersions;
  readonly #markets: MarketQueries;
  readonly #event: Statement<[id: number], WholeEvent>;
  readonly #tagsOf: Statement<[eventId: number], TagRow>;
  readonly #seriesOf: Statement<[eventId: number], SeriesRow>;
  readonly #eventsOf: Statement<[seriesId: number], EventRow>;
  readonly #series: Statement<[id: number], SeriesRow>;
  readonly #eventBefore: Statement<[id: number], { readonly id: number; readonly state: number }>;
  readonly #cache: VersionedCache<number, EventJson>;
  /** Pre-warming has reached this event; it goes from the newest to the oldest. */
  #warmedId = Number.MAX_SAFE_INTEGER;

  constructor(database: Database, { versions, markets }: EventQueriesParts) {
    this.#versions = versions;
    this.#markets = markets;
    this.#cache = eventJsonCache(CATALOG_BOUNDS.keptEventBytes);
    this.#event = database.prepare(SELECT_EVENT);
    this.#eventBefore = database.prepare(SELECT_EVENT_BEFORE);
    this.#tagsOf = database.prepare(SELECT_TAGS_OF);
    this.#seriesOf = database.prepare(SELECT_SERIES_OF);
    this.#eventsOf = database.prepare(SELECT_EVENTS_OF);
    this.#series = database.prepare(
      `SELECT ${selectList('s', SERIES_COLUMNS)} FROM series s WHERE s.id = ?`,
    );
  }

  /** Writes the elements of a list. Throws StoreError `search_too_wide`. */
  writeList(writer: JsonWriter, ids: readonly number[]): void {
    writer.addEach(ids, (id, index) => {
      const kept = this.#cache.get(id, ({ eventId }) => this.#versions.ofEvent(eventId));
      if (kept === undefined) this.#writeAndKeep(writer, id);
      else writer.addFragment(kept.fragment);
      if (writer.chars > CATALOG_BOUNDS.answerChars) throw tooLong(index + 1);
    });
  }

  /**
   * Pre-warms the cache with the next event, newest first, if it is open: a list takes twenty times
   * as long for an event that is not in the cache. False when the cache is full or no event is
   * left.
   */
  warmNext(): boolean {
    const row = this.#cache.isAlmostFull ? undefined : this.#eventBefore.get(this.#warmedId);
    if (row === undefined) return false;
    this.#warmedId = row.id;
    if (row.state !== STATE_BITS.active) return true;
    const writer = new JsonWriter();
    this.writeList(writer, [row.id]);
    writer.done(1);
    return true;
  }

  /** Writes the event. Returns false if there is none of that id. */
  write(writer: JsonWriter, id: number, form: MarketForm): boolean {
    return this.#writeEvent(writer, id, form) !== undefined;
  }

  /** The tags as a member of a market, with a comma before it. */
  tagsMember(eventId: number): string {
    return `,"tags":[${this.tagTexts(eventId)}]`;
  }

  /** Elements of a list. */
  tagTexts(eventId: number): string {
    return this.#tagsOf.all(eventId).map(tagText).join(',');
  }

  /** Writes the series with its events. Returns false if there is none of that id. */
  writeSeries(writer: JsonWriter, id: number, withoutEvents = false): boolean {
    const row = this.#series.get(id);
    if (row === undefined) return false;
    const rows = withoutEvents ? [] : this.#eventsOf.all(id);
    const events = rows.map((event) => `${eventMembers(event)}}`);
    writer.add(`${seriesMembers(row)},"events":[${events.join(',')}]}`);
    return true;
  }

  /** Writes the elements of a list. Throws StoreError `search_too_wide`. */
  writeSeriesList(writer: JsonWriter, ids: readonly number[], withoutEvents = false): void {
    writer.addEach(ids, (id, index) => {
      this.writeSeries(writer, id, withoutEvents);
      if (writer.chars > CATALOG_BOUNDS.answerChars) throw tooLong(index + 1);
    });
  }

  #writeAndKeep(writer: JsonWriter, id: number): void {
    const mark = writer.mark();
    const version = this.#writeEvent(writer, id, 'listed');
    if (version === undefined) return;
    this.#cache.set(id, version, { eventId: id, fragment: writer.fragmentSince(mark) });
  }

  /** Writes the event and returns its version; undefined if there is none of that id. */
  #writeEvent(writer: JsonWriter, id: number, form: MarketForm): number | undefined {
    const row = this.#event.get(id);
    if (row === undefined) return undefined;
    writer.add(`${eventMembers(row)}${furtherEventMembers(row)},"tags":[${this.tagTexts(id)}]`);
    writer.add(',"markets":[');
    this.#markets.writeOfEvent(writer, row, form);
    const series = this.#seriesOf.all(id).map((one) => `${seriesMembers(one)}}`);
    writer.add(`],"series":[${series.join(',')}]}`);
    return row.version;
  }
}

function tooLong(count: number): StoreError {
  return new StoreError(
    'search_too_wide',
    `the first ${count} records of the list have more than ${CATALOG_BOUNDS.answerChars} ` +
      'characters: ask for fewer at a time',
  );
}
