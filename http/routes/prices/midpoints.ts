import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { halfTicksText } from '../../codec/index.ts';
import { bookRoute, textsRoute } from './book-routes.ts';

/**
 * GET /midpoint: the middle of the best bid and ask. A missing bid counts as 0 and a missing ask as
 * 1, as in GET /price: a book with one ask at 0.6 has the midpoint 0.3, an empty book 0.5 (wire
 * 1.5).
 */
export const getMidpoint = bookRoute({
  path: '/midpoint',
  summary: "The middle of a token's best prices",
  response: Type.Object({ mid: Type.String() }),
  answerOf: ({ midpoint }) => new RawReply(200, `{"mid":"${halfTicksText(midpoint)}"}`),
});

/** POST /midpoints: midpoints by token id, without unknown tokens. */
export const postMidpoints = textsRoute(
  '/midpoints',
  'The middle of the best prices of several tokens',
  ({ midpoint }) => halfTicksText(midpoint),
);
