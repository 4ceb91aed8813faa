/**
 * One run of a sync: it copies every list of a source into the catalog, page by page, in the order
 * in which records depend on each other.
 *
 * Invariant: a page is stored with its cursor in one write, so that the next run continues where
 * this one ended. A fault in one record or list is reported and does not affect others. A source
 * that can't be reached ends the run.
 */
import type { PageReport, RecordCounts, RecordKind } from '../../persistence/index.ts';
import type { SyncPace } from './bounds.ts';
import { commentsOf } from './comment-pages.ts';
import { pagesOf, parseCursor } from './list-pages.ts';
import type { Source } from './source.ts';
import { SourceError, type SourceErrorCode } from './source-error.ts';

/** The part of the catalog that a run uses. */
export interface SyncStore {
  /** The mark of the last stored page of a list; undefined for none. */
  mark(source: string, kind: RecordKind): Promise<string | undefined>;
  put(page: SyncPage): Promise<PageReport>;
}

export interface SyncPage {
  readonly source: string;
  readonly kind: RecordKind;
  /** The JSON of a list of records. */
  readonly text: Uint8Array;
  /** Stored with the page: where the next run continues. */
  readonly mark: string;
}

export interface SyncReport {
  readonly source: string;
  readonly requests: number;
  readonly ms: number;
  readonly counts: Partial<Record<RecordKind, RecordCounts>>;
  /** The first `REFUSALS_KEPT` refusals. */
  readonly refusals: readonly SyncRefusal[];
  readonly refused: number;
  /** Sentences for the operator. */
  readonly notes: readonly string[];
  /** Why the run ended early; absent if it did not. */
  readonly failure?: string;
}

export interface SyncRefusal {
  readonly kind: RecordKind;
  readonly sentence: string;
}

interface SyncList {
  readonly kind: RecordKind;
  readonly path: string;
  readonly isSorted: boolean;
}

/** All lists but comments, which are listed by event and series. */
const LISTS: readonly SyncList[] = [
  { kind: 'tags', path: '/tags', isSorted: false },
  { kind: 'series', path: '/series', isSorted: false },
  { kind: 'events', path: '/events', isSorted: true },
  { kind: 'markets', path: '/markets', isSorted: true },
  { kind: 'creators', path: '/events/creators', isSorted: true },
  { kind: 'teams', path: '/teams', isSorted: false },
  { kind: 'sports', path: '/sports', isSorted: false },
];

const REFUSALS_KEPT = 1_000;
const NOTES_KEPT = 1_000;
const NO_COUNTS: RecordCounts = { added: 0, updated: 0, unchanged: 0, refused: 0 };
/** Errors that concern one list only: the run goes on with the next one. */
const LIST_ERRORS: ReadonlySet<SourceErrorCode> = new Set(['refused', 'not_a_list', 'too_large']);

export interface RunOptions {
  readonly source: Source;
  readonly store: SyncStore;
  readonly nowMs: () => number;
  /** Called after each page. */
  readonly onProgress?: (kind: RecordKind, records: number) => void;
}

export class SyncRun {
  readonly #options: RunOptions;
  readonly #counts: Partial<Record<RecordKind, RecordCounts>> = {};
  readonly #refusals: SyncRefusal[] = [];
  readonly #notes: string[] = [];
  #refused = 0;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Reads all lists. Throws only errors of the store. */
  async run(): Promise<SyncReport> {
    const begunMs = performance.now();
    const failure = await this.#readAll();
    const { source } = this.#options;
    return {
      source: source.name,
      requests: source.requests,
      ms: Math.round(performance.now() - begunMs),
      counts: this.#counts,
      refusals: this.#refusals,
      refused: this.#refused,
      notes: this.#notes,
      ...(failure === undefined ? {} : { failure }),
    };
  }

  async #readAll(): Promise<string | undefined> {
    for (const list of LISTS) {
      const failure = await this.#guarded(list.path, () => this.#readList(list));
      if (failure !== undefined) return failure;
    }
    return this.#guarded('/comments', () => this.#readComments());
  }

  /** Returns why the run must end; an error of one list alone becomes a note. */
  async #guarded(path: string, read: () => Promise<void>): Promise<string | undefined> {
    try {
      await read();
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      if (!LIST_ERRORS.has(error.code)) return error.message;
      this.#note(`${path} is not copied: ${error.message}`);
      return undefined;
    }
  }

  async #readList({ kind, path, isSorted }: SyncList): Promise<void> {
    const { source, store, nowMs } = this.#options;
    const cursor = parseCursor(await store.mark(source.name, kind));
    const onNote = (sentence: string): void => this.#note(sentence);
    const pages = pagesOf(source, { path, isSorted, cursor, nowMs: nowMs(), onNote });
    for await (const page of pages) await this.#put(kind, page.text, JSON.stringify(page.cursor));
  }

  async #readComments(): Promise<void> {
    const { source, store } = this.#options;
    const known = await store.mark(source.name, 'comments');
    const onNote = (sentence: string): void => this.#note(sentence);
    const pages = commentsOf(source, { known, onNote });
    // How far to read depends on what the catalog did with each page.
    let answer = await pages.next();
    while (answer.done !== true) {
      const { page, mark } = answer.value;
      answer = await pages.next(await this.#put('comments', page.text, mark));
    }
  }

  async #put(kind: RecordKind, text: Uint8Array, mark: string): Promise<RecordCounts> {
    const { source, store, onProgress } = this.#options;
    const report = await store.put({ source: source.name, kind, text, mark });
    for (const [name, counts] of Object.entries(report.counts)) {
      // Safe: the keys of `counts` are kinds of records.
      this.#count(name as RecordKind, counts);
    }
    this.#refused += report.refused;
    if (report.ownEvents > 0) {
      this.#note(`${report.ownEvents} events were made for markets that name none`);
    }
    for (const { sentence } of report.refusals) this.#refuse({ kind, sentence });
    onProgress?.(kind, this.#totalOf(kind));
    return report.counts[kind] ?? NO_COUNTS;
  }

  #count(kind: RecordKind, more: RecordCounts): void {
    const { added, updated, unchanged, refused } = this.#counts[kind] ?? NO_COUNTS;
    this.#counts[kind] = {
      added: added + more.added,
      updated: updated + more.updated,
      unchanged: unchanged + more.unchanged,
      refused: refused + more.refused,
    };
  }

  #totalOf(kind: RecordKind): number {
    return Object.values(this.#counts[kind] ?? NO_COUNTS).reduce((sum, count) => sum + count, 0);
  }

  #refuse(refusal: SyncRefusal): void {
    if (this.#refusals.length < REFUSALS_KEPT) this.#refusals.push(refusal);
  }

  #note(sentence: string): void {
    if (this.#notes.length < NOTES_KEPT) this.#notes.push(sentence);
  }
}

// The messages between the main thread and the sync thread.

export interface SyncThreadData {
  readonly url: string;
  readonly userAgent: string;
  readonly pace: SyncPace;
  /** The time from the end of one run to the start of the next; 0 for a single run. */
  readonly everyMs: number;
}

/** Questions to the catalog, which the main thread answers. */
export type SyncQuestion =
  | { readonly kind: 'mark'; readonly id: number; readonly source: string; readonly of: RecordKind }
  | { readonly kind: 'page'; readonly id: number; readonly page: SyncPage };

export type SyncMessage =
  | SyncQuestion
  | { readonly kind: 'retry'; readonly sentence: string; readonly waitMs: number }
  | { readonly kind: 'ran'; readonly report: SyncReport }
  /** A run failed because of a bug, or because the catalog failed. The next run comes as usual. */
  | { readonly kind: 'broke'; readonly message: string };
