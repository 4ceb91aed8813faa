import { Type } from 'typebox';
import { RawReply } from '../../api/index.ts';
import { ticksText } from '../../codec/index.ts';
import { bookRoute, textsRoute } from './book-routes.ts';

/**
 * GET /spread: the best ask minus the best bid. A missing bid counts as 0 and a missing ask as 1,
 * as in GET /price. So a book with one ask at 0.6 has the spread 0.6, an empty book 1 (wire 1.5).
 */
export const getSpread = bookRoute({
  path: '/spread',
  summary: "The difference between a token's best prices",
  response: Type.Object({ spread: Type.String() }),
  answerOf: ({ spreadTicks }) => new RawReply(200, `{"spread":"${ticksText(spreadTicks)}"}`),
});

/** POST /spreads: spreads by token id, without unknown tokens. */
export const postSpreads = textsRoute(
  '/spreads',
  'The difference between the best prices of several tokens',
  ({ spreadTicks }) => ticksText(spreadTicks),
);
