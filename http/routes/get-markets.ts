import { Type } from 'typebox';
import { catalogFailure } from '../format/catalog-failure.ts';
import { ListedCatalogMarket } from '../format/catalog-market.ts';
import { listQuery, partOf } from '../format/catalog-parameters.ts';
import { listReply } from '../format/catalog-reply.ts';
import { MARKET_FILTERS, marketSearchOf } from '../format/catalog-searches.ts';
import { CursorParameter, pageSchema } from '../format/cursor.ts';
import { FullMarket, formatFullMarket } from '../format/full-market.ts';
import { readMarketPage } from '../format/market-list.ts';
import { isOrderBookForm } from '../limits/route-groups.ts';
import { coerceQuery } from '../query-string.ts';
import { ANY_QUERY, defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import { compileCheck } from '../validate.ts';

const CatalogForm = listQuery(MARKET_FILTERS);
const checkCatalogForm = compileCheck(CatalogForm.query, 'invalid_parameter');

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
    ...CatalogForm.documentedQuery.properties,
  }),
  body: NO_BODY,
  response: Type.Union([pageSchema(FullMarket), Type.Array(ListedCatalogMarket)]),
  failureKeys: catalogFailure,
  handler: ({ query, request, services }) => {
    if (isOrderBookForm(request.surface, Object.hasOwn(query, 'next_cursor'))) {
      const cursor = query.next_cursor?.at(-1);
      return readMarketPage(services, cursor, { scope: 'all', format: formatFullMarket });
    }
    const catalogForm = checkCatalogForm(coerceQuery(CatalogForm.query, query));
    const part = partOf(catalogForm, services.settings);
    const asked = services.exchange.catalog.read.markets(marketSearchOf(catalogForm, part));
    return listReply(asked, services);
  },
});
