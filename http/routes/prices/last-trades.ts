import { LastTradePrice, LastTradesPrices, lastTradeOf } from '../../format/index.ts';
import { defineRoute } from '../../services/index.ts';
import { bookRoute } from './book-routes.ts';
import { TokenList, tokensOf } from './token-list.ts';

/** GET /last-trade-price: 0.5 without a side for a token that was never traded (wire 1.5). */
export const getLastTradePrice = bookRoute({
  path: '/last-trade-price',
  summary: "The price and the taker's side of a token's last trade",
  response: LastTradePrice,
  answerOf: lastTradeOf,
});

/** The last trades of several tokens, in the order of the request, without unknown tokens. */
function lastTradesBy(method: 'GET' | 'POST') {
  return defineRoute({
    method,
    path: '/last-trades-prices',
    summary: "The price and the taker's side of the last trades of several tokens",
    auth: 'none',
    body: TokenList,
    response: LastTradesPrices,
    needs: ['books'],
    handler: ({ body, services }) =>
      tokensOf(body, services.books).flatMap(({ tokenId, book }) =>
        book === undefined ? [] : { token_id: tokenId, ...lastTradeOf(book) },
      ),
  });
}

export const postLastTradesPrices = lastTradesBy('POST');

/** The Rust clients send the JSON body with a GET (wire 0.9). */
export const getLastTradesPrices = lastTradesBy('GET');
