/**
 * Writes the search index: one document for each event, of its own texts and those of its markets,
 * and one for each tag. Every method runs inside a transaction of its caller.
 *
 * Invariant: a document matches its rows whenever a transaction commits. Code that changes a title,
 * question, label, slug or ticker, or adds or removes a market, must call this.
 */
import type { Database } from 'better-sqlite3';
import { foldText, gramsOf, StatementCache } from '../../persistence/shared/index.ts';

interface EventTexts {
  readonly title: string;
  readonly names: string;
  readonly markets: string | null;
}

interface TagTexts {
  readonly label: string;
  readonly slug: string;
}

const SELECT_EVENT = `
SELECT title, slug || char(10) || ticker AS names,
  (SELECT group_concat(question || char(10) || slug, char(10) ORDER BY id)
   FROM markets WHERE event_id = events.id) AS markets
FROM events WHERE id = ?`;

const PUT_EVENT_TEXTS =
  'INSERT INTO event_texts (rowid, title, names, markets) VALUES (?, ?, ?, ?)';
const PUT_EVENT_GRAMS = 'INSERT INTO event_grams (rowid, title, others) VALUES (?, ?, ?)';
const PUT_TAG_TEXTS = 'INSERT INTO tag_texts (rowid, label, slug) VALUES (?, ?, ?)';
const PUT_TAG_GRAMS = 'INSERT INTO tag_grams (rowid, label, slug) VALUES (?, ?, ?)';

export class WordIndex {
  readonly #sql: StatementCache;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
  }

  /** Indexes the event as it is now. The document of a deleted event is removed. */
  putEvent(id: number): void {
    this.#sql.run('DELETE FROM event_texts WHERE rowid = ?', id);
    this.#sql.run('DELETE FROM event_grams WHERE rowid = ?', id);
    const texts = this.#sql.get<EventTexts>(SELECT_EVENT, id);
    if (texts === undefined) return;
    const title = foldText(texts.title);
    const names = foldText(texts.names);
    const markets = foldText(texts.markets ?? '');
    this.#sql.run(PUT_EVENT_TEXTS, id, title, names, markets);
    this.#sql.run(PUT_EVENT_GRAMS, id, gramsOf(title), gramsOf(`${names}\n${markets}`));
  }

  putTag(id: number): void {
    this.#sql.run('DELETE FROM tag_texts WHERE rowid = ?', id);
    this.#sql.run('DELETE FROM tag_grams WHERE rowid = ?', id);
    const texts = this.#sql.get<TagTexts>('SELECT label, slug FROM tags WHERE id = ?', id);
    if (texts === undefined) return;
    const label = foldText(texts.label);
    const slug = foldText(texts.slug);
    this.#sql.run(PUT_TAG_TEXTS, id, label, slug);
    this.#sql.run(PUT_TAG_GRAMS, id, gramsOf(label), gramsOf(slug));
  }
}

/** Indexes all events and tags, into empty tables. */
export function indexEverything(database: Database): void {
  const index = new WordIndex(database);
  const ids = (sql: string) => database.prepare<[], number>(sql).pluck().all();
  for (const id of ids('SELECT id FROM events')) index.putEvent(id);
  for (const id of ids('SELECT id FROM tags')) index.putTag(id);
}
