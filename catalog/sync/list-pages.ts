/**
 * The pages of one list of a source: the whole list in the first run, its changes in later runs.
 *
 * The first walk is by id, because records that are added during the walk come at its end. Later
 * walks go from the newest change back to the last known one, because changes during the walk come
 * at its beginning and hide nothing. So neither walk misses a record because another one changed,
 * as a walk by ascending time would. If little changed, a run reads one page.
 *
 * Invariant: each page has the cursor from which a later run continues. A walk ends with an empty
 * or a shorter page, with a page that has nothing new, or at its bounds.
 */
import { SYNC_BOUNDS } from './bounds.ts';
import type { Source, SourceList } from './source.ts';
import { SourceError } from './source-error.ts';

// How far one list of a source was read. It is stored with the records, in one transaction.

export interface ListWalk {
  readonly offset: number;
  /** Time of the newest change when the walk began, in ms; 0 if the source does not give it. */
  readonly newestMs: number;
}

export interface ListCursor {
  /** All changes before this time have been read, in ms; 0 if that is unknown. */
  readonly readUntilMs: number;
  /** `all`: every record by id; `changes`: from the newest change backwards. */
  readonly walk?: ListWalk & { readonly over: 'all' | 'changes' };
}

export const FRESH_CURSOR: ListCursor = { readUntilMs: 0 };

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The value of a stored mark; undefined for none, or for a text that is not JSON. */
export function parseMark(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // An unreadable mark only means that a list is read from its beginning.
    return undefined;
  }
}

/** The stored cursor of an earlier run; a fresh one if there is none or its form is unknown. */
export function parseCursor(text: string | undefined): ListCursor {
  // Safe: any JSON value but null can be read by name, and each field is checked before use.
  const { readUntilMs, walk } = (parseMark(text) ?? {}) as Partial<Record<string, unknown>>;
  if (!isCount(readUntilMs)) return FRESH_CURSOR;
  const { over, offset, newestMs } = (walk ?? {}) as Partial<Record<string, unknown>>;
  const isWalk = (over === 'all' || over === 'changes') && isCount(offset) && isCount(newestMs);
  return isWalk ? { readUntilMs, walk: { over, offset, newestMs } } : { readUntilMs };
}

type ListBounds = Readonly<Record<'pageRecords' | 'recordsAList' | 'pagesAList', number>>;

export interface ListOptions {
  /** The path, with or without a query, such as `/events`. */
  readonly path: string;
  readonly isSorted: boolean;
  readonly cursor: ListCursor;
  /** Changes with a time after `nowMs` are read again in the next run. */
  readonly nowMs: number;
  readonly bounds?: ListBounds;
  readonly onNote: (sentence: string) => void;
}

export interface ListPage extends SourceList {
  /** Stored with the page: where the next run continues. */
  readonly cursor: ListCursor;
}

type Over = 'all' | 'changes';

const ORDERS: Readonly<Record<Over, string>> = {
  all: 'order=id&ascending=true',
  changes: 'order=updatedAt&ascending=false',
};
/** Statuses with which sources answer that they can't sort, or not in this order. */
const NOT_SORTED: ReadonlySet<number> = new Set([400, 404, 422, 501]);

/** Throws SourceError. */
export async function* pagesOf(source: Source, options: ListOptions): AsyncGenerator<ListPage> {
  const { cursor } = options;
  const { readUntilMs, walk } = cursor;
  const reader = new ListReader(source, options);
  if (readUntilMs === 0 || walk?.over === 'all') {
    yield* reader.readAll(walk);
    return;
  }
  // First the rest of an earlier run's changes, then the changes since.
  if (walk !== undefined) yield* reader.readChanges(walk);
  if (!reader.isUnsorted) yield* reader.readChanges();
  if (reader.isUnsorted) {
    options.onNote(`${options.path} is not sorted by last change, so the whole list is read`);
    yield* reader.readAll();
  }
}

class ListReader {
  readonly #source: Source;
  readonly #options: ListOptions;
  readonly #bounds: ListBounds;
  /** Records of the next page: fewer after an answer that was too large. */
  #limit: number;
  #pages = 0;
  #records = 0;
  #readUntilMs: number;
  /** Whether the source accepted the order by change but did not follow it. */
  isUnsorted = false;

  constructor(source: Source, options: ListOptions) {
    this.#source = source;
    this.#options = options;
    this.#bounds = options.bounds ?? SYNC_BOUNDS;
    this.#limit = this.#bounds.pageRecords;
    this.#readUntilMs = options.cursor.readUntilMs;
  }

  /** Reads every record by id, from one page before the place where an earlier run stopped. */
  async *readAll(earlier?: ListWalk) {
    const newestMs = earlier?.newestMs ?? (await this.#newestMs());
    const order = newestMs > 0 ? ORDERS.all : '';
    const start = Math.max(0, (earlier?.offset ?? 0) - this.#bounds.pageRecords);
    for await (const { list, offset, isLast } of this.#walk(order, start)) {
      const cursor: ListCursor = isLast
        ? { readUntilMs: newestMs }
        : { readUntilMs: 0, walk: { over: 'all', offset, newestMs } };
      yield { ...list, cursor };
    }
  }

  /** Reads changes, from the newest or from the place where an earlier run stopped. */
  async *readChanges(earlier?: ListWalk) {
    let newestMs = earlier?.newestMs ?? 0;
    let beforeMs = Number.POSITIVE_INFINITY;
    for await (const { list, offset, isLast } of this.#walk(ORDERS.changes, earlier?.offset ?? 0)) {
      const times = list.records.map(changedMs).filter((timeMs) => timeMs > 0);
      const [firstMs = 0] = times;
      const lastMs = times.at(-1) ?? 0;
      if (times.length < list.records.length || !isDescending([beforeMs, ...times])) {
        this.isUnsorted = true;
        return;
      }
      beforeMs = lastMs > 0 ? lastMs : beforeMs;
      if (newestMs === 0) newestMs = this.#capped(Math.max(firstMs, this.#readUntilMs));
      if (isLast || lastMs < this.#readUntilMs) {
        this.#readUntilMs = newestMs;
        yield { ...list, cursor: { readUntilMs: newestMs } };
        return;
      }
      const walk = { over: 'changes', offset, newestMs } as const;
      yield { ...list, cursor: { readUntilMs: this.#readUntilMs, walk } };
    }
  }

  /** The time of the newest change, in ms; 0 if the source does not give it. */
  async #newestMs(): Promise<number> {
    if (!this.#options.isSorted) return 0;
    try {
      const { records } = await this.#source.list(this.#pathOf(ORDERS.changes, 1, 0));
      return this.#capped(changedMs(records[0]));
    } catch (error) {
      if (error instanceof SourceError && NOT_SORTED.has(error.status)) return 0;
      throw error;
    }
  }

  #capped(timeMs: number): number {
    return Math.min(timeMs, this.#options.nowMs);
  }

  async *#walk(order: string, start: number) {
    const { path, onNote } = this.#options;
    const { pagesAList, recordsAList } = this.#bounds;
    const seen = new Set<string>();
    let offset = start;
    let largest = 0;
    for (;;) {
      if (this.#pages >= pagesAList || this.#records >= recordsAList) {
        onNote(`${path} is very long: the next run continues at ${offset}`);
        return;
      }
      const { list, asked } = await this.#page(order, offset);
      this.#pages += 1;
      const { length } = list.records;
      this.#records += length;
      offset += Math.max(length, list === NOTHING ? 1 : 0);
      const freshCount = countFresh(list.records, seen);
      if (length > 0 && freshCount === 0 && list !== NOTHING) {
        onNote(`${path} repeats its pages, so this run stops reading it at ${offset - length}`);
        yield { list: { ...list, records: [] }, offset, isLast: true };
        return;
      }
      // A source may have a lower limit than `asked`, so a page is also compared with the largest.
      const isLast = list !== NOTHING && (length === 0 || length < Math.min(asked, largest));
      largest = Math.max(largest, length);
      yield { list, offset, isLast };
      if (isLast) return;
    }
  }

  /** Reads one page. While the answer is too large, it asks for half as many records. */
  async #page(order: string, offset: number): Promise<{ list: SourceList; asked: number }> {
    for (;;) {
      const asked = this.#limit;
      try {
        const list = await this.#source.list(this.#pathOf(order, asked, offset));
        this.#limit = Math.min(2 * asked, this.#bounds.pageRecords);
        return { list, asked };
      } catch (error) {
        if (!(error instanceof SourceError && error.code === 'too_large')) throw error;
        if (asked === 1) {
          this.#options.onNote(
            `${this.#options.path}: the record at ${offset} is left out: too large`,
          );
          return { list: NOTHING, asked };
        }
        this.#limit = Math.ceil(asked / 2);
      }
    }
  }

  #pathOf(order: string, limit: number, offset: number): string {
    const { path } = this.#options;
    const sorted = order === '' ? '' : `&${order}`;
    return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}${sorted}`;
  }
}

/** The page in place of a record that is too large. */
const NOTHING: SourceList = { text: Buffer.from('[]'), records: [] };

/** A record's field; undefined for anything that is not an object. */
function fieldOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? // Safe: the object has this field, whose type stays unknown.
      (record as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** The time of a record's last change, in ms; 0 for none. */
function changedMs(record: unknown): number {
  const text = fieldOf(record, 'updatedAt');
  const timeMs = typeof text === 'string' && text.length <= 40 ? Date.parse(text) : 0;
  return timeMs > 0 ? timeMs : 0;
}

function isDescending(times: readonly number[]): boolean {
  return times.every((timeMs, index) => index === 0 || timeMs <= (times[index - 1] ?? 0));
}

/** Returns how many records are new or changed, and adds them to `seen`. */
function countFresh(records: readonly unknown[], seen: Set<string>): number {
  const before = seen.size;
  for (const record of records) {
    const id = fieldOf(record, 'id');
    const name = typeof id === 'string' ? id.slice(0, 40) : '';
    seen.add(`${name} ${changedMs(record)}`);
  }
  return seen.size - before;
}
