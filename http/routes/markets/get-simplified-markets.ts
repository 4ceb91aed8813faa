import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { formatSimplifiedMarket, SimplifiedMarket } from '../../format/index.ts';
import { CursorParameter, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { readMarketPage } from './market-list.ts';

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
  needs: ['exchange', 'registry', 'books'],
  handler: ({ query, services }) =>
    readMarketPage(services, query.next_cursor, { scope: 'all', format: formatSimplifiedMarket }),
});
