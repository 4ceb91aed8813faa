import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { halfTicksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook } from '../../views/index.ts';
import { textsRoute } from './token-list.ts';

/**
 * GET /midpoint: the middle of the best bid and ask; of a one-sided book its best price, of an
 * empty book the last trade. Throws `book_not_found` where there was none (wire 1.5).
 */
export const getMidpoint = defineRoute({
  method: 'GET',
  path: '/midpoint',
  summary: "The middle of a token's best prices",
  auth: 'none',
  query: Type.Object({ token_id: TokenId }),
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

/** POST /midpoints: midpoints by token id, without the tokens that GET /midpoint refuses. */
export const postMidpoints = textsRoute(
  '/midpoints',
  'The middle of the best prices of several tokens',
  ({ midpoint }) => (midpoint === undefined ? undefined : halfTicksText(midpoint)),
);
