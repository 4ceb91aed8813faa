/**
 * The state without single orders and balances: what exists, on which terms, and how much rests at
 * each price. Book views and other readers start from it.
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
export interface StateSummary {
  /** The trading state of the whole exchange. */
  readonly tradingState: TradingState;
  readonly markets: Iterable<MarketSummary>;
  /** Neg-risk events, in order of opening. */
  readonly events: Iterable<Pick<EventState, 'eventId' | 'conditionIds'>>;
  readonly accounts: Iterable<Pick<AccountState, 'address' | 'owner' | 'wallet'>>;
  /** Including revoked keys. */
  readonly apiKeys: Iterable<ApiKeyState>;
  /** In order of the last change. */
  readonly standings: Iterable<StandingState>;
  /** In order of the first setting. */
  readonly builders: Iterable<BuilderState>;
}
