/**
 * What a log of writes is to the catalog: a catalog of several processes passes its writes through
 * one, in place of doing them at once (`cluster/content`). Most catalogs have none.
 */
import type { WorkerFailure } from '../persistence/threads/index.ts';
import type { CatalogWriteKind } from './model/index.ts';

export interface WriteLog {
  /** The entry of the catalog's writer thread, which also answers the questions of this log. */
  readonly writerThread: URL;
  open(writer: WriterThread): Promise<void>;
  /** Whether the catalog has a history, in which the ends of its markets are. */
  readonly isFounded: boolean;
  /** See `ExchangeCatalog`. */
  found(): Promise<void>;
  /** Resolves with the answer to the write. */
  write(kind: CatalogWriteKind, question: never): Promise<unknown>;
  stop(): Promise<void>;
}

/** The writer thread of a catalog, as its log uses it. */
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
