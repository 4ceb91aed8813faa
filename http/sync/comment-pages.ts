/**
 * The comments of a source, which the interface lists only by what they are on: first the events
 * that have the most, then the newest comments of each whose count is not what it was.
 *
 * Invariant: an event's count is remembered when its comments are read as far as they are new.
 * Bounds: `commentedRecords` events a run; of each what `pagesOf` bounds.
 */
import { FRESH_CURSOR } from './list-cursor.ts';
import { type ListPage, pagesOf } from './list-pages.ts';
import type { Source } from './source.ts';
import { SYNC_BOUNDS } from './sync-bounds.ts';

export interface CommentsOptions {
  /** What an earlier run remembered. */
  readonly known: string | undefined;
  readonly onNote: (sentence: string) => void;
}

export interface CommentPage {
  readonly page: ListPage;
  /** Behind this page. */
  readonly mark: string;
}

/** How many comments each event had, by its id. */
type Counts = Readonly<Record<string, number>>;

const parseCounts = (text: string | undefined): Map<string, number> => {
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return new Map(entries.filter((entry): entry is [string, number] => Number.isInteger(entry[1])));
};

/** `next(false)`: nothing of the page was new, so nothing behind it is. Throws SourceError. */
export async function* commentsOf(
  source: Source,
  { known, onNote }: CommentsOptions,
): AsyncGenerator<CommentPage, void, boolean | undefined> {
  const counts = parseCounts(known);
  const mark = (): string => JSON.stringify(Object.fromEntries(counts) satisfies Counts);
  for (const [id, count] of await commentedEvents(source, onNote)) {
    if (counts.get(id) === count) continue;
    const path = `/comments?parent_entity_type=Event&parent_entity_id=${id}`;
    const options = { path, isSorted: false, cursor: FRESH_CURSOR, nowMs: 0, onNote };
    let isNew = true;
    for await (const page of pagesOf(source, options)) {
      const isLast = page.cursor.walk === undefined;
      if (isLast) counts.set(id, count);
      isNew = (yield { page, mark: mark() }) !== false;
      if (!isNew || isLast) break;
    }
    if (isNew) continue;
    counts.set(id, count);
    yield { page: NO_PAGE, mark: mark() };
  }
}

/** Carries a mark alone. */
const NO_PAGE: ListPage = { text: Buffer.from('[]'), records: [], cursor: FRESH_CURSOR };

const EVENT_ID = /^[1-9]\d{0,15}$/;

/** Events with comments, those with the most first. */
const commentedEvents = async (
  source: Source,
  onNote: CommentsOptions['onNote'],
): Promise<Map<string, number>> => {
  const { pageRecords, commentedRecords } = SYNC_BOUNDS;
  const found = new Map<string, number>();
  for (let offset = 0; ; ) {
    const order = 'order=commentCount&ascending=false';
    const { records } = await source.list(`/events?limit=${pageRecords}&offset=${offset}&${order}`);
    const before = found.size;
    for (const record of records) {
      const { id, commentCount: count } = (record ?? {}) as Partial<Record<string, unknown>>;
      const isCounted = typeof count === 'number' && Number.isSafeInteger(count) && count > 0;
      if (isCounted && typeof id === 'string' && EVENT_ID.test(id)) found.set(id, count);
    }
    offset += records.length;
    if (found.size >= commentedRecords) {
      onNote(`the comments of the ${commentedRecords} events that have the most are copied`);
      return found;
    }
    // The first page without any is behind all that have some.
    if (found.size === before) return found;
  }
};
