/**
 * Reads of the catalog: lists of markets and events, single records, comments and searches.
 */
export { CommentReads } from './comment-reads.ts';
export { EventReads } from './event-reads.ts';
export { CatalogList } from './list.ts';
export { EVENTS, MARKETS } from './list-tables.ts';
export { MarketReads } from './market-reads.ts';
export type { CatalogMarket } from './markets.ts';
export { CatalogMoment } from './moment.ts';
export { OperatorReads } from './operator-reads.ts';
export { PeopleReads } from './people-reads.ts';
export { PageWriter, type Piece } from './pieces.ts';
export {
  type CatalogEvent,
  CatalogQueries,
  type MarketScope,
  type TradableMarket,
} from './queries.ts';
export { RelatedTags } from './related-tags.ts';
export { CatalogScope } from './scope.ts';
export { SeriesAndTagReads } from './series-tag-reads.ts';
export { TextSearches } from './text-search.ts';
