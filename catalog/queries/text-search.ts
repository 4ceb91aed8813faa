/**
 * Searches by words (wire 8.5): finds events by their titles, slugs and tickers and by the
 * questions and slugs of their markets, and tags by their labels and slugs. All words must occur,
 * each as a part of a word, whatever their case and accents.
 *
 * Titles that begin with the whole text rank first, then titles that contain it, then titles that
 * contain all words, then the others; within a rank, open events come first, then by volume.
 * Invariant: pages of one search are parts of one order. Bound: the newest `RANKED` results are
 * ranked or sorted; the others follow by id, newest first.
 */
import assert from 'node:assert';
import type { Database } from 'better-sqlite3';
import { foldText, StatementCache, wordsOf } from '../../persistence/shared/index.ts';
import { JsonWriter } from '../json/json-writer.ts';
import {
  CATALOG_BOUNDS,
  type EventSort,
  type EventsFound,
  type SlottedJson,
  type TextSearch,
} from '../model/index.ts';
import {
  type Matches,
  RANKED,
  type SearchedTables,
  type SearchWords,
  WordSearch,
} from '../search/matches.ts';
import type { EventQueries } from './events.ts';
import { EVENT_LIST, STATE_BITS } from './list-tables.ts';
import type { NameResolver } from './names.ts';
import { type CatalogVersions, VersionedCache } from './versioned-cache.ts';

const EVENTS_OF_CREATORS = `
SELECT id FROM events WHERE creator COLLATE NOCASE IN (SELECT value FROM json_each(@wallets))`;

const EVENT_TABLES: SearchedTables = {
  texts: 'event_texts',
  grams: 'event_grams',
  head: 'title',
  table: 'events',
  byCreators: EVENTS_OF_CREATORS,
};
const TAG_TABLES: SearchedTables = {
  texts: 'tag_texts',
  grams: 'tag_grams',
  head: 'label',
  table: 'tags',
  byCreators: `SELECT tag_id FROM event_tags WHERE event_id IN (${EVENTS_OF_CREATORS})`,
};

const OPEN = `(state & ${STATE_BITS.active | STATE_BITS.closed | STATE_BITS.archived}) =
  ${STATE_BITS.active}`;

const STATUS: Readonly<Record<'active' | 'closed', string>> = {
  active: OPEN,
  closed: `(state & ${STATE_BITS.closed}) <> 0`,
};

const RANK_EVENTS = `
SELECT event_id FROM event_figures WHERE event_id IN (SELECT value FROM json_each(?))
ORDER BY ${OPEN} DESC, volume_24hr DESC, volume DESC, event_id DESC`;

/** All matches as one rank, in an order that the search asks for. */
function sortEvents({ by, ascending }: EventSort): string {
  const { of, column } = EVENT_LIST.orders[by] ?? EVENT_LIST.orders.id;
  const direction = ascending ? 'ASC' : 'DESC';
  return `
SELECT m.id FROM events m JOIN event_figures f ON f.event_id = m.id
WHERE m.id IN (SELECT value FROM json_each(?))
ORDER BY ${of === 'figures' ? 'f' : 'm'}.${column} ${direction}, m.id ${direction}`;
}

const RANK_TAGS = `
SELECT id FROM tags WHERE id IN (SELECT value FROM json_each(?))
ORDER BY event_count DESC, id DESC`;

const SELECT_TAG = `
SELECT id, label, slug, event_count AS event_count FROM tags WHERE id = ?`;

interface FoundTag {
  readonly id: number;
  readonly label: string;
  readonly slug: string;
  readonly event_count: number;
}

export interface TextSearchParts {
  readonly names: NameResolver;
  readonly events: EventQueries;
  readonly versions: CatalogVersions;
}

interface SearchedKind {
  readonly search: WordSearch;
  /** Sorts ids, best first. */
  readonly rank: (ids: readonly number[]) => number[];
  /** Whether all matches are sorted together, however well they match. */
  readonly isOneRank?: true;
  readonly version: (versions: CatalogVersions) => number;
}

const MATCH_CACHE_SIZE = {
  maxBytes: CATALOG_BOUNDS.keptIdsBytes,
  bytesOf: ({ steps }: Matches): number => 8 * steps.reduce((sum, ids) => sum + ids.length, 0),
};

export class TextSearches {
  readonly #parts: TextSearchParts;
  readonly #sql: StatementCache;
  readonly #events: SearchedKind;
  readonly #tags: SearchedKind;
  /** Cached, because finding and counting the matches of common words takes milliseconds. */
  readonly #matches = new VersionedCache<string, Matches>(MATCH_CACHE_SIZE);

  constructor(database: Database, parts: TextSearchParts) {
    this.#parts = parts;
    this.#sql = new StatementCache(database);
    this.#events = {
      search: new WordSearch(database, EVENT_TABLES),
      rank: (ids) => this.#sql.column(RANK_EVENTS, [JSON.stringify(ids)]),
      version: ({ content }) => content,
    };
    this.#tags = {
      search: new WordSearch(database, TAG_TABLES),
      rank: (ids) => this.#sql.column(RANK_TAGS, [JSON.stringify(ids)]),
      // A new tag that no event has is not a change of content.
      version: ({ data }) => data,
    };
  }

  search(search: TextSearch): SlottedJson {
    const { limit, page, withTags } = search;
    const asked: PagedWords = {
      words: wordsOf(search.text).slice(0, CATALOG_BOUNDS.searchWords),
      whole: foldText(search.text).trim().replaceAll(/\s+/gu, ' '),
      offset: (page - 1) * limit,
      limit,
      wallets: this.#parts.names.walletsOf(search),
      filter: undefined,
    };
    const filtered = { ...asked, filter: this.#filterOf(search.events) };
    const { ids: events, total } = this.#page(filtered, this.#sorted(search.sort));
    const tags = withTags ? this.#page(asked, this.#tags).ids : [];
    const writer = new JsonWriter();
    writer.add('{"events":[');
    this.#parts.events.writeList(writer, events);
    writer.add(`],"tags":[${tags.map((id) => this.#tagText(id)).join(',')}],`);
    const hasMore = asked.offset + events.length < total && events.length > 0;
    writer.add(`"pagination":{"hasMore":${hasMore},"totalResults":${total}}}`);
    return writer.done(events.length);
  }

  #sorted(sort: EventSort | undefined): SearchedKind {
    if (sort === undefined) return this.#events;
    const sql = sortEvents(sort);
    return {
      ...this.#events,
      isOneRank: true,
      rank: (ids) => this.#sql.column(sql, [JSON.stringify(ids)]),
    };
  }

  #filterOf(wanted: EventsFound | undefined): SearchWords['filter'] {
    if (wanted === undefined) return undefined;
    const { status } = wanted;
    const values: Record<string, string> = {};
    const resolved = this.#parts.names.resolve(wanted.conditions);
    const tests = resolved.map(({ kind, anyOf }, index) => {
      const known = EVENT_LIST.conditions[kind];
      assert(known !== undefined, `there is no condition ${kind}`);
      values[`filter${index}`] = JSON.stringify(anyOf);
      return known.test.replace('VALUES', `(SELECT value FROM json_each(@filter${index}))`);
    });
    const ofStatus = status === undefined ? [] : [STATUS[status]];
    const all = [...ofStatus, ...tests];
    return all.length === 0 ? undefined : { test: all.join(' AND '), values };
  }

  #page(asked: PagedWords, kind: SearchedKind): FoundPage {
    const found = this.#matchesOf(asked, kind);
    return { ids: pageOf(found, asked, kind), total: found.total };
  }

  #matchesOf(asked: SearchWords, { search, version }: SearchedKind): Matches {
    // Not cached: the matches depend on more than the key has.
    if (asked.wallets !== undefined || asked.filter !== undefined) return search.find(asked);
    const key = `${search.tables.table} ${asked.whole}`;
    return this.#matches.getOrMake(key, version(this.#parts.versions), () => search.find(asked));
  }

  #tagText(id: number): string {
    const tag = this.#sql.get<FoundTag>(SELECT_TAG, id);
    return JSON.stringify(tag && { ...tag, id: `${id}` });
  }
}

interface PagedWords extends SearchWords {
  readonly offset: number;
  readonly limit: number;
}

interface FoundPage {
  /** Best first. */
  readonly ids: readonly number[];
  readonly total: number;
}

function pageOf({ steps }: Matches, asked: PagedWords, kind: SearchedKind): number[] {
  const { search, rank, isOneRank = false } = kind;
  const { offset, limit } = asked;
  const ranked: number[] = [];
  for (const ids of isOneRank ? [steps.flat()] : steps) {
    // The matches of further steps come after all of these.
    if (ranked.length >= offset + limit) break;
    if (ids.length > 0) ranked.push(...rank(ids));
  }
  const first = ranked.slice(offset, offset + limit);
  if (first.length === limit || ranked.length < RANKED) return first;
  const count = limit - first.length;
  const from = Math.max(0, offset - ranked.length);
  const known = new Set(ranked);
  const newest = search.newest(asked, from + count + ranked.length);
  const unranked = newest.filter((id) => !known.has(id)).slice(from, from + count);
  return [...first, ...unranked];
}
