/**
 * The formulas of fees (wire 9.9), in BigInt because the numerators exceed 2^53. An order's fee is
 * computed from the sum over all its fills and rounded once, not fill by fill; the parts for a
 * builder are rounded separately. Invariant: more lots or more cash never make a fee smaller.
 */
import type { FeeSchedule, PlaceOrder, SetBuilder } from '../model/index.ts';
import {
  affordableLots,
  cashFor,
  type Lots,
  type Micros,
  ONE_TICKS,
  type Ticks,
} from '../model/index.ts';

/** The rates at which an order was accepted: its market's and its builder's. */
export interface FeeRates
  extends FeeSchedule,
    Pick<SetBuilder, 'shareBps' | 'takerRateBps' | 'makerRateBps'> {}

/** The fees of an order's fills before rounding, as numerators. */
export interface FeeSums {
  /** By the market's rate, in micros x 10,000^(2 x exponent). */
  readonly base: bigint;
  /** By the builder's rates on cash, in micros x 10,000. */
  readonly flat: bigint;
}

/** The fees that an order owes for its fills so far. */
export interface FeesDue {
  readonly totalMicros: number;
  /** The builder's part of the total. */
  readonly builderMicros: number;
}

/** 100% in basis points, which is also the denominator of rates. */
const ALL_BPS = 10_000n;
/** 0.00001 of collateral: fees are multiples of it, apart from a builder's share. */
const STEP_MICROS = 10n;

/** The base of one lot: rate x (p(1-p))^exponent. */
function lotBase(feeBps: number, exponent: number, price: Ticks): bigint {
  // Below 2^53: p(1-p) is at most 25,000,000.
  const spread = (price * (ONE_TICKS - price)) ** exponent;
  return BigInt(feeBps) * BigInt(spread);
}

/** What a fill adds to the sums of its order. */
export function fillSums(rates: FeeRates, isTaker: boolean, lots: Lots, price: Ticks): FeeSums {
  const feeBps = isTaker ? rates.takerFeeBps : rates.makerFeeBps;
  const rateBps = isTaker ? rates.takerRateBps : rates.makerRateBps;
  return {
    base: feeBps === 0 ? 0n : BigInt(lots) * lotBase(feeBps, rates.feeExponent, price),
    flat: rateBps === 0 ? 0n : BigInt(cashFor(lots, price)) * BigInt(rateBps),
  };
}

export function addSums(one: FeeSums, other: FeeSums): FeeSums {
  return { base: one.base + other.base, flat: one.flat + other.flat };
}

/**
 * The fees for all fills of an order. The market's fee is rounded half-up to 5 decimals; below
 * 0.00001 it is 0. A builder's share raises it, rounded up to 5 decimals. The builder's flat rate
 * is added, rounded half-up in the same way.
 */
export function feesDue(rates: FeeRates, sums: FeeSums): FeesDue {
  const base = roundHalfUp(sums.base, denominatorOf(rates));
  // Most orders have no builder.
  if (rates.shareBps === 0 && sums.flat === 0n) {
    return { totalMicros: Number(base), builderMicros: 0 };
  }
  const share = BigInt(rates.shareBps);
  const raised = roundUp(base * ALL_BPS, ALL_BPS - share);
  const flat = roundHalfUp(sums.flat, ALL_BPS);
  const ofShare = (raised * share) / ALL_BPS;
  return { totalMicros: Number(raised + flat), builderMicros: Number(ofShare + flat) };
}

/**
 * The fees of a budget that is spent completely at its limit price, without intermediate rounding:
 * the amount that the published client reserves beside the budget that it sends.
 */
export function budgetFees(rates: FeeRates, budget: Micros, limit: Ticks): Micros {
  const { base, flat } = fillSums(rates, true, affordableLots(budget, limit), limit);
  const divisor = denominatorOf(rates) * (ALL_BPS - BigInt(rates.shareBps));
  const sum = base * ALL_BPS * ALL_BPS + flat * divisor;
  return Number(sum / (divisor * ALL_BPS)) as Micros; // whole micros
}

/**
 * The highest fees for buying lots up to a limit price: those at the limit itself. For all
 * permitted rates, the sum of price and fee is highest there. A post-only order pays the maker's
 * rates.
 */
export function maximumFees(rates: FeeRates, order: LimitBuy): Micros {
  const { takerFeeBps, makerFeeBps, takerRateBps, makerRateBps } = rates;
  const highest = {
    ...rates,
    makerFeeBps: Math.max(takerFeeBps, makerFeeBps),
    makerRateBps: Math.max(takerRateBps, makerRateBps),
  };
  const sums = fillSums(order.postOnly ? rates : highest, false, order.lots, order.priceTicks);
  return feesDue(rates, sums).totalMicros as Micros; // whole micros
}

/**
 * More than any permitted rates charge a taker for another fill of this cash: 50% of its tokens,
 * doubled by a share of 50%, and 10% of the cash, with what rounding can add.
 */
export function mostFees(lots: Lots, cash: Micros): number {
  return lots * ONE_TICKS + cash / 10 + 100;
}

type LimitBuy = Pick<PlaceOrder, 'lots' | 'priceTicks' | 'postOnly'>;

/** The denominator of a base, by exponent. */
const DENOMINATORS = [0n, 1n, 2n].map((exponent) => BigInt(ONE_TICKS) ** (2n * exponent));

function denominatorOf({ feeExponent }: FeeRates): bigint {
  return DENOMINATORS[feeExponent]!;
}

/** Rounds a fraction of micros half-up to STEP_MICROS; less than one step is 0. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  const step = STEP_MICROS * denominator;
  if (numerator < step) return 0n;
  return ((2n * numerator + step) / (2n * step)) * STEP_MICROS;
}

function roundUp(numerator: bigint, denominator: bigint): bigint {
  const step = STEP_MICROS * denominator;
  return ((numerator + step - 1n) / step) * STEP_MICROS;
}
