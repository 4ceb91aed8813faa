import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { LastTradePrice, lastTradeOf } from '../../format/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook } from '../../views/index.ts';

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
  needs: ['books'],
  handler: ({ query, services }) => lastTradeOf(findBook(services.books, query.token_id)),
});
