import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { halfTicksText } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { bookRoute, textsRoute } from './book-routes.ts';

/**
 * GET /midpoint: the middle of the best bid and ask; of a one-sided book its best price, of an
 * empty book the last trade. Throws `book_not_found` if there was no trade either (wire 1.5).
 */
export const getMidpoint = bookRoute({
  path: '/midpoint',
  summary: "The middle of a token's best prices",
  response: Type.Object({ mid: Type.String() }),
  answerOf: ({ midpoint, tokenId }) => {
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
