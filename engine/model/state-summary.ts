/**
 * The state without single orders and balances: what exists, on which terms, and how much rests at
 * each price. Book views and other readers start from it.
 */

import type { AccountState, EventState, MarketState, StateView } from './state-view.ts';
import type { Lots, Ticks } from './units.ts';

/** A price level in YES ticks, and the total size that rests there. */
export type LevelSummary = readonly [priceTicks: Ticks, lots: Lots];

export interface MarketSummary
  extends Omit<MarketState, 'original' | 'setsLots' | 'owedMicros' | 'bids' | 'asks'> {
  /** Best price first. */
  readonly bids: readonly LevelSummary[];
  readonly asks: readonly LevelSummary[];
}

/**
 * Lists are in order of creation unless their comment says otherwise. Each list can be read several
 * times, until the next command.
 */
export interface StateSummary
  extends Pick<StateView, 'tradingState' | 'apiKeys' | 'standings' | 'builders'> {
  readonly markets: Iterable<MarketSummary>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<Pick<EventState, 'eventId' | 'conditionIds'>>;
  readonly accounts: Iterable<Pick<AccountState, 'address' | 'owner' | 'wallet'>>;
}
