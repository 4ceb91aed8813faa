/**
 * The pages of one list of a source: all of it the first time, what changed since afterwards.
 *
 * The first walk is by id, for what is added meanwhile comes at its end; the later ones are from
 * the newest change back to what was read before, for what changes meanwhile comes at their
 * beginning and moves nothing out of sight. So neither misses a record because another one changed,
 * as a walk by ascending time would, and a change costs one page.
 *
 * Invariant: each page carries the cursor from which a later run goes on behind it. A run ends:
 * with an empty or shortened page, with pages that bring nothing new, or at its bounds.
 */
import type { ListCursor } from './list-cursor.ts';
import type { Source, SourceList } from './source.ts';
import { SourceError } from './source-error.ts';
import { SYNC_BOUNDS } from './sync-bounds.ts';

type ListBounds = Readonly<Record<'pageRecords' | 'recordsAList' | 'pagesAList', number>>;

export interface ListOptions {
  /** Its path, perhaps with a query: `/events`. */
  readonly path: string;
  /** Whether the interface lets it be sorted. */
  readonly isSorted: boolean;
  readonly cursor: ListCursor;
  /** Changes that claim to be later than now are read again next time. */
  readonly nowMs: number;
  readonly bounds?: ListBounds;
  /** Something that the operator should know, in a sentence. */
  readonly onNote: (sentence: string) => void;
}

export interface ListPage extends SourceList {
  /** Behind this page. */
  readonly cursor: ListCursor;
}

type Over = 'all' | 'changes';

const ORDERS: Readonly<Record<Over, string>> = {
  all: 'order=id&ascending=true',
  changes: 'order=updatedAt&ascending=false',
};
/** A source that answers this does not sort, or not by that. */
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
  // First what an earlier run left of its changes, then what changed since.
  if (walk !== undefined) yield* reader.readChanges(walk);
  if (!reader.isUnsorted) yield* reader.readChanges();
  if (reader.isUnsorted) {
    options.onNote(`${options.path} is not sorted by its changes: all of it is read`);
    yield* reader.readAll();
  }
}

class ListReader {
  readonly #source: Source;
  readonly #options: ListOptions;
  readonly #bounds: ListBounds;
  /** Asked for at once: less where answers got too large. */
  #limit: number;
  #pages = 0;
  #records = 0;
  #readUntilMs: number;
  /** It is not sorted by its changes, though it took the order. */
  isUnsorted = false;

  constructor(source: Source, options: ListOptions) {
    this.#source = source;
    this.#options = options;
    this.#bounds = options.bounds ?? SYNC_BOUNDS;
    this.#limit = this.#bounds.pageRecords;
    this.#readUntilMs = options.cursor.readUntilMs;
  }

  /** Every record, by id; from where an earlier run stopped, a page before that. */
  async *readAll(earlier?: { readonly offset: number; readonly newestMs: number }) {
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

  /** What changed, from the newest or from where an earlier run stopped. */
  async *readChanges(earlier?: { readonly offset: number; readonly newestMs: number }) {
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

  /** When the newest record was changed; 0 where the source can't say. */
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
        onNote(`${path} is very long: the next run goes on at ${offset}`);
        return;
      }
      const { list, asked } = await this.#page(order, offset);
      this.#pages += 1;
      const { length } = list.records;
      this.#records += length;
      offset += Math.max(length, list === NOTHING ? 1 : 0);
      const freshCount = countFresh(list.records, seen);
      if (length > 0 && freshCount === 0 && list !== NOTHING) {
        onNote(`${path} repeats its pages: it ends at ${offset - length} for this run`);
        yield { list: { ...list, records: [] }, offset, isLast: true };
        return;
      }
      // A source may give fewer than asked for each time: the first page alone says nothing.
      const isLast = list !== NOTHING && (length === 0 || length < Math.min(asked, largest));
      largest = Math.max(largest, length);
      yield { list, offset, isLast };
      if (isLast) return;
    }
  }

  /** One page, asked for in halves while it is too large. */
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

/** In place of a record that is too large. */
const NOTHING: SourceList = { text: Buffer.from('[]'), records: [] };

/** What a record says of itself under a name, if it is one. */
function fieldOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? // Safe: it has that field, whatever is in it.
      (record as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** When a record was changed, in ms; 0 where it doesn't say. */
function changedMs(record: unknown): number {
  const text = fieldOf(record, 'updatedAt');
  const timeMs = typeof text === 'string' && text.length <= 40 ? Date.parse(text) : 0;
  return timeMs > 0 ? timeMs : 0;
}

function isDescending(times: readonly number[]): boolean {
  return times.every((timeMs, index) => index === 0 || timeMs <= (times[index - 1] ?? 0));
}

/** How many records of a page no page before had, as they are; adds them. */
function countFresh(records: readonly unknown[], seen: Set<string>): number {
  const before = seen.size;
  for (const record of records) {
    const id = fieldOf(record, 'id');
    const name = typeof id === 'string' ? id.slice(0, 40) : '';
    seen.add(`${name} ${changedMs(record)}`);
  }
  return seen.size - before;
}
