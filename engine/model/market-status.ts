/**
 * How far a market is in its life. Statuses are small integers, so that placing an order asks for
 * the exchange's and the market's with one comparison: 0 is open.
 */
import type { TradingState } from './commands.ts';

/** A trading state, or one of the two that a market never leaves for trading again. */
export type MarketStatus = TradingState | 'closed' | 'resolved';

const STATUSES: readonly MarketStatus[] = ['open', 'cancel_only', 'halted', 'closed', 'resolved'];

export const OPEN = 0;
export const HALTED = 2;
export const CLOSED = 3;
export const RESOLVED = 4;

export function statusName(status: number): MarketStatus {
  return STATUSES[status]!;
}

/** The number of a trading state; -1 for what is none. */
export function stateNumber(state: TradingState): number {
  return STATUSES.slice(0, CLOSED).indexOf(state);
}
