/**
 * The word index of the catalog and the matching of searches against it.
 */
export { type Found, Matches, RANKED, type Searched, type Words } from './matches.ts';
export { CatalogIndex, indexEverything, indexSharpS } from './word-index.ts';
