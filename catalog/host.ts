/**
 * The main thread's side of the catalog: the writer thread, the reader threads, and a connection of
 * its own for lookups. Invariant: the writer thread creates and migrates the file before any other
 * connection opens it, and is the last to close it. Bounds: STORE_BOUNDS.waitingCatalogWrites and
 * waitingReads.
 */
import SqliteDatabase from 'better-sqlite3';
import { closeEach, STORE_BOUNDS, StoreError } from '../persistence/shared/index.ts';
import { WorkerClient, type WorkerFailure } from '../persistence/threads/index.ts';
import { namingCatalog } from './catalog.ts';
import { type CatalogLookup, openCatalogLookup } from './lookup/lookup.ts';
import {
  CATALOG_ERRORS,
  type CatalogQueries,
  type CatalogQueryKind,
  type CatalogQueryKinds,
  type CatalogWriteKind,
  type CatalogWriteKinds,
  type CatalogWrites,
  type SlottedJson,
} from './model/index.ts';
import type { CatalogThreadData } from './writer-thread.ts';

// The three ways into the catalog of an open exchange. Invariant: `lookup` answers at once from the
// main thread; `read` is answered by reader threads, `write` by the writer thread. A lookup or read
// that begins after a write was answered sees it.

/**
 * Each rejects with StoreError `reader_unavailable` or `overloaded`. The answer is undefined if
 * there is no such record. Lists about an unknown record are empty.
 */
export type CatalogReads = {
  readonly [Kind in CatalogQueryKind]: (
    query: CatalogQueries[Kind],
  ) => Promise<SlottedJson | undefined>;
};

export interface ExchangeCatalog {
  readonly lookup: CatalogLookup;
  readonly read: CatalogReads;
  readonly write: CatalogWrites;
  /**
   * Whether it is the catalog of a cluster, which the first core has loaded: the others have copies
   * of it.
   */
  readonly isFounded: boolean;
  /**
   * In a cluster, the first core says that its catalog is complete: from then on other nodes may
   * copy it, and writes go through the log. Otherwise, and later, it does nothing.
   */
  found(): Promise<void>;
}

export interface CatalogHostOptions {
  readonly path: string;
  readonly onDown: (name: string, error: Error) => void;
  /** Passes the writes on, in place of doing them at once. */
  readonly writeLog?: WriteLog;
}

export class CatalogHost implements ExchangeCatalog {
  readonly #path: string;
  readonly #writer: WorkerClient<CatalogWriteKinds>;
  readonly #readers: readonly WorkerClient<CatalogQueryKinds>[];
  readonly read: CatalogReads;
  readonly write: CatalogWrites;
  readonly #writeLog: WriteLog | undefined;
  #lookup: CatalogLookup | undefined;

  constructor({ path, onDown, writeLog }: CatalogHostOptions) {
    const data: CatalogThreadData = { path };
    const writerThread = new URL('./writer-thread.ts', import.meta.url);
    const thread = (name: string, entry: URL) => ({
      entry,
      name,
      data,
      onDown: (error: Error) => onDown(name, error),
    });
    this.#path = path;
    this.#writer = new WorkerClient({
      ...thread("the catalog's writer thread", writeLog?.writerThread ?? writerThread),
      downCode: 'catalog_unavailable',
      errors: CATALOG_ERRORS,
      waitingLimit: STORE_BOUNDS.waitingCatalogWrites,
    });
    this.#readers = Array.from(
      { length: STORE_BOUNDS.catalogReaders },
      (_, index) =>
        new WorkerClient({
          ...thread(
            `the catalog's reader ${index + 1}`,
            new URL('./reader-thread.ts', import.meta.url),
          ),
          downCode: 'reader_unavailable',
          waitingLimit: STORE_BOUNDS.waitingReads,
        }),
    );
    this.#writeLog = writeLog;
    this.write = askers((kind: CatalogWriteKind, question: never) =>
      writeLog === undefined ? this.#writer.ask(kind, question) : writeLog.write(kind, question),
    );
    this.read = askers((kind, question) => this.#freestReader().ask(kind, question));
  }

  get lookup(): CatalogLookup {
    if (this.#lookup === undefined) throw new Error('the catalog is not open');
    return this.#lookup;
  }

  get isWriterUp(): boolean {
    return this.#writer.isUp;
  }

  get areReadersUp(): boolean {
    return this.#readers.every(({ isUp }) => isUp);
  }

  /** Throws StoreError `catalog_damaged`. */
  async start(): Promise<void> {
    await this.#writer.start();
    await this.#writeLog?.open({
      path: this.#path,
      // Safe: the log's own writer thread knows the kinds of the log.
      ask: (kind, question) => this.#writer.ask(kind as CatalogWriteKind, question as never),
      errorOf: (failure) => this.#writer.errorOf(failure),
    });
    this.#lookup = withStoreErrors(namingCatalog(this.#path, () => openCatalogLookup(this.#path)));
    await Promise.all(this.#readers.map((reader) => reader.start()));
  }

  get isFounded(): boolean {
    return this.#writeLog?.isFounded === true;
  }

  async found(): Promise<void> {
    await this.#writeLog?.found();
  }

  async stop(): Promise<void> {
    const writeLog = () => this.#writeLog?.stop();
    const readers = this.#readers.map((reader) => () => reader.stop());
    await closeEach([writeLog, ...readers, () => this.#lookup?.close(), () => this.#writer.stop()]);
  }

  #freestReader(): WorkerClient<CatalogQueryKinds> {
    const [first, ...others] = this.#readers;
    if (first === undefined) throw new Error('a catalog has a reader');
    let chosen = first;
    for (const reader of others) {
      const isFreer = reader.isUp === chosen.isUp && reader.waitingCount < chosen.waitingCount;
      if (isFreer || (reader.isUp && !chosen.isUp)) chosen = reader;
    }
    return chosen;
  }
}

/** Makes lookups throw StoreError `catalog_unavailable` if the file or disk fails. */
function withStoreErrors(lookup: CatalogLookup): CatalogLookup {
  return new Proxy(lookup, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        try {
          return member.apply(target, values);
        } catch (error) {
          if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
          throw new StoreError('catalog_unavailable', `catalog.db: ${error.message}`);
        }
      };
    },
  });
}

function askers<Askers extends object>(
  ask: (kind: never, question: never) => Promise<unknown>,
): Askers {
  // Both casts are safe: WorkerClient types the question and answer of each kind.
  return new Proxy({} as Askers, {
    get: (_target, kind) => (question: never) => ask(kind as never, question),
  });
}

// What a log of writes is to the catalog: a catalog of several processes passes its writes through
// one, in place of doing them at once (`cluster/content`). Most catalogs have none.

export interface WriteLog {
  /** The entry of the catalog's writer thread, which also answers the questions of this log. */
  readonly writerThread: URL;
  open(writer: WriterThread): Promise<void>;
  /** Whether the catalog has a history, in which the ends of its markets are. */
  readonly isFounded: boolean;
  /** See `ExchangeCatalog`. */
  found(): Promise<void>;
  write(kind: CatalogWriteKind, question: never): Promise<unknown>;
  stop(): Promise<void>;
}

export interface WriterThread {
  /** The catalog's file. */
  readonly path: string;
  /** Asks a question: a write, which is done at once, or one of the log's own. */
  ask(kind: string, question: unknown): Promise<unknown>;
  errorOf(failure: WorkerFailure): Error;
}

export interface AppliedWrite {
  readonly kind: CatalogWriteKind;
  readonly question: unknown;
  readonly result:
    | { readonly kind: 'answer'; readonly value: unknown }
    | { readonly kind: 'failure'; readonly failure: WorkerFailure };
}
