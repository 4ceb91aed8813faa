// Searches by words (wire 8.5): events by their titles, slugs and tickers and by the questions and
// slugs of their markets, and tags by their labels and slugs. All words must occur, each as a part
// of a word, whatever the case, the accents and the language.
//
// Those whose title begins with the whole text come first, then those whose title holds it, then
// those whose title holds the words, then all others; among them what is open before what is not,
// then by volume. Invariant: pages of one search are parts of one order. Bound: `RANKED` results
// are ranked so, the newest of each kind; what comes after them is by id, newest first.

import type { Database, Statement } from 'better-sqlite3';
import { foldText, wordsOf } from '../../shared/index.ts';
import type { MarketsText, TextSearch } from '../model/index.ts';
import { CATALOG_BOUNDS } from '../model/index.ts';
import { type Found, Matches, RANKED, type Searched, type Words } from '../search/index.ts';
import type { EventReads } from './event-reads.ts';
import { STATE_BITS } from './list-tables.ts';
import type { CatalogMoment } from './moment.ts';
import { type MemoryBound, MomentMemory } from './moment-memory.ts';
import { PageWriter } from './pieces.ts';
import type { CatalogScope } from './scope.ts';

const EVENTS_OF_CREATORS = `
SELECT id FROM events WHERE creator COLLATE NOCASE IN (SELECT value FROM json_each(@wallets))`;

const EVENT_WORDS: Searched = {
  texts: 'event_texts',
  grams: 'event_grams',
  head: 'title',
  table: 'events',
  byCreators: EVENTS_OF_CREATORS,
};
const TAG_WORDS: Searched = {
  texts: 'tag_texts',
  grams: 'tag_grams',
  head: 'label',
  table: 'tags',
  byCreators: `SELECT tag_id FROM event_tags WHERE event_id IN (${EVENTS_OF_CREATORS})`,
};

const OPEN = `(state & ${STATE_BITS.active | STATE_BITS.closed | STATE_BITS.archived}) =
  ${STATE_BITS.active}`;

const RANK_EVENTS = `
SELECT event_id FROM event_figures WHERE event_id IN (SELECT value FROM json_each(?))
ORDER BY ${OPEN} DESC, volume_24hr DESC, volume DESC, event_id DESC`;

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
  readonly scope: CatalogScope;
  readonly events: EventReads;
  readonly moment: CatalogMoment;
}

/** What one search found, in order. */
interface FoundPage {
  readonly offset: number;
  readonly events: readonly number[];
  readonly tags: readonly number[];
  readonly total: number;
}

const KEPT_PAGES: MemoryBound<FoundPage> = {
  mostBytes: CATALOG_BOUNDS.keptIdsBytes,
  bytesOf: ({ events, tags }) => 8 * (events.length + tags.length),
};

/** What is searched: how it is found and how ranked. */
interface Kind {
  readonly matches: Matches;
  readonly rank: Statement<[ids: string], number>;
}

export class TextSearches {
  readonly #parts: TextSearchParts;
  readonly #tag: Statement<[id: number], FoundTag>;
  readonly #events: Kind;
  readonly #tags: Kind;
  readonly #memory: MomentMemory<string, FoundPage>;

  constructor(database: Database, parts: TextSearchParts) {
    const kind = (searched: Searched, rank: string): Kind => ({
      matches: new Matches(database, searched),
      rank: database.prepare<[string], number>(rank).pluck(),
    });
    this.#parts = parts;
    this.#tag = database.prepare(SELECT_TAG);
    this.#events = kind(EVENT_WORDS, RANK_EVENTS);
    this.#tags = kind(TAG_WORDS, RANK_TAGS);
    this.#memory = new MomentMemory(KEPT_PAGES);
  }

  search(search: TextSearch): MarketsText {
    const { written } = this.#parts.moment;
    const { offset, events, tags, total } = this.#memory.of(JSON.stringify(search), written, () =>
      this.#find(search),
    );
    const text = new PageWriter();
    text.add('{"events":[');
    this.#parts.events.writeList(text, events);
    text.add(`],"tags":[${tags.map((id) => this.#tagText(id)).join(',')}],`);
    const hasMore = offset + events.length < total && events.length > 0;
    text.add(`"pagination":{"hasMore":${hasMore},"totalResults":${total}}}`);
    return text.done(events.length);
  }

  #find(search: TextSearch): FoundPage {
    const { limit, page, withTags } = search;
    const words = wordsOf(search.text).slice(0, CATALOG_BOUNDS.searchWords);
    const offset = (page - 1) * limit;
    const wallets = this.#parts.scope.wallets(search);
    const asked = { words, whole: wholeOf(search.text), offset, limit, wallets };
    const found = this.#events.matches.of(asked);
    const events = pageOf(found, asked, this.#events);
    const tags = withTags ? pageOf(this.#tags.matches.of(asked), asked, this.#tags) : [];
    return { offset, events, tags, total: found.total };
  }

  #tagText(id: number): string {
    const tag = this.#tag.get(id);
    return JSON.stringify(tag && { ...tag, id: `${id}` });
  }
}

interface Asked extends Words {
  readonly offset: number;
  readonly limit: number;
}

function wholeOf(text: string): string {
  return foldText(text).trim().replaceAll(/\s+/gu, ' ');
}

/** The ids of a page, in order. */
function pageOf({ steps }: Found, asked: Asked, { matches, rank }: Kind): number[] {
  const { offset, limit } = asked;
  const ranked: number[] = [];
  for (const ids of steps) {
    // What further steps have comes after all of these.
    if (ranked.length >= offset + limit) break;
    if (ids.length > 0) ranked.push(...rank.all(JSON.stringify(ids)));
  }
  const first = ranked.slice(offset, offset + limit);
  if (first.length === limit || ranked.length < RANKED) return first;
  // What comes after those that are ranked.
  const count = limit - first.length;
  const from = Math.max(0, offset - ranked.length);
  const known = new Set(ranked);
  const newest = matches.newest(asked, from + count + ranked.length);
  const others = newest.filter((id) => !known.has(id)).slice(from, from + count);
  return [...first, ...others];
}
