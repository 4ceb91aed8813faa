/**
 * Reads of the catalog by the main thread itself, without a reader thread.
 *
 * Invariant: a lookup shows everything that was committed before it. Bound: each reads what one
 * index finds, in some ten microseconds; only the lists of tradable markets, which a start needs,
 * are as long as the catalog.
 */
export { CatalogLookup, type EventKind, type MarketScope, openCatalogLookup } from './lookup.ts';
export type { CatalogMarket, TradableMarket } from './market.ts';
