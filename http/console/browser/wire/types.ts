/** The types of the answers: those of the schemas that the server documents its routes with. */
import type { Static } from 'typebox';
import type * as catalog from '../../../catalog/index.ts';

export type { AccountOrder, AccountTrade } from '../../../format/index.ts';
export type { ExchangeFacts } from '../../index.ts';

export type CatalogEvent = Static<typeof catalog.CatalogEvent>;
export type CatalogMarket = Static<typeof catalog.InnerMarket>;
export type CatalogTag = Static<typeof catalog.CatalogTag>;
/** GET /public-search */
export type SearchResult = Static<typeof catalog.SearchResult>;

/** GET /events/pagination */
export interface EventPage {
  readonly data: readonly CatalogEvent[];
  readonly pagination: { readonly hasMore: boolean; readonly totalResults: number };
}
