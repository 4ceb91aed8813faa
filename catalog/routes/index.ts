/**
 * The catalog over HTTP: routes that read events, markets, comments and profiles, the replies that
 * fill in live prices and positions, and what connects the catalog with trading: opening its
 * markets in the engine and bringing figures of trading back.
 */

export { CatalogFiguresFeed } from './figures.ts';
export { markTraded, openImported } from './imported-markets.ts';
export {
  CatalogEvent,
  CatalogSeries,
  EventOfMarket,
  EventSummary,
  InnerMarket,
  MarketFeeSchedule,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
  SearchResult,
} from './market.ts';
export {
  canOpenEvent,
  createCatalogMarkets,
  createCommandOf,
  finerTickOf,
  MINIMUM_BUDGET_MICROS,
  partsOf,
  type RefusedCommand,
  submitAll,
} from './market-commands.ts';
export { isMarketId, MarketIdParameter, marketNamed } from './markets.ts';
export { CreatorParameter, listQuery, partOf } from './parameters.ts';
export { getImage } from './people.ts';
export {
  CatalogTag,
  EventCreator,
  PublicProfile,
  SeriesBrief,
} from './people-schemas.ts';
export { catalogFailure, filledBytes, filledText, listReply, written } from './reply.ts';
export { CATALOG_ROUTES } from './routes.ts';
export { IncludeTag, MARKET_FILTERS, marketSearchOf } from './searches.ts';
