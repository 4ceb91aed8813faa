import { setImmediate } from 'node:timers/promises';
import { Type } from 'typebox';
import { CursorParameter, END_CURSOR, offsetOf, pageOf, pageSchema } from '../format/cursor.ts';
import { formatSimplifiedMarket, SimplifiedMarket } from '../format/market.ts';
import { READ_BOUNDS } from '../format/read-bounds.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import type { Services } from '../services.ts';

/** One page of markets, read in slices, so that nobody waits for all of it. */
const readPage = async (
  { exchange, books }: Services,
  offset: number,
): Promise<SimplifiedMarket[]> => {
  const { marketsPerPage, marketsPerSlice } = READ_BOUNDS;
  const markets: SimplifiedMarket[] = [];
  while (markets.length < marketsPerPage) {
    const slice = exchange.catalog.marketPage(offset + markets.length, marketsPerSlice);
    for (const market of slice) {
      markets.push(formatSimplifiedMarket(market, (tokenId) => books.token(tokenId)));
    }
    if (slice.length < marketsPerSlice) break;
    await setImmediate();
  }
  return markets;
};

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
  handler: async ({ query, services }) => {
    const limit = READ_BOUNDS.marketsPerPage;
    const offset = offsetOf(query.next_cursor);
    const markets = await readPage(services, offset);
    const more = offset + markets.length < services.exchange.catalog.marketCount();
    return pageOf(markets, { offset, limit, more, end: END_CURSOR });
  },
});
