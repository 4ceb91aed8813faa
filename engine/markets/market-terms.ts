/**
 * The defaults and limits of a market's terms, for creating, changing and loading markets.
 */

import {
  DECIMAL,
  HASH,
  isWhole,
  type RejectDetails,
  SELF_TRADE_MODES,
  type TradingTerms,
} from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { MarketTerms } from '../state/market.ts';

/** The price steps that a market can have, in ticks. Each divides 10,000. */
const MARKET_TICKS: readonly number[] = [1_000, 100, 50, 25, 10, 1];
const MAX_EVENT_ID_LENGTH = 128;

/** The terms that a creation may leave out. */
export const DEFAULT_TERMS = {
  takerFeeBps: 0,
  makerFeeBps: 0,
  feeExponent: 0,
  delaySeconds: 0,
  takerDelayMs: 0,
  finerTickTicks: 0,
} as const;

/** The maximum of each term that is a number from 0. */
const MAXIMUMS = [
  ['takerFeeBps', 5_000],
  ['makerFeeBps', 5_000],
  ['feeExponent', 2],
  ['delaySeconds', 60],
  ['takerDelayMs', 60_000],
] as const;

/** The first term outside its limits; undefined if all are within. */
export function malformedTerm(
  { bounds }: EngineState,
  terms: MarketTerms,
): RejectDetails | undefined {
  const { conditionId, tokenIds, tickTicks, minimumLots, minimumBudgetMicros } = terms;
  const [yes, no] = tokenIds;
  if (!HASH.test(conditionId)) return { field: 'conditionId', actual: conditionId };
  if (!DECIMAL.test(yes) || !DECIMAL.test(no) || yes === no) {
    return { field: 'tokenIds', actual: tokenIds.join(',') };
  }
  if (!MARKET_TICKS.includes(tickTicks)) return { field: 'tickTicks', actual: tickTicks };
  if (!isWhole(minimumLots, 1, bounds.orderLots)) {
    return { field: 'minimumLots', actual: minimumLots };
  }
  if (!isWhole(minimumBudgetMicros, 1, bounds.amountMicros)) {
    return { field: 'minimumBudgetMicros', actual: minimumBudgetMicros };
  }
  if (terms.eventId.length > MAX_EVENT_ID_LENGTH) {
    return { field: 'eventId', actual: terms.eventId.length };
  }
  if (!SELF_TRADE_MODES.includes(terms.selfTrade)) {
    return { field: 'selfTrade', actual: terms.selfTrade };
  }
  return malformedNumber(terms);
}

function malformedNumber(terms: TradingTerms): RejectDetails | undefined {
  for (const [field, maximum] of MAXIMUMS) {
    const actual = terms[field];
    if (!isWhole(actual, 0, maximum)) return { field, limit: `0..${maximum}`, actual };
  }
  const { finerTickTicks: actual, tickTicks: limit } = terms;
  const isFiner = MARKET_TICKS.includes(actual) && actual < limit && limit % actual === 0;
  return actual === 0 || isFiner ? undefined : { field: 'finerTickTicks', limit, actual };
}
