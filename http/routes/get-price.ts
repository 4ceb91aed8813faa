import { Type } from 'typebox';
import { ticksText } from '../format/decimal.ts';
import { bestOf, PriceSide } from '../format/price.ts';
import { TokenId } from '../format/token-id.ts';
import { defineRoute, NO_BODY, NO_PARAMETERS, RawReply } from '../route.ts';
import { findBook } from '../views/find-book.ts';

/** GET /price: the best price of one side; "0" where nobody bids, "1" where nobody asks. */
export const getPrice = defineRoute({
  method: 'GET',
  path: '/price',
  summary: "The best price of a token's side",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId, side: PriceSide }),
  body: NO_BODY,
  response: Type.Object({ price: Type.String() }),
  handler: ({ query, services }) => {
    const book = findBook(services.books, query.token_id);
    const price = bestOf(book, query.side, services.settings.priceSideMeaning);
    return new RawReply(200, `{"price":"${ticksText(price)}"}`);
  },
});
