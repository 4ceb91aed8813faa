/**
 * The last trade of a token, as GET /last-trade-price and the lists of /last-trades-prices name it
 * (wire 1.5).
 *
 * Invariant: price and side are in the token's own terms. A taker who bought NO at 0.3 is, for YES,
 * one who sold at 0.7; it is the same trade of the one book.
 */
import { Type } from 'typebox';
import { type Side, type Ticks, ticks } from '../../engine/model/index.ts';
import { ticksText } from '../codec/index.ts';
import type { TokenBook } from '../views/index.ts';

const FIELDS = {
  price: Type.String({ description: '0.5 while there was no trade' }),
  side: Type.Enum(['BUY', 'SELL', ''], {
    description: "The taker's side; empty while there was no trade",
  }),
};

export const LastTradePrice = Type.Object(FIELDS);
export const LastTradesPrices = Type.Array(Type.Object({ token_id: Type.String(), ...FIELDS }));

/** What the live venue says of a token that was never traded, instead of refusing. */
const UNTRADED_TICKS: Ticks = ticks(5_000);

/** The last trade's price and its taker's side; 0.5 and '' while there was none. */
export function lastTradeOf(book: TokenBook): { readonly price: string; readonly side: Side | '' } {
  return {
    price: ticksText(book.lastTradeTicks ?? UNTRADED_TICKS),
    side: book.lastTradeSide ?? '',
  };
}
