/**
 * Best prices as GET /price and POST /prices name them (wire 1.5, 11.3).
 *
 * Invariant: a side means the same on both routes.
 */
import { Type } from 'typebox';
import { ONE_TICKS, type Side, type Ticks } from '../../../engine/model/index.ts';
import type { PriceSideMeaning } from '../../settings/index.ts';
import type { TokenBook } from '../../views/index.ts';

export const PriceSide = Type.String({
  description:
    'BUY: what a buyer pays, the best ask; SELL: what a seller gets, the best bid; in any case',
});

/** The side that a text names, in any case; undefined for one that names none. */
export function sideNamed(text: string): Side | undefined {
  const name = text.toUpperCase();
  return name === 'BUY' || name === 'SELL' ? name : undefined;
}

/** What a text must be that names a side, for an error. */
export const SIDE_NAMES = 'BUY, SELL';

/** The best price of a side; 0 for a missing bid and 10,000 ticks for a missing ask. */
export function bestOf(book: TokenBook, side: Side, meaning: PriceSideMeaning): Ticks {
  return (side === 'BUY') === (meaning === 'kuest') ? book.askTicks : book.bidTicks;
}

/** Whether a best price is one that somebody offers. */
export function isOffered(price: Ticks): boolean {
  return price > 0 && price < ONE_TICKS;
}
