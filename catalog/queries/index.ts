/**
 * The queries of the catalog, answered by its reader threads: lists of markets and events, single
 * records, comments and searches.
 *
 * Invariant: nothing is written; an answer shows one committed state; a cached value is compared
 * with the version of its rows and never read outside of a read transaction. Bounds:
 * CATALOG_BOUNDS.
 */
export { CatalogAnswers } from './answers.ts';
