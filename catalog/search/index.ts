/**
 * The search index of the catalog (SQLite's FTS5) and the matching of words against it.
 */
export {
  type Matches,
  RANKED,
  type SearchedTables,
  type SearchWords,
  WordSearch,
} from './matches.ts';
export { indexEverything, WordIndex } from './word-index.ts';
