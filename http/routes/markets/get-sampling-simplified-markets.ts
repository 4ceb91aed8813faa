import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { formatSimplifiedMarket, SimplifiedMarket } from '../../format/index.ts';
import { CursorParameter, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { readMarketPage } from './market-list.ts';

/**
 * GET /sampling-simplified-markets: the markets of GET /sampling-markets in short, by catalog id.
 */
export const getSamplingSimplifiedMarkets = defineRoute({
  method: 'GET',
  path: '/sampling-simplified-markets',
  summary: 'The markets that accept orders, in short',
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ next_cursor: CursorParameter }),
  body: NO_BODY,
  response: pageSchema(SimplifiedMarket),
  needs: ['exchange', 'registry', 'books'],
  handler: ({ query, services }) =>
    readMarketPage(services, query.next_cursor, {
      scope: 'tradable',
      format: formatSimplifiedMarket,
    }),
});
