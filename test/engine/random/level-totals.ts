/** The lots at each price of one side of a book, in YES ticks. */
import type { RestingOrder } from '../../../engine/index.ts';

export function levelTotals(orders: readonly RestingOrder[]): Map<number, number> {
  const levels = new Map<number, number>();
  for (const { outcome, priceTicks, remainingLots } of orders) {
    const price = outcome === 0 ? priceTicks : 10_000 - priceTicks;
    levels.set(price, (levels.get(price) ?? 0) + remainingLots);
  }
  return levels;
}
