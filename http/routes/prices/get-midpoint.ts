import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { halfTicksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook } from '../../views/index.ts';

/**
 * GET /midpoint: the middle of best bid and ask; of a one-sided book its one best price, of an
 * empty one the last trade; refused where there was none (wire 1.5).
 */
export const getMidpoint = defineRoute({
  method: 'GET',
  path: '/midpoint',
  summary: "The middle of a token's best prices",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: Type.Object({ mid: Type.String() }),
  needs: ['books'],
  handler: ({ query, services }) => {
    const { midpoint, tokenId } = findBook(services.books, query.token_id);
    if (midpoint === undefined) {
      const reason = 'the book is empty and nothing was traded yet';
      throw new ApiError('book_not_found', { field: 'token_id', actual: tokenId, reason });
    }
    return new RawReply(200, `{"mid":"${halfTicksText(midpoint)}"}`);
  },
});
