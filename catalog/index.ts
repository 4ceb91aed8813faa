/**
 * The catalog: descriptions and pictures of events and markets, comments and profiles, in
 * catalog.db. One writer thread changes it, reader threads answer queries, and the main thread
 * looks up single records itself.
 *
 * Invariant: the engine never reads the catalog; it is a source of truth for texts alone. Bounds:
 * CATALOG_BOUNDS and CONTENT_BOUNDS.
 */
export { openCatalog } from './catalog.ts';
export type { CatalogClusterOptions } from './cluster-catalog.ts';
export { EngineMarkets } from './engine-markets.ts';
export type { CatalogReads, ExchangeCatalog } from './exchange-catalog.ts';
export { CatalogFolder, importFile } from './folder.ts';
export { CatalogHost } from './host.ts';
export {
  type AppliedQuestion,
  CONTENT_REQUEST_KINDS,
  isCompleteCatalog,
  receiveCatalog,
} from './replication/index.ts';
