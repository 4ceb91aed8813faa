import { type Static, Type } from 'typebox';
import { catalogFailure } from '../format/catalog-failure.ts';
import { formatListedMarket, ListedCatalogMarket } from '../format/catalog-market.ts';
import { CatalogMarketsQuery, marketSearchOf } from '../format/catalog-query.ts';
import { CursorParameter, pageSchema } from '../format/cursor.ts';
import { FullMarket, formatFullMarket } from '../format/full-market.ts';
import { liveMarket } from '../format/market.ts';
import { readMarketPage } from '../format/market-list.ts';
import { isOrderBookForm } from '../limits/route-groups.ts';
import { coerceQuery } from '../query-string.ts';
import { ANY_QUERY, defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import type { Services } from '../services.ts';
import { nextTurn } from '../turns.ts';
import { compileCheck } from '../validate.ts';

const checkCatalogQuery = compileCheck(CatalogMarketsQuery, 'invalid_parameter');

/** A search may read much of the catalog: one a turn of the event loop, however many are asked. */
const listCatalogMarkets = async (
  services: Services,
  query: CatalogMarketsQuery,
): Promise<Static<typeof ListedCatalogMarket>[]> => {
  const search = marketSearchOf(query);
  await nextTurn();
  return services.exchange.catalog
    .searchMarkets(search)
    .map((market) => formatListedMarket(liveMarket(market, services)));
};

/**
 * GET /markets, two routes of one path (wire 0.3, 0.4): the order-book form under /clob and where
 * `next_cursor` is sent, the catalog form under /gamma and else. Each reads its own parameters and
 * no others.
 */
export const getMarkets = defineRoute({
  method: 'GET',
  path: '/markets',
  summary: 'Markets: pages of the order-book form with next_cursor, else a list of the catalog',
  auth: 'none',
  params: NO_PARAMETERS,
  query: ANY_QUERY,
  documentedQuery: Type.Object({
    next_cursor: CursorParameter,
    ...CatalogMarketsQuery.properties,
  }),
  body: NO_BODY,
  response: Type.Union([pageSchema(FullMarket), Type.Array(ListedCatalogMarket)]),
  failureKeys: catalogFailure,
  handler: ({ query, request, services }) => {
    if (!isOrderBookForm(request.surface, Object.hasOwn(query, 'next_cursor'))) {
      return listCatalogMarkets(
        services,
        checkCatalogQuery(coerceQuery(CatalogMarketsQuery, query)),
      );
    }
    const cursor = query.next_cursor?.at(-1);
    return readMarketPage(services, cursor, { scope: 'all', format: formatFullMarket });
  },
});
