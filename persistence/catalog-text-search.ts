// Searches by words (wire 8.5): events by their titles, slugs and tickers and by the questions and
// slugs of their markets, and tags by their labels and slugs. All words must occur, each as a part
// of a word, whatever the case, the accents and the language.
//
// Those whose title begins with the whole text come first, then those whose title holds it, then
// those whose title holds the words, then all others; among them what is open before what is not,
// then by volume. Invariant: pages of one search are parts of one order. Bound: `RANKED` results
// are ranked so, the newest of each kind; what comes after them is by id, newest first.

import type { Database, Statement } from 'better-sqlite3';
import { CATALOG_BOUNDS } from './catalog-bounds.ts';
import type { EventReads } from './catalog-event-reads.ts';
import { charactersOf, foldText, gramToken, wordsOf } from './catalog-fold.ts';
import { STATE_BITS } from './catalog-list-tables.ts';
import { MatchCounts } from './catalog-match-counts.ts';
import type { TextSearch } from './catalog-questions.ts';
import type { CatalogScope } from './catalog-scope.ts';
import type { CatalogText } from './catalog-text.ts';
import { CatalogTextWriter } from './catalog-text-writer.ts';
import { StatementCache } from './statement-cache.ts';

const RANKED = 200;
/** Characters of the shortest text that trigrams find. */
const TRIGRAM = 3;

/** The tables and columns of what is searched. */
interface Searched {
  readonly texts: string;
  readonly grams: string;
  /** The column that counts most, in both. */
  readonly head: string;
}

const EVENT_WORDS: Searched = { texts: 'event_texts', grams: 'event_grams', head: 'title' };
const TAG_WORDS: Searched = { texts: 'tag_texts', grams: 'tag_grams', head: 'label' };

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
}

export class TextSearches {
  readonly #parts: TextSearchParts;
  readonly #statements: StatementCache;
  readonly #tag: Statement<[id: number], FoundTag>;
  /** Of events by words. */
  readonly #counts: MatchCounts;

  constructor(database: Database, parts: TextSearchParts) {
    this.#parts = parts;
    this.#statements = new StatementCache(database);
    this.#tag = database.prepare(SELECT_TAG);
    this.#counts = new MatchCounts(database, [EVENT_WORDS.texts, EVENT_WORDS.grams]);
  }

  search(search: TextSearch): CatalogText {
    const { limit, page, withTags } = search;
    const words = wordsOf(search.text).slice(0, CATALOG_BOUNDS.searchWords);
    const offset = (page - 1) * limit;
    const wallets = this.#parts.scope.wallets(search);
    const asked = { words, whole: wholeOf(search.text), offset, limit, wallets };
    const events = this.#find({ ...asked, searched: EVENT_WORDS, rank: RANK_EVENTS });
    const total = words.length === 0 ? 0 : this.#count(EVENT_WORDS, words, wallets);
    const tags = withTags ? this.#find({ ...asked, searched: TAG_WORDS, rank: RANK_TAGS }) : [];
    const text = new CatalogTextWriter();
    text.add('{"events":[');
    this.#parts.events.writeList(text, events, 'listed');
    text.add(`],"tags":[${tags.map((id) => this.#tagText(id)).join(',')}],`);
    const hasMore = offset + events.length < total && events.length > 0;
    text.add(`"pagination":{"hasMore":${hasMore},"totalResults":${total}}}`);
    return text.done(events.length);
  }

  #tagText(id: number): string {
    const tag = this.#tag.get(id);
    return JSON.stringify(tag && { ...tag, id: `${id}` });
  }

  #find(asked: Asked): number[] {
    const { words, whole, offset, limit, searched } = asked;
    if (words.length === 0) return [];
    const { head } = searched;
    const ranked = new Set<number>();
    const matches = [
      matchOf([whole], { column: head, isFirst: true }),
      matchOf([whole], { column: head }),
      matchOf(words, { column: head }),
      matchOf(words, {}),
    ];
    for (const [index, match] of matches.entries()) {
      const room = RANKED - ranked.size;
      // What later matches find comes after all of these.
      if (room <= 0 || ranked.size >= offset + limit) break;
      const before = matches[index - 1];
      // Of one word the whole text is the words.
      if (match.texts === before?.texts && match.grams === before.grams) continue;
      const { sql, values } = selectPlan(match, asked, { limit: RANKED, offset: 0 });
      const found = this.#statements.column<number>(sql, values);
      const fresh = found.filter((id) => !ranked.has(id)).slice(0, room);
      for (const id of this.#ranked(asked.rank, fresh)) ranked.add(id);
    }
    const first = [...ranked].slice(offset, offset + limit);
    if (first.length === limit || ranked.size < RANKED) return first;
    return [...first, ...this.#unranked(asked, ranked, limit - first.length)];
  }

  #ranked(sql: string, ids: readonly number[]): number[] {
    return ids.length === 0 ? [] : this.#statements.column<number>(sql, [JSON.stringify(ids)]);
  }

  /** What comes after those that are ranked. */
  #unranked(asked: Asked, ranked: ReadonlySet<number>, count: number): number[] {
    const match = matchOf(asked.words, {});
    const from = Math.max(0, asked.offset - ranked.size);
    const { sql, values } = selectPlan(match, asked, {
      limit: from + count + ranked.size,
      offset: 0,
    });
    const others = this.#statements.column<number>(sql, values).filter((id) => !ranked.has(id));
    return others.slice(from, from + count);
  }

  #count(searched: Searched, words: readonly string[], wallets: Wallets): number {
    const count = (): number => {
      const { clause, values } = whereOf(matchOf(words, {}), { searched, wallets });
      return this.#statements.column<number>(`SELECT count(*) FROM ${clause}`, values)[0] ?? 0;
    };
    // Whose events they are is in no index of words.
    return wallets === undefined ? this.#counts.of(words.join(' '), count) : count();
  }
}

type Wallets = readonly string[] | undefined;

interface Asked {
  readonly words: readonly string[];
  readonly whole: string;
  readonly offset: number;
  readonly limit: number;
  readonly wallets: Wallets;
  readonly searched: Searched;
  readonly rank: string;
}

/** Queries of the two indexes that must both hold; empty for one that is not asked. */
interface Match {
  readonly texts: string;
  readonly grams: string;
}

const wholeOf = (text: string): string => foldText(text).trim().replaceAll(/\s+/gu, ' ');

/** `isFirst`: the column begins with it. */
interface Place {
  readonly column?: string;
  readonly isFirst?: true;
}

function matchOf(words: readonly string[], { column, isFirst }: Place): Match {
  const within = column === undefined ? '' : `${column} : `;
  const texts: string[] = [];
  const grams: string[] = [];
  for (const word of words) {
    const characters = charactersOf(word);
    if (characters.length >= TRIGRAM) {
      texts.push(`${within}${isFirst ? '^ ' : ''}"${word.replaceAll('"', '""')}"`);
    } else grams.push(`${within}"${gramToken(characters)}"`);
  }
  return { texts: texts.join(' AND '), grams: grams.join(' AND ') };
}

function whereOf(
  { texts, grams }: Match,
  { searched, wallets }: Pick<Asked, 'searched' | 'wallets'>,
) {
  const main = texts === '' ? searched.grams : searched.texts;
  const clauses = [`${main} MATCH @main`];
  const values: Record<string, unknown> = { main: texts === '' ? grams : texts };
  if (texts !== '' && grams !== '') {
    clauses.push(
      `+rowid IN (SELECT rowid FROM ${searched.grams} WHERE ${searched.grams} MATCH @grams)`,
    );
    values.grams = grams;
  }
  if (wallets !== undefined) {
    const events =
      'SELECT id FROM events WHERE creator COLLATE NOCASE IN ' +
      '(SELECT value FROM json_each(@wallets))';
    clauses.push(
      searched === EVENT_WORDS
        ? `+rowid IN (${events})`
        : `+rowid IN (SELECT tag_id FROM event_tags WHERE event_id IN (${events}))`,
    );
    values.wallets = JSON.stringify(wallets);
  }
  return { clause: `${main} WHERE ${clauses.join(' AND ')}`, values };
}

function selectPlan(match: Match, asked: Asked, part: { limit: number; offset: number }) {
  const { clause, values } = whereOf(match, asked);
  const sql = `SELECT rowid FROM ${clause} ORDER BY rowid DESC LIMIT @limit OFFSET @offset`;
  return { sql, values: { ...values, ...part } };
}
