/** What a market asks of an order. */
import type { FeeRates } from '../../../engine/fees/index.ts';
import { lotsOf, ticksOf } from '../decimal/index.ts';
import type { MarketName } from '../streams/index.ts';
import type { Market } from '../wire/index.ts';
import { feesOf } from './fees.ts';

export interface MarketRules extends MarketName {
  /** The names of both outcomes. */
  readonly outcomes: readonly [string, string];
  readonly negRisk: boolean;
  readonly tickTicks: number;
  readonly minimumLots: number;
  readonly fees: FeeRates;
}

function pairOf(text: string | undefined, names: readonly [string, string]): [string, string] {
  const list: unknown = JSON.parse(text ?? '[]');
  const [first = names[0], second = names[1]] = Array.isArray(list) ? list.map(String) : [];
  return [first, second];
}

/** Safe: `String` gives the shortest text of a decimal, which is the exact one. */
export function rulesOf(market: Market): MarketRules {
  return {
    conditionId: market.conditionId,
    tokenIds: pairOf(market.clobTokenIds, ['', '']),
    outcomes: pairOf(market.outcomes, ['Yes', 'No']),
    negRisk: market.neg_risk,
    tickTicks: ticksOf(String(market.minimum_tick_size)),
    minimumLots: lotsOf(String(market.minimum_order_size)),
    fees: feesOf(market),
  };
}
