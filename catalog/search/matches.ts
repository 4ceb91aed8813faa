/**
 * Finds the events, or tags, that match the words of a search, in four steps from best to worst:
 * the title begins with the whole text, contains it, contains all words, or the words occur
 * anywhere. Each step includes the ones before it, so the widest step is searched first. If it has
 * fewer than `RANKED` matches, their titles tell which of them are in the narrower steps: for
 * common words that is faster than the index.
 *
 * Invariant: either way the ids are those that the indexes give, newest first. Bound: `RANKED` ids
 * a search.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  charactersOf,
  foldText,
  gramToken,
  StatementCache,
} from '../../persistence/shared/index.ts';

/** How many of the newest matches are ranked; the others follow by id. */
export const RANKED = 200;
/** The shortest text that trigrams find, in characters. */
const TRIGRAM = 3;

export interface SearchedTables {
  readonly texts: string;
  readonly grams: string;
  /** The column of the title, in both indexes. */
  readonly head: string;
  /** The table in which that column holds the text as it was written. */
  readonly table: string;
  /** Selects the ids of records by the creators in `@wallets`, a JSON array. */
  readonly byCreators: string;
}

/** The folded words of a search, and its whole folded text. */
export interface SearchWords {
  readonly words: readonly string[];
  readonly whole: string;
  /** Only what these creators made. */
  readonly wallets: readonly string[] | undefined;
  /** Only records `m` of the table that pass this test. */
  readonly filter: { readonly test: string; readonly values: object } | undefined;
}

export interface Matches {
  /** Ids by how well they match, best first. An id is in one step only. `RANKED` ids at most. */
  readonly steps: readonly (readonly number[])[];
  readonly total: number;
}

const NO_MATCHES: Matches = { steps: [], total: 0 };

interface Titled {
  readonly id: number;
  readonly title: string;
}

/** Expressions for the two indexes; both must match, an empty one is not used. */
export interface IndexMatch {
  readonly texts: string;
  readonly grams: string;
}

/** One step as expressions, and as a test of a folded title. */
interface Step {
  readonly match: IndexMatch;
  readonly fits: (title: string) => boolean;
}

export class WordSearch {
  readonly tables: SearchedTables;
  readonly #statements: StatementCache;
  readonly #titles: Statement<[ids: string], Titled>;

  constructor(database: Database, tables: SearchedTables) {
    const { table, head } = tables;
    this.tables = tables;
    this.#statements = new StatementCache(database);
    this.#titles = database.prepare(
      `SELECT id, ${head} AS title FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    );
  }

  newest(asked: SearchWords, limit: number): number[] {
    return this.#ids(matchOf(asked.words, {}), asked, limit);
  }

  find(asked: SearchWords): Matches {
    if (asked.words.length === 0) return NO_MATCHES;
    const widest = matchOf(asked.words, {});
    let ids = this.#ids(widest, asked, RANKED);
    const total = ids.length < RANKED ? ids.length : this.#count(widest, asked);
    const nested = [ids];
    let match = widest;
    let titles: ReadonlyMap<number, string> | undefined;
    for (const step of stepsOf(asked, this.tables.head)) {
      if (ids.length < RANKED) {
        titles ??= this.#titlesOf(ids);
        ids = ids.filter((id) => step.fits(titles?.get(id) ?? ''));
      } else if (step.match.texts !== match.texts || step.match.grams !== match.grams) {
        ids = this.#ids(step.match, asked, RANKED);
      }
      match = step.match;
      nested.push(ids);
    }
    return { steps: additionsOf(nested.reverse()), total };
  }

  #titlesOf(ids: readonly number[]): ReadonlyMap<number, string> {
    if (ids.length === 0) return new Map();
    const rows = this.#titles.all(JSON.stringify(ids));
    return new Map(rows.map(({ id, title }) => [id, foldText(title)]));
  }

  #ids(match: IndexMatch, asked: SearchWords, limit: number): number[] {
    const { clause, values } = whereOf(match, this.tables, asked);
    const sql = `SELECT rowid FROM ${clause} ORDER BY rowid DESC LIMIT @limit`;
    return this.#statements.column<number>(sql, { ...values, limit });
  }

  #count(match: IndexMatch, asked: SearchWords): number {
    const { clause, values } = whereOf(match, this.tables, asked);
    return this.#statements.column<number>(`SELECT count(*) FROM ${clause}`, values)[0] ?? 0;
  }
}

/** The steps within the widest one, each narrower than the one before. */
function stepsOf({ words, whole }: SearchWords, column: string): readonly Step[] {
  const isLong = charactersOf(whole).length >= TRIGRAM;
  const holds = (title: string): boolean => title.includes(whole);
  return [
    {
      match: matchOf(words, { column }),
      fits: (title) => words.every((word) => title.includes(word)),
    },
    { match: matchOf([whole], { column }), fits: holds },
    {
      match: matchOf([whole], { column, isFirst: true }),
      // The index of short texts has no positions.
      fits: isLong ? (title) => title.startsWith(whole) : holds,
    },
  ];
}

/** What each step adds to the one before it, up to the bound. */
function additionsOf(nested: readonly (readonly number[])[]): number[][] {
  const before = new Set<number>();
  return nested.map((ids) => {
    const fresh = ids.filter((id) => !before.has(id)).slice(0, RANKED - before.size);
    for (const id of fresh) before.add(id);
    return fresh;
  });
}

/** An expression that finds titles with this folded text, and which index it is for. */
export function titleMatch(text: string): IndexMatch {
  return matchOf([text], { column: 'title' });
}

/** `isFirst`: the column begins with the word. */
interface MatchPlace {
  readonly column?: string;
  readonly isFirst?: true;
}

function matchOf(words: readonly string[], { column, isFirst }: MatchPlace): IndexMatch {
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
  { texts, grams }: IndexMatch,
  searched: SearchedTables,
  { wallets, filter }: SearchWords,
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
    clauses.push(`+rowid IN (${searched.byCreators})`);
    values.wallets = JSON.stringify(wallets);
  }
  if (filter !== undefined) {
    const { table } = searched;
    clauses.push(`EXISTS (SELECT 1 FROM ${table} m WHERE m.id = ${main}.rowid AND ${filter.test})`);
    Object.assign(values, filter.values);
  }
  return { clause: `${main} WHERE ${clauses.join(' AND ')}`, values };
}
