import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook, OrderBook } from '../../views/index.ts';

/** GET /book: one token's order book. Its bytes are ready, once for each version of the book. */
export const getBook = defineRoute({
  method: 'GET',
  path: '/book',
  summary: "A token's order book with its hash, best prices last",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: OrderBook,
  needs: ['books'],
  handler: ({ query, services }) =>
    new RawReply(200, findBook(services.books, query.token_id).bytes),
});
