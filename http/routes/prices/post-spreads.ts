import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { ticksText } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { TokenList, tokensOf } from './token-list.ts';

/**
 * POST /spreads: spreads by token id as the client wrote it, each as GET /spread says it, that of
 * an empty book too. Unknown tokens are left out (wire 1.5).
 */
export const postSpreads = defineRoute({
  method: 'POST',
  path: '/spreads',
  summary: 'The distance of the best prices of several tokens',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: TokenList,
  response: Type.Record(Type.String(), Type.String()),
  needs: ['books'],
  handler: ({ body, services }) => {
    const spreads = new Map<string, string>();
    for (const { tokenId, book } of tokensOf(body, services.books)) {
      if (book !== undefined) spreads.set(tokenId, ticksText(book.spreadTicks));
    }
    return Object.fromEntries(spreads);
  },
});
