/** The fees of an order without a builder, by the formulas of the engine. */
import {
  addSums,
  type FeeRates,
  feesDue,
  fillSums,
  maximumFees,
} from '../../../engine/fees/formulas.ts';
import { lots, ticks } from '../../../engine/model/index.ts';
import type { Market } from '../wire/index.ts';

interface PricedLots {
  readonly priceTicks: number;
  readonly lots: number;
}

/** What a market charges orders without a builder. */
export function feesOf({
  taker_base_fee: takerFeeBps,
  maker_base_fee: makerFeeBps,
  feeSchedule,
}: Market): FeeRates {
  // Safe: the exchange has no other exponents.
  const feeExponent = (feeSchedule?.exponent ?? 0) as FeeRates['feeExponent'];
  const rates = { takerFeeBps, makerFeeBps, feeExponent };
  return { ...rates, shareBps: 0, takerRateBps: 0, makerRateBps: 0 };
}

/** What a taker owes for fills, in micros. */
export function takerFee(rates: FeeRates, fills: readonly PricedLots[]): number {
  const sums = fills.map((fill) => fillSums(rates, true, lots(fill.lots), ticks(fill.priceTicks)));
  return feesDue(rates, sums.reduce(addSums, { base: 0n, flat: 0n })).totalMicros;
}

/** What a BUY must have for fees beside its cost: those at its limit. */
export function highestFee(rates: FeeRates, order: PricedLots): number {
  const limit = { lots: lots(order.lots), priceTicks: ticks(order.priceTicks), postOnly: false };
  return maximumFees(rates, limit);
}
