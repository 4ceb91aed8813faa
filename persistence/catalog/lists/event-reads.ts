// Events as their texts, with the tags, markets and series that belong to them, and series with
// their events. Bound: the caller's ids; of a series, the newest `CATALOG_BOUNDS.eventsTold`
// events; an answer has at most `CATALOG_BOUNDS.answerChars` characters, beyond which it is
// refused, for events may have a thousand markets with long words each.

import type { Database, Statement } from 'better-sqlite3';
import { StoreError } from '../../shared/index.ts';
import type { CatalogTextWriter } from '../json/index.ts';
import {
  type CommentCounted,
  eventMembers,
  furtherEventMembers,
  seriesMembers,
  tagText,
} from '../json/index.ts';
import {
  CATALOG_BOUNDS,
  EVENT_FIELDS,
  type EventFigureRow,
  type EventRow,
  SERIES_FIELDS,
  type SeriesRow,
  selectList,
  TAG_FIELDS,
  type TagRow,
} from '../model/index.ts';
import { STATE_BITS } from './list-tables.ts';
import type { MarketForm, MarketReads } from './market-reads.ts';
import type { CatalogMoment } from './moment.ts';
import { type MadePiece, PieceMemory } from './piece-memory.ts';
import { type PageWriter, type Piece, PieceWriter } from './pieces.ts';

type WholeEvent = EventRow & EventFigureRow & CommentCounted & { readonly version: number };

export interface EventReadsParts {
  readonly moment: CatalogMoment;
  readonly markets: MarketReads;
}

const SELECT_EVENTS = `
SELECT ${selectList('e', EVENT_FIELDS)}, f.volume, f.volume_24hr AS volume24hr, f.liquidity,
  f.competitive, f.told_comments AS sourceComments, f.comment_count AS commentCount, f.version
FROM events e CROSS JOIN event_figures f ON f.event_id = e.id`;

const SELECT_EVENT_BEFORE = `
SELECT event_id AS id, state FROM event_figures WHERE event_id < ? ORDER BY event_id DESC LIMIT 1`;

const SELECT_TAGS_OF = `
SELECT ${selectList('t', TAG_FIELDS)} FROM event_tags l CROSS JOIN tags t ON t.id = l.tag_id
WHERE l.event_id = ? ORDER BY l.position`;

const SELECT_SERIES_OF = `
SELECT ${selectList('s', SERIES_FIELDS)}
FROM event_series l CROSS JOIN series s ON s.id = l.series_id
WHERE l.event_id = ? ORDER BY l.position`;

const SELECT_EVENTS_OF = `
SELECT * FROM (SELECT ${selectList('e', EVENT_FIELDS)}
  FROM event_series l CROSS JOIN events e ON e.id = l.event_id
  WHERE l.series_id = ? ORDER BY l.event_id DESC LIMIT ${CATALOG_BOUNDS.eventsTold})
ORDER BY id`;

export class EventReads {
  readonly #markets: MarketReads;
  readonly #byId: Statement<[id: number], WholeEvent>;
  readonly #tagsOf: Statement<[eventId: number], TagRow>;
  readonly #seriesOf: Statement<[eventId: number], SeriesRow>;
  readonly #eventsOf: Statement<[seriesId: number], EventRow>;
  readonly #series: Statement<[id: number], SeriesRow>;
  readonly #eventBefore: Statement<[id: number], { readonly id: number; readonly state: number }>;
  /** Of those in lists. */
  readonly #memory: PieceMemory;
  /** Those from here on were made ahead. */
  #aheadId = Number.MAX_SAFE_INTEGER;

  constructor(database: Database, { moment, markets }: EventReadsParts) {
    this.#markets = markets;
    this.#memory = new PieceMemory(moment, CATALOG_BOUNDS.keptEventBytes);
    this.#byId = database.prepare(`${SELECT_EVENTS} WHERE e.id = ?`);
    this.#eventBefore = database.prepare(SELECT_EVENT_BEFORE);
    this.#tagsOf = database.prepare(SELECT_TAGS_OF);
    this.#seriesOf = database.prepare(SELECT_SERIES_OF);
    this.#eventsOf = database.prepare(SELECT_EVENTS_OF);
    this.#series = database.prepare(
      `SELECT ${selectList('s', SERIES_FIELDS)} FROM series s WHERE s.id = ?`,
    );
  }

  /** Elements of a list. Throws StoreError `search_too_wide`. */
  writeList(page: PageWriter, ids: readonly number[]): void {
    ids.forEach((id, index) => {
      if (index > 0) page.add(',');
      const piece = this.#memory.of(id, () => this.#made(id, 'listed'));
      if (piece !== undefined) page.add(piece);
      if (page.chars > CATALOG_BOUNDS.answerChars) throw tooLong(index + 1);
    });
  }

  /**
   * Goes on to the next event, newest first, and makes its text if it is open: one that is not kept
   * costs a list twenty times as much as one that is. False when all were had, or room is short.
   */
  makeAhead(): boolean {
    const row = this.#memory.isAlmostFull ? undefined : this.#eventBefore.get(this.#aheadId);
    if (row === undefined) return false;
    const { id, state } = row;
    this.#aheadId = id;
    if (state === STATE_BITS.active) this.#memory.of(id, () => this.#made(id, 'listed'));
    return true;
  }

  /** Undefined where there is none of that id. */
  piece(id: number, form: MarketForm): Piece | undefined {
    return this.#made(id, form)?.piece;
  }

  #made(id: number, form: MarketForm): MadePiece | undefined {
    const row = this.#byId.get(id);
    if (row === undefined) return undefined;
    const piece = new PieceWriter();
    piece.add(`${eventMembers(row)}${furtherEventMembers(row)},"tags":[${this.tagTexts(id)}]`);
    piece.add(',"markets":[');
    this.#markets.writeOfEvent(piece, row, form);
    const series = this.#seriesOf.all(id).map((one) => `${seriesMembers(one)}}`);
    piece.add(`],"series":[${series.join(',')}]}`);
    return { piece: piece.done(), eventId: id, version: row.version };
  }

  /** Elements of a list. */
  tagTexts(eventId: number): string {
    return this.#tagsOf.all(eventId).map(tagText).join(',');
  }

  /** With its events. Whether there is one of that id. */
  writeSeries(text: CatalogTextWriter, id: number): boolean {
    const row = this.#series.get(id);
    if (row === undefined) return false;
    const events = this.#eventsOf.all(id).map((event) => `${eventMembers(event)}}`);
    text.add(`${seriesMembers(row)},"events":[${events.join(',')}]}`);
    return true;
  }

  /** Elements of a list. Throws StoreError `search_too_wide`. */
  writeSeriesList(text: CatalogTextWriter, ids: readonly number[]): void {
    ids.forEach((id, index) => {
      if (index > 0) text.add(',');
      this.writeSeries(text, id);
      if (text.chars > CATALOG_BOUNDS.answerChars) throw tooLong(index + 1);
    });
  }
}

function tooLong(count: number): StoreError {
  return new StoreError(
    'search_too_wide',
    `the first ${count} things of the list have more than ${CATALOG_BOUNDS.answerChars} ` +
      'characters: ask for fewer at a time',
  );
}
