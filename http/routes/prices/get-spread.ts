import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS, RawReply } from '../../api/index.ts';
import { ticksText } from '../../codec/index.ts';
import { TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook } from '../../views/index.ts';

/**
 * GET /spread: from best bid to best ask. A missing bid counts as 0 and a missing ask as 1, as on
 * GET /price, so a book with an ask of 0.6 alone has 0.6, and an empty one 1 (wire 1.5).
 */
export const getSpread = defineRoute({
  method: 'GET',
  path: '/spread',
  summary: "The distance of a token's best prices",
  auth: 'none',
  params: NO_PARAMETERS,
  query: Type.Object({ token_id: TokenId }),
  body: NO_BODY,
  response: Type.Object({ spread: Type.String() }),
  needs: ['books'],
  handler: ({ query, services }) => {
    const { spreadTicks } = findBook(services.books, query.token_id);
    return new RawReply(200, `{"spread":"${ticksText(spreadTicks)}"}`);
  },
});
