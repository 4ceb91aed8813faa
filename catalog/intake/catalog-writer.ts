/**
 * Writes the rows of checked events. Every method runs inside a transaction of its caller, which
 * must have checked for conflicts: a stored row is overwritten.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  assignedFigures,
  columnOf,
  EVENT_COLUMNS,
  type EventRow,
  MARKET_COLUMNS,
  SERIES_COLUMNS,
  type SeriesRow,
  TAG_COLUMNS,
  type TagRow,
  upsertSql,
} from '../model/index.ts';
import type { CheckedEvent, CheckedMarket } from '../records/event-records.ts';
import { WordIndex } from '../search/word-index.ts';

const PUT_EVENT = upsertSql('events', EVENT_COLUMNS);
const PUT_MARKET = upsertSql('markets', MARKET_COLUMNS);
const PUT_TAG = upsertSql('tags', TAG_COLUMNS);
const PUT_SERIES = upsertSql('series', SERIES_COLUMNS);

const PUT_TOKEN = `
INSERT INTO market_tokens (token_id, market_id, outcome_index, outcome)
VALUES (?, ?, ?, ?)
ON CONFLICT (token_id) DO UPDATE SET outcome = excluded.outcome`;

// An event may name a tag or series twice; the first position counts.
const LINK_TAG = 'INSERT INTO event_tags VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
const LINK_SERIES = 'INSERT INTO event_series VALUES (?, ?, ?) ON CONFLICT DO NOTHING';

const DELETE_EMPTY_EVENT = `
DELETE FROM events WHERE id = @id AND slug = @slug
  AND NOT EXISTS (SELECT 1 FROM markets WHERE event_id = events.id)`;

const MAKE_NEG_RISK = `
UPDATE events SET neg_risk = 1, neg_risk_event_id = @negRiskEventId
WHERE id = @id AND NOT neg_risk`;

// Figures of trading here (is_own) are kept, for the market and for its event.
const PUT_FIGURES = `
UPDATE market_figures SET ${assignedFigures()}
WHERE market_id = @id AND NOT is_own`;

const PUT_EVENT_FIGURES = `
UPDATE event_figures SET competitive = @competitive, told_comments = @sourceComments,
  ${assignedFigures((figure) => `iif(is_own, ${columnOf(figure)}, @${figure})`)}
WHERE event_id = @id`;

const IS_SAME_TAG = 'SELECT 1 FROM tags WHERE id = @id AND slug = @slug AND label = @label';

type EventName = Pick<EventRow, 'id' | 'slug'>;

export class CatalogWriter {
  readonly #sql: StatementCache;
  readonly #index: WordIndex;
  /** Events to be indexed later; undefined outside of `deferIndexing`. */
  #unindexed: Set<number> | undefined;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
    this.#index = new WordIndex(database);
  }

  /** Stores the event with its markets, tags and series. */
  putEvent(event: CheckedEvent): void {
    this.#sql.run(PUT_EVENT, event.row);
    this.#sql.run(PUT_EVENT_FIGURES, { id: event.row.id, ...event.figures });
    this.#putTags(event);
    this.#putSeriesOf(event);
    for (const market of event.markets) this.#putMarketRow(market);
    this.#indexEvent(event.row.id);
  }

  /** Stores a placeholder, and its event if that is not stored. */
  putPlaceholder(event: CheckedEvent): void {
    const isNew = this.#sql.value('SELECT 1 FROM events WHERE id = ?', event.row.id) === undefined;
    if (isNew) this.#sql.run(PUT_EVENT, event.row);
    else if (event.row.negRisk === 1) this.#sql.run(MAKE_NEG_RISK, event.row);
    for (const market of event.markets) this.#putMarketRow(market);
    this.#indexEvent(event.row.id);
  }

  /** Stores a new market, which opens its event again. */
  addMarket(market: CheckedMarket): void {
    this.putMarket(market);
    this.#sql.run(
      'UPDATE events SET closed = 0, closed_time = NULL WHERE id = ?',
      market.row.eventId,
    );
  }

  deleteMarket(id: number): void {
    const eventId = this.#sql.value<number>('SELECT event_id FROM markets WHERE id = ?', id);
    this.#sql.run('DELETE FROM markets WHERE id = ?', id);
    if (eventId !== undefined) this.#indexEvent(eventId);
  }

  /** Removes an event of that id and slug, unless it has a market. */
  deleteEmptyEvent(event: EventName): void {
    this.#sql.run(DELETE_EMPTY_EVENT, event);
    this.#indexEvent(event.id);
  }

  putMarket(market: CheckedMarket): void {
    this.#putMarketRow(market);
    this.#indexEvent(market.row.eventId);
  }

  /** Stores the tag and its document in the search index. */
  putTag(tag: TagRow): void {
    const isSame = this.#sql.value(IS_SAME_TAG, tag) !== undefined;
    this.#sql.run(PUT_TAG, tag);
    if (!isSame) this.#index.putTag(tag.id);
  }

  putSeries(series: SeriesRow): void {
    this.#sql.run(PUT_SERIES, series);
  }

  #putMarketRow({ row, tokenIds, outcomes, figures }: CheckedMarket): void {
    this.#sql.run(PUT_MARKET, row);
    this.#sql.run(PUT_FIGURES, { id: row.id, ...figures });
    for (const index of [0, 1] as const) {
      this.#sql.run(PUT_TOKEN, tokenIds[index], row.id, index, outcomes[index]);
    }
  }

  #putTags({ row, tags }: CheckedEvent): void {
    this.#sql.run('DELETE FROM event_tags WHERE event_id = ?', row.id);
    tags.forEach((tag, position) => {
      this.putTag(tag);
      this.#sql.run(LINK_TAG, row.id, tag.id, position);
    });
  }

  #putSeriesOf({ row, series }: CheckedEvent): void {
    this.#sql.run('DELETE FROM event_series WHERE event_id = ?', row.id);
    series.forEach((one, position) => {
      this.putSeries(one);
      this.#sql.run(LINK_SERIES, row.id, one.id, position);
    });
  }

  /**
   * Runs work that writes many events, and then indexes them in the same transaction, because the
   * index flushes before each statement on other tables.
   */
  deferIndexing<Result>(work: () => Result): Result {
    const unindexed = new Set<number>();
    this.#unindexed = unindexed;
    try {
      const result = work();
      for (const id of unindexed) this.#index.putEvent(id);
      return result;
    } finally {
      this.#unindexed = undefined;
    }
  }

  #indexEvent(id: number): void {
    if (this.#unindexed === undefined) this.#index.putEvent(id);
    else this.#unindexed.add(id);
  }
}
