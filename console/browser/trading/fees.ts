/**
 * The fees of an order without a builder, by the formula of the exchange (wire 9.9): size x rate x
 * (p(1-p))^exponent, summed over the fills and rounded half-up to 0.00001; below that it is 0.
 */
import { ONE_TICKS } from '../streams/index.ts';

export interface FeeTerms {
  readonly takerBps: number;
  readonly makerBps: number;
  readonly exponent: number;
}

interface PricedLots {
  readonly priceTicks: number;
  readonly lots: number;
}

const STEP_MICROS = 10n;

/** In micros. */
export function feeMicros(rateBps: number, exponent: number, fills: readonly PricedLots[]): number {
  if (rateBps === 0) return 0;
  const power = BigInt(exponent);
  const sum = fills.reduce((total, { priceTicks, lots }) => {
    const spread = BigInt(priceTicks * (ONE_TICKS - priceTicks)) ** power;
    return total + BigInt(lots) * BigInt(rateBps) * spread;
  }, 0n);
  const step = STEP_MICROS * BigInt(ONE_TICKS) ** (2n * power);
  return sum < step ? 0 : Number(((2n * sum + step) / (2n * step)) * STEP_MICROS);
}

/** What a BUY must have for fees beside its cost: those at its limit. */
export function highestFee({ takerBps, makerBps, exponent }: FeeTerms, order: PricedLots): number {
  return feeMicros(Math.max(takerBps, makerBps), exponent, [order]);
}
