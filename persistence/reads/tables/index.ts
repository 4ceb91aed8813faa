/**
 * The read-only connection to analytics.db that all reads share: prepared statements, the keys that
 * stand for names, and searches of trades. Invariant: a search walks ranges of indexes in the order
 * of its answer; it scans no table and sorts nothing (tests check the query plans). Bound:
 * STORE_BOUNDS.searchedRows rows of a search; more is `search_too_wide`.
 */
export { type FillFilter, fillKeyOf, fillWalks, ordinalOf, tradeKeyOf } from './fill-walks.ts';
export { NO_KEY, type PagePart } from './index-search.ts';
export { openReadTables, ReadTables } from './read-tables.ts';
export { type TradeFilter, tradeWalks } from './trade-walks.ts';
