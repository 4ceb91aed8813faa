import { Type } from 'typebox';
import type { Side } from '../../../engine/index.ts';
import { NO_PARAMETERS } from '../../api/index.ts';
import { ticksText } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { bestOf, isOffered } from './price.ts';
import { TokenList, tokensOf } from './token-list.ts';

const BestPrices = Type.Object({
  BUY: Type.Optional(Type.String()),
  SELL: Type.Optional(Type.String()),
});
const BOTH_SIDES = ['BUY', 'SELL'] as const;

/**
 * POST /prices: best prices by token id as the client wrote it. An item without a side asks for
 * both. Left out are unknown tokens, and sides on which nobody offers anything (wire 1.5).
 */
export const postPrices = defineRoute({
  method: 'POST',
  path: '/prices',
  summary: 'The best prices of several tokens',
  auth: 'none',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: TokenList,
  response: Type.Record(Type.String(), BestPrices),
  needs: ['settings', 'books'],
  handler: ({ body, services }) => {
    const meaning = services.settings.priceSideMeaning;
    const prices = new Map<string, Partial<Record<Side, string>>>();
    for (const { tokenId, side, book } of tokensOf(body, services.books)) {
      if (book === undefined) continue;
      // A token may be listed twice, once for each side.
      const known = prices.get(tokenId) ?? {};
      prices.set(tokenId, known);
      for (const asked of side === undefined ? BOTH_SIDES : [side]) {
        const price = bestOf(book, asked, meaning);
        if (isOffered(price)) known[asked] = ticksText(price);
      }
    }
    return Object.fromEntries(prices);
  },
});
