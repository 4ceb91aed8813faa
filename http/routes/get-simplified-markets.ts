import { Type } from 'typebox';
import { CursorParameter, pageSchema } from '../format/cursor.ts';
import { formatSimplifiedMarket, SimplifiedMarket } from '../format/market.ts';
import { readMarketPage } from '../format/market-list.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';

/** GET /simplified-markets: all markets in short, by catalog id. */
export const getSimplifiedMarkets = defineRoute({
  method: 'GET',
  path: '/simplified-markets',
  summary: 'All markets in short, with the prices of their tokens',
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ next_cursor: CursorParameter }),
  body: NO_BODY,
  response: pageSchema(SimplifiedMarket),
  handler: ({ query, services }) =>
    readMarketPage(services, query.next_cursor, { scope: 'all', format: formatSimplifiedMarket }),
});
