/**
 * The three ways into the catalog of an open exchange. Invariant: `lookup` answers at once from the
 * main thread; `read` is answered by reader threads, `write` by the writer thread. A lookup or read
 * that begins after a write was answered sees it.
 */
import type { CatalogLookup } from './lookup/index.ts';
import type {
  CatalogQueries,
  CatalogQueryKind,
  CatalogWrites,
  SlottedJson,
} from './model/index.ts';

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
