/**
 * The catalog: descriptions and pictures of events and markets, comments and profiles, in
 * catalog.db. One writer thread changes it, reader threads answer queries, and the main thread
 * looks up single records itself.
 *
 * Invariant: the engine never reads the catalog; it is a source of truth for texts alone. Bounds:
 * CATALOG_BOUNDS and CONTENT_BOUNDS.
 */
export { answerWrites } from './answer-writes.ts';
export { type Catalog, openCatalog } from './catalog.ts';
export { EngineMarkets } from './engine-markets.ts';
export { CATALOG_ERRORS } from './error-codec.ts';
export type { CatalogReads, ExchangeCatalog } from './exchange-catalog.ts';
export { CatalogFolder, importFile } from './folder.ts';
export { CatalogHost } from './host.ts';
export type { AppliedWrite, WriteLog, WriterThread } from './write-log.ts';
