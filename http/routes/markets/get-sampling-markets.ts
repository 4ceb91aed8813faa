import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { formatSamplingMarket, SamplingMarket } from '../../format/index.ts';
import { CursorParameter, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { readMarketPage } from './market-list.ts';

/**
 * GET /sampling-markets, by catalog id: elsewhere the markets whose resting orders earn rewards. No
 * market pays rewards here, so all that accept orders are listed, each with no rates.
 */
export const getSamplingMarkets = defineRoute({
  method: 'GET',
  path: '/sampling-markets',
  summary: 'The markets that accept orders; none pays rewards',
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ next_cursor: CursorParameter }),
  body: NO_BODY,
  response: pageSchema(SamplingMarket),
  needs: ['exchange', 'registry', 'books'],
  handler: ({ query, services }) =>
    readMarketPage(services, query.next_cursor, {
      scope: 'tradable',
      format: formatSamplingMarket,
    }),
});
