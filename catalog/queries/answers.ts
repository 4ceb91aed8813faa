/**
 * Answers the queries of the catalog. Invariant: nothing is written; the caller runs each call of
 * `answer` or `warmNext` in a read transaction of its own. Bounds: those of the parts.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import { type AnswerTable, answerFrom } from '../../persistence/threads/index.ts';
import { JsonWriter, plainJson, writtenList } from '../json/json-writer.ts';
import type { MarketTextRow } from '../json/record-text.ts';
import {
  type AfterPlace,
  type CatalogQueryKinds,
  type EventQuery,
  type EventRow,
  type EventSearch,
  type MarketName,
  type MarketQuery,
  type MarketSearch,
  nextCursor,
  type OfCreator,
  type SlottedJson,
} from '../model/index.ts';
import { CommentQueries } from './comments.ts';
import { EventQueries } from './events.ts';
import { CatalogList } from './list.ts';
import { EVENT_LIST, MARKET_LIST } from './list-tables.ts';
import { MarketQueries } from './markets.ts';
import { NameResolver } from './names.ts';
import { OperatorQueries } from './operator.ts';
import { PeopleQueries } from './people.ts';
import { RelatedTags, SeriesAndTagQueries } from './series-tags.ts';
import { TextSearches } from './text-search.ts';
import { CatalogVersions } from './versioned-cache.ts';

export class CatalogAnswers {
  readonly #versions: CatalogVersions;
  readonly #names: NameResolver;
  readonly #marketList: CatalogList;
  readonly #eventList: CatalogList;
  readonly #markets: MarketQueries;
  readonly #events: EventQueries;
  readonly #sql: StatementCache;
  readonly #answers: AnswerTable<CatalogQueryKinds>;

  constructor(database: Database) {
    const versions = new CatalogVersions(database);
    const names = new NameResolver(database);
    this.#versions = versions;
    this.#names = names;
    this.#marketList = new CatalogList(database, { table: MARKET_LIST, versions });
    this.#eventList = new CatalogList(database, { table: EVENT_LIST, versions });
    this.#markets = new MarketQueries(database, versions);
    this.#events = new EventQueries(database, { versions, markets: this.#markets });
    this.#sql = new StatementCache(database);
    this.#answers = this.#answerTable(database);
  }

  warmNext(): boolean {
    this.#versions.begin();
    return this.#events.warmNext();
  }

  answer(kind: string, query: unknown): SlottedJson | undefined {
    this.#versions.begin();
    // Safe: every function of the table returns that.
    return answerFrom(this.#answers, kind, query) as SlottedJson | undefined;
  }

  #answerTable(database: Database): AnswerTable<CatalogQueryKinds> {
    const parts = { names: this.#names, events: this.#events, versions: this.#versions };
    const labels = new SeriesAndTagQueries(database, parts);
    const related = new RelatedTags(database);
    const comments = new CommentQueries(database);
    const people = new PeopleQueries(database);
    const operator = new OperatorQueries(database);
    const search = new TextSearches(database, parts);
    return {
      events: (query) => this.#listEvents(query),
      eventPage: (query) => this.#pageOfEvents(query),
      eventsAfter: (query) => this.#eventsAfter(query),
      event: (query) => this.#oneEvent(query),
      eventTags: (query) => this.#tagsOfEvent(query),
      markets: (query) => this.#listMarkets(query),
      marketsAfter: (query) => this.#marketsAfter(query),
      market: (query) => this.#oneMarket(query),
      marketTags: (query) => this.#tagsOfMarket(query),
      marketDescription: (query) => this.#description(query),
      seriesList: (query) => labels.listSeries(query),
      series: (query) => labels.oneSeries(query),
      tags: (query) => labels.listTags(query),
      tag: (query) => labels.oneTag(query),
      relatedTags: (query) => related.of(query),
      comments: (query) => comments.onParent(query),
      commentsAfter: (query) => comments.onParentAfter(query),
      userComments: (query) => comments.byUser(query),
      commentThread: (query) => comments.thread(query),
      commentCount: (query) => comments.count(query),
      creators: (query) => people.creators(query),
      creator: (query) => people.creator(query),
      teams: (query) => people.teams(query),
      sports: (query) => people.sports(query),
      marketTypes: () => people.marketTypes(),
      search: (query) => search.search(query),
      profile: (query) => people.profile(query),
      catalogActions: (query) => operator.actions(query),
      reportedComments: (query) => operator.reported(query),
    };
  }

  #listEvents(search: EventSearch): SlottedJson {
    const conditions = this.#names.resolve(search.conditions);
    const ids = this.#eventList.ids({ ...search, conditions });
    return writtenList(ids.length, (writer) => this.#events.writeList(writer, ids));
  }

  /** Looks for one event more than a page has, to know whether another page follows. */
  #pageOfEvents(search: EventSearch): SlottedJson {
    const conditions = this.#names.resolve(search.conditions);
    const found = this.#eventList.ids({ ...search, conditions, limit: search.limit + 1 });
    const total = this.#eventList.count({ ...search, conditions });
    const ids = found.slice(0, search.limit);
    const hasMore = found.length > ids.length;
    const writer = new JsonWriter();
    writer.add('{"data":[');
    this.#events.writeList(writer, ids);
    writer.add(`],"pagination":{"hasMore":${hasMore},"totalResults":${total}}}`);
    return writer.done(ids.length);
  }

  #eventsAfter({ digest, ...query }: EventSearch & AfterPlace): SlottedJson {
    const search = { ...query, conditions: this.#names.resolve(query.conditions) };
    const ids = this.#eventList.ids(search);
    const writer = new JsonWriter();
    writer.add('{"events":[');
    this.#events.writeList(writer, ids);
    const page = { items: ids, limit: search.limit, digest };
    writer.add(`]${nextCursor(page, (id) => this.#eventList.placeOf(search, id))}}`);
    return writer.done(ids.length);
  }

  #oneEvent({ event, ...query }: EventQuery): SlottedJson | undefined {
    const id = this.#idOf('events', event, query);
    const writer = new JsonWriter();
    const isFound =
      id !== undefined && this.#events.write(writer, id, 'id' in event ? 'mirrored' : 'listed');
    const json = writer.done(1);
    return isFound ? json : undefined;
  }

  #tagsOfEvent({ event, ...query }: EventQuery): SlottedJson | undefined {
    const id = this.#idOf('events', event, query);
    return id === undefined ? undefined : plainJson(`[${this.#events.tagTexts(id)}]`);
  }

  #listMarkets({ withTags, ...search }: MarketSearch): SlottedJson {
    const conditions = this.#names.resolve(search.conditions);
    const ids = this.#marketList.ids({ ...search, conditions });
    return writtenList(ids.length, (writer) => this.#writeMarkets(writer, ids, withTags));
  }

  #marketsAfter({ digest, withTags, ...query }: MarketSearch & AfterPlace): SlottedJson {
    const search = { ...query, conditions: this.#names.resolve(query.conditions) };
    const ids = this.#marketList.ids(search);
    const writer = new JsonWriter();
    writer.add('{"markets":[');
    this.#writeMarkets(writer, ids, withTags);
    const page = { items: ids, limit: search.limit, digest };
    writer.add(`]${nextCursor(page, (id) => this.#marketList.placeOf(search, id))}}`);
    return writer.done(ids.length);
  }

  #writeMarkets(writer: JsonWriter, ids: readonly number[], withTags = false): void {
    if (!withTags) this.#markets.writeList(writer, ids);
    else this.#markets.writeTagged(writer, ids, (id) => this.#events.tagsMember(id));
  }

  #oneMarket(query: MarketQuery): SlottedJson | undefined {
    const row = this.#marketRow(query);
    if (row === undefined) return undefined;
    const writer = new JsonWriter();
    const tags = query.withTags === true ? this.#events.tagsMember(row.eventId) : '';
    this.#markets.writeWhole(writer, row, tags);
    return writer.done(1);
  }

  #tagsOfMarket(query: MarketQuery): SlottedJson | undefined {
    const row = this.#marketRow(query);
    return row && plainJson(`[${this.#events.tagTexts(row.eventId)}]`);
  }

  #description(query: MarketQuery): SlottedJson | undefined {
    const row = this.#marketRow(query);
    if (row === undefined) return undefined;
    const { id, conditionId, description } = row;
    return plainJson(JSON.stringify({ id: `${id}`, conditionId, description }));
  }

  #marketRow({ market, ...query }: MarketQuery): MarketTextRow | undefined {
    const id = this.#idOf('markets', market, query);
    return id === undefined ? undefined : this.#markets.row(id);
  }

  /** Undefined if it is unknown, or not by the creator that the query names. */
  #idOf(table: 'events' | 'markets', name: MarketName, query: OfCreator): number | undefined {
    const [column, value] =
      'id' in name
        ? ['id', name.id]
        : 'slug' in name
          ? ['slug', name.slug]
          : ['condition_id', name.conditionId];
    const sql = `SELECT id, creator FROM ${table} WHERE ${column} = ?`;
    const found = this.#sql.get<Pick<EventRow, 'id' | 'creator'>>(sql, value);
    const isMeant = found !== undefined && this.#names.includes(query, found.creator);
    return isMeant ? found.id : undefined;
  }
}
