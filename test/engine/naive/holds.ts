/** The funds that live orders hold, computed from the orders on each call. */
import { heldFees, requiredFees } from './fees.ts';
import type { NaiveOrder, NaiveState } from './state.ts';
import { accountAt, liveOrdersOf, remainingLots } from './state.ts';

/** The cash that these orders of one account hold. */
export function heldMicros(orders: readonly NaiveOrder[]): number {
  return orders
    .filter((order) => order.side === 'BUY')
    .reduce((sum, order) => sum + heldFor(order), 0);
}

/**
 * What a BUY holds: while delayed, what it required on arrival; on the book, what its unfilled lots
 * cost at their limit, with fees.
 */
function heldFor(order: NaiveOrder): number {
  if (order.phase === 'matching') return 0;
  const fees = order.phase === 'waiting' ? requiredFees(order) : heldFees(order);
  return order.budgetMicros + remainingLots(order) * order.priceTicks + fees;
}

/** The lots of one token that these orders of one account hold. */
export function heldLots(orders: readonly NaiveOrder[], tokenId: string): number {
  return orders
    .filter((order) => order.side === 'SELL' && order.tokenId === tokenId)
    .filter((order) => order.phase !== 'matching')
    .reduce((total, order) => total + remainingLots(order), 0);
}

export function freeMicros(state: NaiveState, account: string): number {
  const cash = accountAt(state, account)?.cashMicros ?? 0;
  return cash - heldMicros(liveOrdersOf(state, account));
}
