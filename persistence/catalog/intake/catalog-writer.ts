/**
 * Writes the rows of checked events. Every method runs inside a transaction of its caller, after
 * conflicts were looked for: a row that is stored is overwritten.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  EVENT_COLUMNS,
  type EventFigureRow,
  type EventRow,
  type FigureRow,
  MARKET_COLUMNS,
  type MarketRow,
  SERIES_COLUMNS,
  type SeriesRow,
  TAG_COLUMNS,
  type TagRow,
  upsertSql,
} from '../model/index.ts';
import type { CheckedEvent, CheckedMarket } from '../records/index.ts';
import { WordIndex } from '../search/index.ts';

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
UPDATE market_figures SET volume = @volume, volume_24hr = @volume24hr, liquidity = @liquidity
WHERE market_id = @id AND NOT is_own`;

const PUT_EVENT_FIGURES = `
UPDATE event_figures SET competitive = @competitive, told_comments = @sourceComments,
  volume = iif(is_own, volume, @volume), volume_24hr = iif(is_own, volume_24hr, @volume24hr),
  liquidity = iif(is_own, liquidity, @liquidity)
WHERE event_id = @id`;

const IS_SAME_TAG = 'SELECT id FROM tags WHERE id = @id AND slug = @slug AND label = @label';

interface NewRows {
  readonly events: number;
  readonly markets: number;
}

type EventName = Pick<EventRow, 'id' | 'slug'>;
type NegRiskMark = Pick<EventRow, 'id' | 'negRiskEventId'>;
type Link = Statement<[eventId: number, id: number, position: number]>;
type OfId = Statement<[id: number], { readonly id: number }>;

export class CatalogWriter {
  readonly #findEvent: OfId;
  readonly #findMarket: OfId;
  readonly #putEvent: Statement<[EventRow]>;
  readonly #putMarket: Statement<[MarketRow]>;
  readonly #putToken: Statement<[string, marketId: number, outcomeIndex: 0 | 1, outcome: string]>;
  readonly #putTag: Statement<[TagRow]>;
  readonly #putSeries: Statement<[SeriesRow]>;
  readonly #unlinkTags: OfId;
  readonly #unlinkSeries: OfId;
  readonly #linkTag: Link;
  readonly #linkSeries: Link;
  readonly #deleteMarket: OfId;
  readonly #deleteEvent: Statement<[EventName]>;
  readonly #reopenEvent: OfId;
  readonly #makeNegRisk: Statement<[NegRiskMark]>;
  readonly #putFigures: Statement<[FigureRow & { readonly id: number }]>;
  readonly #putEventFigures: Statement<[EventFigureRow & { readonly id: number }]>;
  readonly #isSameTag: Statement<[TagRow], { readonly id: number }>;
  readonly #eventOf: OfId;
  readonly #index: WordIndex;
  /** Events to be indexed later; undefined outside of `deferIndexing`. */
  #unindexed: Set<number> | undefined;

  constructor(database: Database) {
    this.#findEvent = database.prepare('SELECT id FROM events WHERE id = ?');
    this.#findMarket = database.prepare('SELECT id FROM markets WHERE id = ?');
    this.#putEvent = database.prepare(upsertSql('events', EVENT_COLUMNS));
    this.#putMarket = database.prepare(upsertSql('markets', MARKET_COLUMNS));
    this.#putToken = database.prepare(PUT_TOKEN);
    this.#putTag = database.prepare(upsertSql('tags', TAG_COLUMNS));
    this.#putSeries = database.prepare(upsertSql('series', SERIES_COLUMNS));
    this.#unlinkTags = database.prepare('DELETE FROM event_tags WHERE event_id = ?');
    this.#unlinkSeries = database.prepare('DELETE FROM event_series WHERE event_id = ?');
    this.#linkTag = database.prepare(LINK_TAG);
    this.#linkSeries = database.prepare(LINK_SERIES);
    this.#deleteMarket = database.prepare('DELETE FROM markets WHERE id = ?');
    this.#deleteEvent = database.prepare(DELETE_EMPTY_EVENT);
    this.#reopenEvent = database.prepare('UPDATE events SET closed = 0 WHERE id = ?');
    this.#makeNegRisk = database.prepare(MAKE_NEG_RISK);
    this.#putFigures = database.prepare(PUT_FIGURES);
    this.#putEventFigures = database.prepare(PUT_EVENT_FIGURES);
    this.#isSameTag = database.prepare(IS_SAME_TAG);
    this.#eventOf = database.prepare('SELECT event_id AS id FROM markets WHERE id = ?');
    this.#index = new WordIndex(database);
  }

  /** Stores the event with its markets, tags and series. Returns how many rows are new. */
  putEvent(event: CheckedEvent): NewRows {
    const added = this.putEventRows(event);
    this.indexEvents([event]);
    return added;
  }

  /**
   * The same without the search index: the caller stores many events and then calls `indexEvents`
   * in the same transaction, because the index flushes before each statement on other tables.
   */
  putEventRows(event: CheckedEvent): NewRows {
    const isNew = this.#findEvent.get(event.row.id) === undefined;
    this.#putEvent.run(event.row);
    this.#putEventFigures.run({ id: event.row.id, ...event.figures });
    this.#putTags(event);
    this.#putSeriesOf(event);
    let newMarkets = 0;
    for (const market of event.markets) newMarkets += this.#putMarketRow(market) ? 1 : 0;
    return { events: isNew ? 1 : 0, markets: newMarkets };
  }

  indexEvents(events: readonly CheckedEvent[]): void {
    for (const { row } of events) this.#indexEvent(row.id);
  }

  /** Stores a placeholder, and its event if there is none. */
  putPlaceholder(event: CheckedEvent): void {
    if (this.#findEvent.get(event.row.id) === undefined) this.#putEvent.run(event.row);
    else if (event.row.negRisk === 1) this.#makeNegRisk.run(event.row);
    for (const market of event.markets) this.#putMarketRow(market);
    this.#indexEvent(event.row.id);
  }

  /** Stores a new market, which opens its event again. */
  addMarket(market: CheckedMarket): void {
    this.putMarket(market);
    this.#reopenEvent.run(market.row.eventId);
  }

  deleteMarket(id: number): void {
    const event = this.#eventOf.get(id);
    this.#deleteMarket.run(id);
    if (event !== undefined) this.#indexEvent(event.id);
  }

  /** Removes an event of that id and slug, unless it has a market. */
  deleteEmptyEvent(event: EventName): void {
    this.#deleteEvent.run(event);
    this.#indexEvent(event.id);
  }

  /** Returns whether the market is new. */
  putMarket(market: CheckedMarket): boolean {
    const isNew = this.#putMarketRow(market);
    this.#indexEvent(market.row.eventId);
    return isNew;
  }

  /** With its document in the search index. */
  putTag(tag: TagRow): void {
    const isSame = this.#isSameTag.get(tag) !== undefined;
    this.#putTag.run(tag);
    if (!isSame) this.#index.putTag(tag.id);
  }

  putSeries(series: SeriesRow): void {
    this.#putSeries.run(series);
  }

  #putMarketRow({ row, tokenIds, outcomes, figures }: CheckedMarket): boolean {
    const isNew = this.#findMarket.get(row.id) === undefined;
    this.#putMarket.run(row);
    this.#putFigures.run({ id: row.id, ...figures });
    for (const index of [0, 1] as const) {
      this.#putToken.run(tokenIds[index], row.id, index, outcomes[index]);
    }
    return isNew;
  }

  #putTags({ row, tags }: CheckedEvent): void {
    this.#unlinkTags.run(row.id);
    tags.forEach((tag, position) => {
      this.putTag(tag);
      this.#linkTag.run(row.id, tag.id, position);
    });
  }

  #putSeriesOf({ row, series }: CheckedEvent): void {
    this.#unlinkSeries.run(row.id);
    series.forEach((one, position) => {
      this.putSeries(one);
      this.#linkSeries.run(row.id, one.id, position);
    });
  }

  /** Runs work that writes many events, and then indexes them in the same transaction. */
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
