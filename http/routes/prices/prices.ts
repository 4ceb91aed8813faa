/**
 * Best prices (wire 1.5).
 *
 * Invariant: a side has the same meaning in GET /price and POST /prices.
 */
import { Type } from 'typebox';
import { ONE_TICKS, type Side, type Ticks } from '../../../engine/model/index.ts';
import { RawReply } from '../../api/index.ts';
import { type Dialect, halfTicksText, ticksText } from '../../codec/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { LastTradePrice, LastTradesPrices, lastTradeOf } from '../../format/index.ts';
import { Text, TokenId } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { findBook, type TokenBook } from '../../views/index.ts';
import { bookRoute, textsRoute } from './book-routes.ts';
import { SIDE_NAMES, sideNamed, TokenList, tokensOf } from './token-list.ts';

/** GET /last-trade-price: 0.5 without a side for a token that was never traded (wire 1.5). */
export const getLastTradePrice = bookRoute({
  path: '/last-trade-price',
  summary: "The price and the taker's side of a token's last trade",
  response: LastTradePrice,
  answerOf: lastTradeOf,
});

/**
 * The last trades of several tokens, in the order of the request. Tokens that were never traded are
 * left out, as at the public venue, whose SDK takes no row without a side; unknown ones too.
 */
function lastTradesBy(method: 'GET' | 'POST') {
  return defineRoute({
    method,
    path: '/last-trades-prices',
    summary: "The price and the taker's side of the last trades of several tokens",
    auth: 'none',
    body: TokenList,
    response: LastTradesPrices,
    needs: ['books'],
    handler: ({ body, services }) =>
      tokensOf(body, services.books).flatMap(({ tokenId, book }) => {
        if (book === undefined) return [];
        const { price, side } = lastTradeOf(book);
        return side === '' ? [] : { token_id: tokenId, price, side };
      }),
  });
}

export const postLastTradesPrices = lastTradesBy('POST');

/** The Rust clients send the JSON body with a GET (wire 0.9). */
export const getLastTradesPrices = lastTradesBy('GET');

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

const PriceSide = Text(
  'BUY or SELL, in any case. In the dialect polymarket BUY is the best bid and SELL the best ' +
    'ask; in the dialect kuest it is the other way round',
);

/** The best price of a side: 0 for a missing bid and 10,000 ticks for a missing ask. */
function bestOf(book: TokenBook, side: Side, dialect: Dialect): Ticks {
  return (side === 'BUY') === (dialect === 'kuest') ? book.askTicks : book.bidTicks;
}

/** GET /price: the best price of one side; "0" for a missing bid, "1" for a missing ask. */
export const getPrice = defineRoute({
  method: 'GET',
  path: '/price',
  summary: "The best price of a token's side",
  auth: 'none',
  query: Type.Object({ token_id: TokenId, side: PriceSide }),
  response: Type.Object({ price: Type.String() }),
  needs: ['books'],
  byDialect: true,
  handler: ({ query, request, services }) => {
    const side = sideNamed(query.side);
    if (side === undefined) {
      const details = { field: 'side', limit: SIDE_NAMES, actual: echo(query.side) };
      throw new ApiError('invalid_parameter', details);
    }
    const book = findBook(services.books, query.token_id);
    const price = bestOf(book, side, request.dialect);
    return new RawReply(200, `{"price":"${ticksText(price)}"}`);
  },
});

const BestPrices = Type.Object({
  BUY: Type.Optional(Type.String()),
  SELL: Type.Optional(Type.String()),
});
const BOTH_SIDES = ['BUY', 'SELL'] as const;

/**
 * POST /prices: best prices by token id as the client wrote it. An item without a side gets both
 * sides. Unknown tokens and empty sides are left out (wire 1.5).
 */
export const postPrices = defineRoute({
  method: 'POST',
  path: '/prices',
  summary: 'The best prices of several tokens',
  auth: 'none',
  body: TokenList,
  response: Type.Record(Type.String(), BestPrices),
  needs: ['books'],
  byDialect: true,
  handler: ({ body, request, services }) => {
    const prices = new Map<string, Partial<Record<Side, string>>>();
    for (const { tokenId, side, book } of tokensOf(body, services.books)) {
      if (book === undefined) continue;
      // A token may be listed twice, once for each side.
      const known = prices.get(tokenId) ?? {};
      prices.set(tokenId, known);
      for (const wanted of side === undefined ? BOTH_SIDES : [side]) {
        const price = bestOf(book, wanted, request.dialect);
        if (price > 0 && price < ONE_TICKS) known[wanted] = ticksText(price);
      }
    }
    return Object.fromEntries(prices);
  },
});
