import { NO_PARAMETERS } from '../../api/index.ts';
import { LastTradesPrices, lastTradeOf } from '../../format/index.ts';
import { defineRoute } from '../../services/index.ts';
import { TokenList, tokensOf } from './token-list.ts';

/**
 * POST /last-trades-prices: last trades in the order asked for, without those of unknown tokens;
 * of a token that was never traded as GET /last-trade-price says it (wire 1.5).
 */
export const postLastTradesPrices = defineRoute({
  method: 'POST',
  path: '/last-trades-prices',
  summary: "The price and the taker's side of the last trades of several tokens",
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: TokenList,
  response: LastTradesPrices,
  needs: ['books'],
  handler: ({ body, services }) =>
    tokensOf(body, services.books).flatMap(({ tokenId, book }) =>
      book === undefined ? [] : { token_id: tokenId, ...lastTradeOf(book) },
    ),
});
