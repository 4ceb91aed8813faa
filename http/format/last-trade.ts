/**
 * The last trade of a token (wire 1.5).
 *
 * Invariant: price and side are the token's own. A trade whose taker bought NO at 0.3 is, for YES,
 * a trade whose taker sold at 0.7.
 */
import { Type } from 'typebox';
import { type Side, type Ticks, ticks } from '../../engine/model/index.ts';
import { ticksText } from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import type { TokenBook } from '../views/index.ts';

const FIELDS = {
  price: Text('0.5 before the first trade'),
  side: Type.Enum(['BUY', 'SELL', ''], {
    description: "The taker's side; empty before the first trade",
  }),
};

export const LastTradePrice = Type.Object(FIELDS);
export const LastTradesPrices = Type.Array(Type.Object({ token_id: Type.String(), ...FIELDS }));

/** The public venue's price of a token that was never traded. */
const UNTRADED_TICKS: Ticks = ticks(5_000);

/** The last trade's price and taker side; 0.5 and '' before the first trade. */
export function lastTradeOf(book: TokenBook): { readonly price: string; readonly side: Side | '' } {
  return {
    price: ticksText(book.lastTradeTicks ?? UNTRADED_TICKS),
    side: book.lastTradeSide ?? '',
  };
}
