import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { halfTicksText } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { TokenList, tokensOf } from './token-list.ts';

/**
 * POST /midpoints: midpoints by token id as the client wrote it. Left out are unknown tokens, and
 * those for which GET /midpoint is refused: an empty book without a trade (wire 1.5).
 */
export const postMidpoints = defineRoute({
  method: 'POST',
  path: '/midpoints',
  summary: 'The middle of the best prices of several tokens',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: TokenList,
  response: Type.Record(Type.String(), Type.String()),
  needs: ['books'],
  handler: ({ body, services }) => {
    const midpoints = new Map<string, string>();
    for (const { tokenId, book } of tokensOf(body, services.books)) {
      const midpoint = book?.midpoint;
      if (midpoint !== undefined) midpoints.set(tokenId, halfTicksText(midpoint));
    }
    return Object.fromEntries(midpoints);
  },
});
