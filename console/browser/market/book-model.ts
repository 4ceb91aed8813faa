/** The rows of an order book: levels with their sums and the own orders among them. */
import { lotsOf, ONE_TICKS, ticksOf } from '../decimal/index.ts';
import type { BookLevel, BookSide, MarketBook, Outcome } from '../streams/market-book.ts';
import type { OwnOrder } from '../streams/messages.ts';

export interface BookRow extends BookLevel {
  /** Of this level and all better ones. */
  readonly totalLots: number;
  readonly ownLots: number;
}

/** Lots of own orders by price of YES, on each side of the book of YES. */
export interface OwnLots {
  readonly bid: ReadonlyMap<number, number>;
  readonly ask: ReadonlyMap<number, number>;
}

/** What own orders of a market have on the book. */
export function ownLots(orders: Iterable<OwnOrder>, tokenIds: readonly [string, string]): OwnLots {
  const own = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  for (const { asset_id, side, price, original_size, size_matched, status } of orders) {
    const outcome = tokenIds.indexOf(asset_id);
    if (outcome < 0 || status !== 'LIVE') continue;
    const isYes = outcome === 0;
    const ticks = isYes ? ticksOf(price) : ONE_TICKS - ticksOf(price);
    const sums = isYes === (side === 'BUY') ? own.bid : own.ask;
    const lots = lotsOf(original_size) - lotsOf(size_matched);
    sums.set(ticks, (sums.get(ticks) ?? 0) + lots);
  }
  return own;
}

interface Part {
  readonly outcome: Outcome;
  readonly side: BookSide;
  /** The most rows. */
  readonly limit: number;
}

/** The rows of one side of an outcome, the best first. */
export function bookRows(book: MarketBook, own: OwnLots, part: Part): readonly BookRow[] {
  const { outcome, side, limit } = part;
  // A bid for NO is an ask for YES.
  const sums = (outcome === 0) === (side === 'bid') ? own.bid : own.ask;
  let totalLots = 0;
  return book.levels(outcome, side, limit).map(({ priceTicks, lots }) => {
    totalLots += lots;
    const yesTicks = outcome === 0 ? priceTicks : ONE_TICKS - priceTicks;
    return { priceTicks, lots, totalLots, ownLots: sums.get(yesTicks) ?? 0 };
  });
}
