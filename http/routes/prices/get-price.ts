import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { ticksText } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook } from '../../views/index.ts';
import { bestOf, PriceSide, SIDE_NAMES, sideNamed } from './price.ts';

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
  needs: ['settings', 'books'],
  handler: ({ query, services }) => {
    const side = sideNamed(query.side);
    if (side === undefined) {
      const details = { field: 'side', limit: SIDE_NAMES, actual: echo(query.side) };
      throw new ApiError('invalid_parameter', details);
    }
    const book = findBook(services.books, query.token_id);
    const price = bestOf(book, side, services.settings.priceSideMeaning);
    return new RawReply(200, `{"price":"${ticksText(price)}"}`);
  },
});
