/**
 * The comments of a source. Its API lists them only by event or series: first the events with the
 * most comments are read, then the series. An event whose comment count did not change is skipped.
 * Of other events, the newest comments are read until a page has nothing new and at least as many
 * were added as the count grew by.
 *
 * Invariant: an event's count is stored after its new comments are read. An event with a refused
 * comment, such as an answer to a comment that was not stored yet, is read as a whole again in up
 * to `TRIES` later runs, until nothing is refused. Bounds: `commentedRecords` events,
 * `commentedSeries` and `longThreads` a run; each list as in `pagesOf`.
 */

import { SYNC_BOUNDS } from './bounds.ts';
import { FRESH_CURSOR, type ListPage, pagesOf, parseMark } from './list-pages.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';

export interface CommentsOptions {
  /** The mark that the last page stored; undefined before the first run. */
  readonly known: string | undefined;
  readonly onNote: (sentence: string) => void;
}

export interface CommentPage {
  readonly page: Pick<ListPage, 'text' | 'records'>;
  /** Stored with the page: where the next run continues. */
  readonly mark: string;
}

/** The result of storing a page; answers inside comments count too. */
export interface CommentsTaken {
  readonly added: number;
  readonly updated: number;
  readonly refused: number;
}

type Pages = AsyncGenerator<CommentPage, void, CommentsTaken>;
type Fields = Partial<Readonly<Record<string, unknown>>>;

/** The number of later runs that read an event whole after a refusal. */
const TRIES = 3;

/** Throws SourceError. */
export async function* commentsOf(source: Source, options: CommentsOptions): Pages {
  const reader = new CommentsReader(source, options);
  yield* reader.readEvents();
  yield* reader.readSeries();
}

class CommentsReader {
  readonly #source: Source;
  readonly #onNote: CommentsOptions['onNote'];
  readonly #counts: Map<string, number>;
  /** Events to be read as a whole again, each with the runs that are left after the next one. */
  readonly #again: Map<string, number>;
  #longThreads = 0;

  constructor(source: Source, { known, onNote }: CommentsOptions) {
    const { counts, again } = fieldsOf(parseMark(known));
    this.#source = source;
    this.#onNote = onNote;
    this.#counts = numbersOf(counts);
    this.#again = numbersOf(again);
  }

  async *readEvents(): Pages {
    for (const [id, count] of await commentedEvents(this.#source, this.#onNote)) {
      const known = this.#counts.get(id);
      const tries = this.#again.get(id) ?? TRIES;
      if (known === count && !this.#again.has(id)) continue;
      const missing = this.#again.has(id) ? Number.POSITIVE_INFINITY : count - (known ?? 0);
      const refused = yield* this.#read('Event', id, missing);
      this.#counts.set(id, count);
      if (refused === 0 || tries === 0) this.#again.delete(id);
      else this.#again.set(id, tries - 1);
      yield this.#behind(NO_PAGE);
    }
  }

  /** Series have no comment count, so one page of each shows whether something is new. */
  async *readSeries(): Pages {
    const { pageRecords, commentedSeries } = SYNC_BOUNDS;
    for (let offset = 0, isLast = false; !isLast; offset += pageRecords) {
      const { records } = await this.#source.list(`/series?limit=${pageRecords}&offset=${offset}`);
      isLast = records.length < pageRecords || offset + pageRecords >= commentedSeries;
      for (const { id } of records.map(fieldsOf)) {
        if (typeof id !== 'string' || !NUMERIC_ID.test(id)) continue;
        try {
          yield* this.#read('Series', id, 0);
        } catch (error) {
          if (!(error instanceof SourceError) || error.code !== 'refused') throw error;
          this.#onNote(`comments on series are not copied: ${error.message}`);
          return;
        }
      }
    }
  }

  /**
   * Reads comments until a page has nothing new and at least `missing` were added. Returns how many
   * were refused.
   */
  async *#read(
    type: 'Event' | 'Series',
    id: string,
    missing: number,
  ): AsyncGenerator<CommentPage, number, CommentsTaken> {
    const path = `/comments?parent_entity_type=${type}&parent_entity_id=${id}`;
    const options = { path, isSorted: false, cursor: FRESH_CURSOR, nowMs: 0, onNote: this.#onNote };
    const sum = { added: 0, refused: 0 };
    for await (const page of pagesOf(this.#source, options)) {
      const taken = yield this.#behind(page);
      sum.added += taken.added;
      sum.refused += taken.refused;
      for (const thread of await this.#longThreadsOf(page)) {
        const more = yield this.#behind(thread);
        sum.added += more.added;
        sum.refused += more.refused;
      }
      const isKnown = taken.added + taken.updated + taken.refused === 0;
      if (page.cursor.walk === undefined || (isKnown && sum.added >= missing)) break;
    }
    return sum.refused;
  }

  /** Reads the whole threads of comments of which the list does not show all replies. */
  async #longThreadsOf({ records }: CommentPage['page']): Promise<readonly CommentPage['page'][]> {
    const threads: CommentPage['page'][] = [];
    for (const record of records) {
      const { id } = fieldsOf(record);
      if (!isCut(record) || typeof id !== 'string' || !NUMERIC_ID.test(id)) continue;
      if (this.#longThreads >= SYNC_BOUNDS.longThreads) break;
      this.#longThreads += 1;
      threads.push(await this.#source.list(`/comments/${id}`));
    }
    return threads;
  }

  #behind({ text, records }: CommentPage['page']): CommentPage {
    const counts = Object.fromEntries(this.#counts);
    const again = Object.fromEntries(this.#again);
    return { page: { text, records }, mark: JSON.stringify({ counts, again }) };
  }
}

/** A page that only stores a mark. */
const NO_PAGE: CommentPage['page'] = { text: Buffer.from('[]'), records: [] };

const NUMERIC_ID = /^[1-9]\d{0,15}$/;

function fieldsOf(value: unknown): Fields {
  // Safe: any object can be read by name, and each field is checked before use.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function numbersOf(value: unknown): Map<string, number> {
  return new Map(
    Object.entries(fieldsOf(value)).filter((entry): entry is [string, number] =>
      Number.isInteger(entry[1]),
    ),
  );
}

/** Whether a comment, or one inside it, has more replies than the list shows. */
function isCut(comment: unknown): boolean {
  const left = [comment];
  while (left.length > 0) {
    const { replyCount, replies } = fieldsOf(left.pop());
    const shown: readonly unknown[] = Array.isArray(replies) ? replies : [];
    if (typeof replyCount === 'number' && replyCount > shown.length) return true;
    left.push(...shown);
  }
  return false;
}

/** The comment counts of events that have any, largest first. */
async function commentedEvents(
  source: Source,
  onNote: CommentsOptions['onNote'],
): Promise<Map<string, number>> {
  const { pageRecords, commentedRecords } = SYNC_BOUNDS;
  const found = new Map<string, number>();
  for (let offset = 0; ; ) {
    const order = 'order=commentCount&ascending=false';
    const { records } = await source.list(`/events?limit=${pageRecords}&offset=${offset}&${order}`);
    const before = found.size;
    for (const { id, commentCount: count } of records.map(fieldsOf)) {
      const isCounted = typeof count === 'number' && Number.isSafeInteger(count) && count > 0;
      if (isCounted && typeof id === 'string' && NUMERIC_ID.test(id)) found.set(id, count);
    }
    offset += records.length;
    if (found.size >= commentedRecords) {
      onNote(`comments are copied only for the ${commentedRecords} events that have the most`);
      return found;
    }
    // After the first page without comments, no event has any.
    if (found.size === before) return found;
  }
}
