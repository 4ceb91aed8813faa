import { Type } from 'typebox';
import { LastTradePrice, lastTradeOf } from '../format/last-trade.ts';
import { TokenId } from '../format/token-id.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS } from '../route.ts';
import { findBook } from '../views/find-book.ts';

/** GET /last-trade-price: 0.5 without a side while the token was never traded (wire 1.5). */
export const getLastTradePrice = defineRoute({
  method: 'GET',
  path: '/last-trade-price',
  summary: "The price and the taker's side of a token's last trade",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: LastTradePrice,
  handler: ({ query, services }) => lastTradeOf(findBook(services.books, query.token_id)),
});
