/**
 * The lists of markets in pages, by catalog id (wire 1.4).
 *
 * On the public venues, the sampling lists have the markets whose resting orders earn rewards. No
 * market here pays rewards, so they have all markets that accept orders, each with no rates.
 */
import { type TSchema, Type } from 'typebox';
import {
  formatSamplingMarket,
  formatSimplifiedMarket,
  SamplingMarket,
  SimplifiedMarket,
} from '../../format/index.ts';
import { CursorParameter, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { type MarketList, readMarketPage } from './market-list.ts';

export const SimplifiedMarketPage = pageSchema(SimplifiedMarket);

function listRoute(path: string, summary: string, response: TSchema, list: MarketList) {
  return defineRoute({
    method: 'GET',
    path,
    summary,
    auth: 'none',
    showsPictures: true,
    query: Type.Object({ next_cursor: CursorParameter }),
    response,
    needs: ['exchange', 'registry', 'books'],
    handler: ({ query, services }) => readMarketPage(services, query.next_cursor, list),
  });
}

export const getSamplingMarkets = listRoute(
  '/sampling-markets',
  'The markets that accept orders; none pays rewards',
  pageSchema(SamplingMarket),
  { scope: 'tradable', format: formatSamplingMarket },
);

export const getSamplingSimplifiedMarkets = listRoute(
  '/sampling-simplified-markets',
  'The markets that accept orders, in short',
  SimplifiedMarketPage,
  { scope: 'tradable', format: formatSimplifiedMarket },
);

export const getSimplifiedMarkets = listRoute(
  '/simplified-markets',
  'All markets in short, with the prices of their tokens',
  SimplifiedMarketPage,
  { scope: 'all', format: formatSimplifiedMarket },
);
