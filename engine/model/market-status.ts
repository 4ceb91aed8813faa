/**
 * The states that a market goes through. The engine keeps them as small integers, so that placing
 * an order checks the exchange's state and the market's in one comparison: both are 0 when open.
 */
import type { TradingState } from './commands.ts';

/** A trading state, or one of the two final states, in which a market never trades again. */
export type MarketStatus = TradingState | 'closed' | 'resolved';

const STATUSES: readonly MarketStatus[] = ['open', 'cancel_only', 'halted', 'closed', 'resolved'];

export const OPEN = 0;
export const HALTED = 2;
export const CLOSED = 3;
export const RESOLVED = 4;

export function statusName(status: number): MarketStatus {
  return STATUSES[status]!;
}

/** The number of a trading state; -1 for any other text. */
export function stateNumber(state: TradingState): number {
  return STATUSES.slice(0, CLOSED).indexOf(state);
}
