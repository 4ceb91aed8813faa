/**
 * What is seen of a state from outside without looking at single orders and balances: what exists,
 * under which terms, and how much rests at each price. It is what views begin from.
 */

import type { TradingState } from './commands.ts';
import type {
  AccountState,
  ApiKeyState,
  BuilderState,
  EventState,
  MarketState,
  StandingState,
} from './state-view.ts';
import type { Lots, Ticks } from './units.ts';

/** A price level in YES ticks, and all that rests there. */
export type LevelSummary = readonly [priceTicks: Ticks, lots: Lots];

export interface MarketSummary
  extends Omit<MarketState, 'original' | 'setsLots' | 'owedMicros' | 'bids' | 'asks'> {
  /** Best price first. */
  readonly bids: readonly LevelSummary[];
  readonly asks: readonly LevelSummary[];
}

/**
 * Lists are in order of creation unless they say otherwise. Each can be read again, by whoever
 * wants it, until the next command.
 */
export interface StateSummary {
  /** Of the exchange. */
  readonly tradingState: TradingState;
  readonly markets: Iterable<MarketSummary>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<Pick<EventState, 'eventId' | 'conditionIds'>>;
  readonly accounts: Iterable<Pick<AccountState, 'address' | 'owner' | 'wallet'>>;
  /** With those revoked. */
  readonly apiKeys: Iterable<ApiKeyState>;
  /** In order of the last change. */
  readonly standings: Iterable<StandingState>;
  /** In order of being set first. */
  readonly builders: Iterable<BuilderState>;
}
