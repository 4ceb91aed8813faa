/**
 * The comments of a source, which the interface lists only by what they are on: first the events
 * that have the most, then series. Of an event whose count is what it was nothing is read; of
 * others the newest, until as many came as there are more and a page brings nothing new.
 *
 * Invariant: an event's count is remembered when its comments are read as far as they are new. One
 * of which something was refused, such as an answer to what was not there yet, is read whole again
 * in the next `TRIES` runs, until nothing is. Bounds: `commentedRecords` events, `commentedSeries`
 * and `longThreads` a run; of each what `pagesOf` bounds.
 */
import { FRESH_CURSOR } from './list-cursor.ts';
import { type ListPage, pagesOf } from './list-pages.ts';
import type { Source } from './source.ts';
import { SourceError } from './source-error.ts';
import { SYNC_BOUNDS } from './sync-bounds.ts';

export interface CommentsOptions {
  /** What an earlier run remembered. */
  readonly known: string | undefined;
  readonly onNote: (sentence: string) => void;
}

export interface CommentPage {
  readonly page: Pick<ListPage, 'text' | 'records'>;
  /** Behind this page. */
  readonly mark: string;
}

/** What became of a page, answers inside comments counted too. */
export interface CommentsTaken {
  readonly added: number;
  readonly updated: number;
  readonly refused: number;
}

type Pages = AsyncGenerator<CommentPage, void, CommentsTaken>;
type Fields = Partial<Readonly<Record<string, unknown>>>;

/** In how many later runs that of which something was refused is read whole. */
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
  /** How many comments each event had, by its id. */
  readonly #counts: Map<string, number>;
  /** Events that are to be read whole, and how often still. */
  readonly #again: Map<string, number>;
  #longThreads = 0;

  constructor(source: Source, { known, onNote }: CommentsOptions) {
    const { counts, again } = fieldsOf(known === undefined ? undefined : JSON.parse(known));
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

  /** They tell no count: a page of each says whether something is new. */
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

  /** Gives how many were refused. */
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

  /** A list tells a comment with the first of its answers; its thread has more. */
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

/** Carries a mark alone. */
const NO_PAGE: CommentPage['page'] = { text: Buffer.from('[]'), records: [] };

const NUMERIC_ID = /^[1-9]\d{0,15}$/;

function fieldsOf(value: unknown): Fields {
  // Safe: any object can be read by name, and each field is looked at before use.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function numbersOf(value: unknown): Map<string, number> {
  return new Map(
    Object.entries(fieldsOf(value)).filter((entry): entry is [string, number] =>
      Number.isInteger(entry[1]),
    ),
  );
}

/** Whether a comment, or one inside it, has more answers than stand in it. */
function isCut(comment: unknown): boolean {
  const left = [comment];
  while (left.length > 0) {
    const { replyCount, replies } = fieldsOf(left.pop());
    const told: readonly unknown[] = Array.isArray(replies) ? replies : [];
    if (typeof replyCount === 'number' && replyCount > told.length) return true;
    left.push(...told);
  }
  return false;
}

/** Events with comments, those with the most first. */
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
      onNote(`the comments of the ${commentedRecords} events that have the most are copied`);
      return found;
    }
    // The first page without any is behind all that have some.
    if (found.size === before) return found;
  }
}
