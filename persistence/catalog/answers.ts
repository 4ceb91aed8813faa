// What a catalog's reading thread answers to each kind of question. Invariant: nothing is written;
// each question is one of CatalogQuestions, and the caller runs it in one read transaction.
// Bounds: those of the parts that answer.

import assert from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type { MarketTextRow } from './json/index.ts';
import {
  CatalogList,
  CatalogMoment,
  CatalogScope,
  CommentReads,
  EVENTS,
  EventReads,
  MARKETS,
  MarketReads,
  OperatorReads,
  PageWriter,
  PeopleReads,
  type Piece,
  RelatedTags,
  SeriesAndTagReads,
  TextSearches,
} from './lists/index.ts';
import type {
  CatalogAnswer,
  CatalogQuestionKind,
  CatalogQuestions,
  CatalogText,
  EventQuestion,
  EventSearch,
  IdOrSlug,
  MarketQuestion,
  MarketSearch,
  MarketsText,
} from './model/index.ts';

type Answers = {
  readonly [Kind in CatalogQuestionKind]: (
    question: CatalogQuestions[Kind],
  ) => CatalogAnswer<Kind> | undefined;
};

type FindId = Statement<[name: string | number], { readonly id: number; readonly creator: string }>;

export class CatalogAnswers {
  readonly #moment: CatalogMoment;
  readonly #scope: CatalogScope;
  readonly #marketList: CatalogList;
  readonly #eventList: CatalogList;
  readonly #markets: MarketReads;
  readonly #events: EventReads;
  readonly #find: Readonly<
    Record<'marketId' | 'marketCondition' | 'marketSlug' | 'eventId' | 'eventSlug', FindId>
  >;
  readonly #answers: Answers;

  constructor(database: Database) {
    const find = (table: string, column: string): FindId =>
      database.prepare(`SELECT id, creator FROM ${table} WHERE ${column} = ?`);
    const moment = new CatalogMoment(database);
    this.#moment = moment;
    this.#scope = new CatalogScope(database);
    this.#marketList = new CatalogList(database, { table: MARKETS, moment });
    this.#eventList = new CatalogList(database, { table: EVENTS, moment });
    this.#markets = new MarketReads(database, moment);
    this.#events = new EventReads(database, { moment, markets: this.#markets });
    this.#find = {
      marketId: find('markets', 'id'),
      marketCondition: find('markets', 'condition_id'),
      marketSlug: find('markets', 'slug'),
      eventId: find('events', 'id'),
      eventSlug: find('events', 'slug'),
    };
    const [scope, events] = [this.#scope, this.#events];
    const labels = new SeriesAndTagReads(database, { scope, events });
    const related = new RelatedTags(database);
    const comments = new CommentReads(database);
    const people = new PeopleReads(database);
    const operator = new OperatorReads(database);
    const search = new TextSearches(database, { scope, events, moment });
    this.#answers = {
      events: (question) => this.#listEvents(question),
      eventPage: (question) => this.#pageOfEvents(question),
      event: (question) => this.#oneEvent(question),
      eventTags: (question) => this.#tagsOfEvent(question),
      markets: (question) => this.#listMarkets(question),
      market: (question) => this.#oneMarket(question),
      marketTags: (question) => this.#tagsOfMarket(question),
      marketDescription: (question) => this.#description(question),
      seriesList: (question) => labels.listSeries(question),
      series: (question) => labels.oneSeries(question),
      tags: (question) => labels.listTags(question),
      tag: (question) => labels.oneTag(question),
      relatedTags: (question) => related.of(question),
      comments: (question) => comments.ofParent(question),
      userComments: (question) => comments.ofUser(question),
      commentThread: (question) => comments.thread(question),
      commentCount: (question) => comments.count(question),
      creators: (question) => people.creators(question),
      creator: (question) => people.creator(question),
      teams: (question) => people.teams(question),
      sports: (question) => people.sports(question),
      marketTypes: () => people.marketTypes(),
      search: (question) => search.search(question),
      profile: (question) => people.profile(question),
      catalogActions: (question) => operator.actions(question),
      reportedComments: (question) => operator.reported(question),
    };
  }

  /** See EventReads; in a transaction of its own, as a question. */
  makeAhead(): boolean {
    this.#moment.begin();
    return this.#events.makeAhead();
  }

  answer(kind: string, question: unknown): CatalogText | MarketsText | undefined {
    this.#moment.begin();
    assert(Object.hasOwn(this.#answers, kind), `the catalog has no question ${kind}`);
    // Safe: kind and question were paired by `CatalogReads`, whose calls are all there is.
    const answer = this.#answers[kind as CatalogQuestionKind] as (
      question: unknown,
    ) => CatalogText | MarketsText | undefined;
    return answer(question);
  }

  #listEvents(search: EventSearch): MarketsText {
    const conditions = this.#scope.resolve(search.conditions);
    const ids = this.#eventList.ids({ ...search, conditions });
    const text = new PageWriter();
    text.add('[');
    this.#events.writeList(text, ids);
    text.add(']');
    return text.done(ids.length);
  }

  /** One more than a page has is looked for: how many there are is counted up to a bound. */
  #pageOfEvents(search: EventSearch): MarketsText {
    const conditions = this.#scope.resolve(search.conditions);
    const found = this.#eventList.ids({ ...search, conditions, limit: search.limit + 1 });
    const total = this.#eventList.count({ ...search, conditions });
    const ids = found.slice(0, search.limit);
    const hasMore = found.length > ids.length;
    const text = new PageWriter();
    text.add('{"data":[');
    this.#events.writeList(text, ids);
    text.add(`],"pagination":{"hasMore":${hasMore},"totalResults":${total}}}`);
    return text.done(ids.length);
  }

  #oneEvent({ event, ...scope }: EventQuestion): MarketsText | undefined {
    const id = this.#eventId(event, scope);
    if (id === undefined) return undefined;
    return onlyOne(this.#events.piece(id, 'id' in event ? 'mirrored' : 'listed'));
  }

  #tagsOfEvent({ event, ...scope }: EventQuestion): CatalogText | undefined {
    const id = this.#eventId(event, scope);
    return id === undefined ? undefined : plain(`[${this.#events.tagTexts(id)}]`);
  }

  #eventId(event: IdOrSlug, scope: { readonly creator?: string | undefined }): number | undefined {
    const found =
      'id' in event ? this.#find.eventId.get(event.id) : this.#find.eventSlug.get(event.slug);
    return found !== undefined && this.#scope.isWithin(found.creator, scope) ? found.id : undefined;
  }

  #listMarkets(search: MarketSearch): MarketsText {
    const conditions = this.#scope.resolve(search.conditions);
    const ids = this.#marketList.ids({ ...search, conditions });
    const text = new PageWriter();
    text.add('[');
    this.#markets.writeList(text, ids);
    text.add(']');
    return text.done(ids.length);
  }

  #oneMarket(question: MarketQuestion): MarketsText | undefined {
    const row = this.#marketRow(question);
    return onlyOne(row && this.#markets.wholePiece(row));
  }

  #tagsOfMarket(question: MarketQuestion): CatalogText | undefined {
    const row = this.#marketRow(question);
    return row === undefined ? undefined : plain(`[${this.#events.tagTexts(row.eventId)}]`);
  }

  #description(question: MarketQuestion): CatalogText | undefined {
    const row = this.#marketRow(question);
    if (row === undefined) return undefined;
    const { id, conditionId, description } = row;
    return plain(JSON.stringify({ id: `${id}`, conditionId, description }));
  }

  #marketRow({ market, ...scope }: MarketQuestion): MarketTextRow | undefined {
    const found =
      'id' in market
        ? this.#find.marketId.get(market.id)
        : 'slug' in market
          ? this.#find.marketSlug.get(market.slug)
          : this.#find.marketCondition.get(market.conditionId);
    if (found === undefined || !this.#scope.isWithin(found.creator, scope)) return undefined;
    return this.#markets.row(found.id);
  }
}

function onlyOne(piece: Piece | undefined): MarketsText | undefined {
  if (piece === undefined) return undefined;
  const page = new PageWriter();
  page.add(piece);
  return page.done(1);
}

function plain(text: string): CatalogText {
  return { segments: [text], gaps: [], count: 1 };
}
