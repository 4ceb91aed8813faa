// Which events, or tags, fit the words of a search, in four steps of how well they do: the title
// begins with the whole text, holds it, holds all words, or they stand elsewhere. Each step is a
// part of the next, so the widest is looked for first; of one that is known whole the narrower
// ones are told apart by the titles themselves, which a common word's index takes longer for.
//
// Invariant: the ids are those that the indexes give, the newest first, whichever way they were
// told apart; what is remembered is what they would give now. Bound: `RANKED` ids a search, of
// which MatchMemory keeps a thousand: 2 MB.

import type { Database, Statement } from 'better-sqlite3';
import { charactersOf, foldText, gramToken, StatementCache } from '../../shared/index.ts';
import { MatchMemory } from './match-memory.ts';

/** The newest ones that fit are told apart and ranked; what comes after them is by id. */
export const RANKED = 200;
/** Characters of the shortest text that trigrams find. */
const TRIGRAM = 3;

/** The tables and columns of what is searched. */
export interface Searched {
  readonly texts: string;
  readonly grams: string;
  /** The column that counts most, in both. */
  readonly head: string;
  /** The same column where the text stands as it was written. */
  readonly table: string;
  /** Ids of what the creators of a JSON array made. */
  readonly byCreators: string;
}

/** Folded words, and the whole text that they come from. */
export interface Words {
  readonly words: readonly string[];
  readonly whole: string;
  /** Whose events alone; their tags. */
  readonly wallets: readonly string[] | undefined;
}

export interface Found {
  /** Ids by how well they fit, the best first, each in one step alone; `RANKED` together. */
  readonly steps: readonly (readonly number[])[];
  /** How many fit at all. */
  readonly total: number;
}

const NOTHING: Found = { steps: [], total: 0 };

interface Titled {
  readonly id: number;
  readonly title: string;
}

/** Queries of the two indexes that must both hold; empty for one that is not asked. */
interface Match {
  readonly texts: string;
  readonly grams: string;
}

/** One step: as queries, and as a test of a folded title. */
interface Step {
  readonly match: Match;
  readonly fits: (title: string) => boolean;
}

export class Matches {
  readonly #searched: Searched;
  readonly #statements: StatementCache;
  readonly #titles: Statement<[ids: string], Titled>;
  readonly #memory: MatchMemory<Found>;

  constructor(database: Database, searched: Searched) {
    const { texts, grams, table, head } = searched;
    this.#searched = searched;
    this.#statements = new StatementCache(database);
    this.#titles = database.prepare(
      `SELECT id, ${head} AS title FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`,
    );
    this.#memory = new MatchMemory(database, [texts, grams]);
  }

  of(asked: Words): Found {
    if (asked.words.length === 0) return NOTHING;
    // Whose events they are is in no index of words.
    if (asked.wallets !== undefined) return this.#find(asked);
    return this.#memory.of(asked.whole, () => this.#find(asked));
  }

  /** The newest of all that fit at all. */
  newest(asked: Words, limit: number): number[] {
    return this.#ids(matchOf(asked.words, {}), asked, limit);
  }

  #find(asked: Words): Found {
    const widest = matchOf(asked.words, {});
    let ids = this.#ids(widest, asked, RANKED);
    const total = ids.length < RANKED ? ids.length : this.#count(widest, asked);
    const nested = [ids];
    let match = widest;
    let titles: ReadonlyMap<number, string> | undefined;
    for (const step of stepsOf(asked, this.#searched.head)) {
      if (ids.length < RANKED) {
        titles ??= this.#titlesOf(ids);
        ids = ids.filter((id) => step.fits(titles?.get(id) ?? ''));
      } else if (step.match.texts !== match.texts || step.match.grams !== match.grams) {
        ids = this.#ids(step.match, asked, RANKED);
      }
      match = step.match;
      nested.push(ids);
    }
    return { steps: apart(nested.reverse()), total };
  }

  #titlesOf(ids: readonly number[]): ReadonlyMap<number, string> {
    if (ids.length === 0) return new Map();
    const rows = this.#titles.all(JSON.stringify(ids));
    return new Map(rows.map(({ id, title }) => [id, foldText(title)]));
  }

  #ids(match: Match, { wallets }: Words, limit: number): number[] {
    const { clause, values } = whereOf(match, this.#searched, wallets);
    const sql = `SELECT rowid FROM ${clause} ORDER BY rowid DESC LIMIT @limit`;
    return this.#statements.column<number>(sql, { ...values, limit });
  }

  #count(match: Match, { wallets }: Words): number {
    const { clause, values } = whereOf(match, this.#searched, wallets);
    return this.#statements.column<number>(`SELECT count(*) FROM ${clause}`, values)[0] ?? 0;
  }
}

/** From the widest but one to the narrowest. */
function stepsOf({ words, whole }: Words, column: string): readonly Step[] {
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
      // Of single and double characters the index doesn't know where they stand.
      fits: isLong ? (title) => title.startsWith(whole) : holds,
    },
  ];
}

/** Of steps of which each is a part of the next, what each adds, up to the bound. */
function apart(nested: readonly (readonly number[])[]): number[][] {
  const before = new Set<number>();
  return nested.map((ids) => {
    const fresh = ids.filter((id) => !before.has(id)).slice(0, RANKED - before.size);
    for (const id of fresh) before.add(id);
    return fresh;
  });
}

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
  searched: Searched,
  wallets: readonly string[] | undefined,
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
  return { clause: `${main} WHERE ${clauses.join(' AND ')}`, values };
}
