/**
 * The catalog: descriptions and pictures of markets and events, in catalog.db, with its writing
 * thread, its reading threads and its public interface.
 */
export { CatalogFeed } from './feed.ts';
export { CatalogFolder, importFile } from './folder.ts';
export { CatalogHost } from './host.ts';
export type { CatalogReads, ExchangeCatalog } from './parts.ts';
