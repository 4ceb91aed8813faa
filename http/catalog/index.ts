/**
 * Endpoints and wire formats of the catalog.
 */
export { catalogFailure } from './failure.ts';
export { CatalogFiguresFeed } from './figures.ts';
export { getImage } from './get-image.ts';
export { noteTraded, openImported } from './imported-markets.ts';
export {
  CatalogEvent,
  CatalogSeries,
  EventSummary,
  ListedCatalogMarket,
  MergedMarket,
  MirroredMarket,
  OneCatalogEvent,
  OneCatalogMarket,
} from './market.ts';
export {
  createCatalogMarkets,
  createCommandOf,
  finerTickOf,
  MINIMUM_BUDGET_MICROS,
} from './market-commands.ts';
export { isNumericId, MarketIdParameter, marketNamed } from './markets.ts';
export { CreatorParameter, listQuery, partOf } from './parameters.ts';
export {
  CatalogTag,
  Comment,
  CommentProfile,
  EventCreator,
  PublicProfile,
  Reaction,
  SeriesBrief,
} from './people-schemas.ts';
export { written } from './refusal.ts';
export { filledBytes, filledText, listReply } from './reply.ts';
export { CATALOG_ROUTES } from './routes.ts';
export { MARKET_FILTERS, marketSearchOf } from './searches.ts';
