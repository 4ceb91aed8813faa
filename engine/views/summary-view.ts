/**
 * Builds a summary of the state. It reads the levels of books and never walks over single orders.
 */

import { NONE } from '../book/index.ts';
import {
  type Lots,
  type MarketSummary,
  type StateSummary,
  statusName,
  type Ticks,
} from '../model/index.ts';
import { exchangeState } from '../state/checks.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Market } from '../state/market.ts';
import { viewBuilders, viewStandings } from './state-view.ts';

export function viewSummary(state: EngineState): StateSummary {
  return {
    tradingState: exchangeState(state),
    markets: rereadable(() => summarizeMarkets(state)),
    events: rereadable(() => summarizeEvents(state)),
    accounts: state.ledger.accounts,
    apiKeys: state.apiKeys.all,
    standings: rereadable(() => viewStandings(state)),
    builders: rereadable(() => viewBuilders(state)),
  };
}

/** A generator can be read only once; this makes a new one for each reading. */
function rereadable<Value>(make: () => Iterator<Value>): Iterable<Value> {
  return { [Symbol.iterator]: make };
}

function* summarizeMarkets({ markets }: EngineState): Generator<MarketSummary> {
  for (const market of markets) {
    yield {
      ...market.terms,
      status: statusName(market.status),
      // Safe: only a payout within its bounds is set.
      payoutTicks: market.payoutTicks === NONE ? null : (market.payoutTicks as Ticks),
      bids: levelsOf(market, true),
      asks: levelsOf(market, false),
    };
  }
}

function levelsOf({ book }: Market, isBid: boolean): MarketSummary['bids'] {
  return Array.from(book.levels(isBid), (level) => {
    return [book.priceOf(level), book.lotsAt(level) as Lots] as const; // a sum of whole lots
  });
}

function* summarizeEvents({ negRiskEvents }: EngineState) {
  for (const { eventId, markets } of negRiskEvents.values()) {
    yield { eventId, conditionIds: markets.map(({ terms }) => terms.conditionId) };
  }
}
