/**
 * Reads what an outline says of a `Core`: of books their levels alone, however much rests there.
 */

import { NONE } from '../book/index.ts';
import type { LevelSummary, Lots, MarketSummary, StateSummary, Ticks } from '../model/index.ts';
import { statusName } from '../model/index.ts';
import type { Core, Market } from '../state/index.ts';
import { exchangeState } from '../state/index.ts';
import { viewBuilders, viewStandings } from './snapshot-view.ts';

export function viewOutline(core: Core): StateSummary {
  return {
    tradingState: exchangeState(core),
    markets: readAgain(() => outlineMarkets(core)),
    events: readAgain(() => outlineEvents(core)),
    accounts: core.ledger.accounts,
    apiKeys: core.apiKeys.all,
    standings: readAgain(() => viewStandings(core)),
    builders: readAgain(() => viewBuilders(core)),
  };
}

/** A generator can be read once; this makes a new one each time. */
function readAgain<Value>(make: () => Iterator<Value>): Iterable<Value> {
  return {
    [Symbol.iterator]: make,
  };
}

function* outlineMarkets({ markets }: Core): Generator<MarketSummary> {
  for (const market of markets) {
    yield {
      ...market.terms,
      status: statusName(market.status),
      // Safe: only a payout in bounds is set.
      payoutTicks: market.payoutTicks === NONE ? null : (market.payoutTicks as Ticks),
      bids: levelsOf(market, true),
      asks: levelsOf(market, false),
    };
  }
}

function levelsOf({ book }: Market, isBid: boolean): LevelSummary[] {
  const levels: LevelSummary[] = [];
  let level = isBid ? book.bestBid : book.bestAsk;
  for (; level !== NONE; level = book.worse(level, isBid)) {
    levels.push([book.priceOf(level), book.lotsAt(level) as Lots]); // a sum of whole lots
  }
  return levels;
}

function* outlineEvents({ negRiskEvents }: Core): Generator<OutlinedEvent> {
  for (const { eventId, markets } of negRiskEvents.values()) {
    yield { eventId, conditionIds: markets.map(({ terms }) => terms.conditionId) };
  }
}

type OutlinedEvent = StateSummary['events'] extends Iterable<infer Event> ? Event : never;
