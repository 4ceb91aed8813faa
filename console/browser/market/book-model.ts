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
  /** Levels of so many ticks are one row, at the price that takes all of them. */
  readonly groupTicks: number;
}

/** The rows of one side of an outcome, the best first. */
export function bookRows(book: MarketBook, own: OwnLots, part: Part): readonly BookRow[] {
  const { outcome, side, limit, groupTicks } = part;
  // A bid for NO is an ask for YES.
  const sums = (outcome === 0) === (side === 'bid') ? own.bid : own.ask;
  const round = side === 'bid' ? Math.floor : Math.ceil;
  const rows: BookRow[] = [];
  let totalLots = 0;
  // A group has at least one level, but how many is not known before.
  for (const level of book.levels(outcome, side, groupTicks === 1 ? limit : undefined)) {
    const group = round(level.priceTicks / groupTicks) * groupTicks;
    // No order has a price of 0 or 1.
    const priceTicks = group % ONE_TICKS === 0 ? level.priceTicks : group;
    const last = rows.at(-1);
    const isSame = last?.priceTicks === priceTicks;
    if (!isSame && rows.length === limit) break;
    if (isSame) rows.pop();
    totalLots += level.lots;
    const yesTicks = outcome === 0 ? level.priceTicks : ONE_TICKS - level.priceTicks;
    rows.push({
      priceTicks,
      lots: level.lots + (isSame ? last.lots : 0),
      totalLots,
      ownLots: (sums.get(yesTicks) ?? 0) + (isSame ? last.ownLots : 0),
    });
  }
  return rows;
}
