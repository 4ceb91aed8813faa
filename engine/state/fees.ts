/**
 * What orders owe in fees (wire 9.9): pure formulas over whole numbers, in BigInt, because their
 * numerators pass 2^53. Everything is reckoned on the sums of an order's whole life and rounded
 * there alone. Invariant: more lots or more cash never make a fee smaller.
 */
import type { FeeSchedule, SetBuilder } from '../model/index.ts';
import {
  affordableLots,
  cashFor,
  type Lots,
  type Micros,
  ONE_TICKS,
  type Ticks,
} from '../model/index.ts';

/** The rates that an order was accepted with: its market's and its builder's. */
export interface FeeRates
  extends FeeSchedule,
    Pick<SetBuilder, 'shareBps' | 'takerRateBps' | 'makerRateBps'> {}

/** Numerators of what an order's fills come to, summed up before anything is rounded. */
export interface FeeSums {
  /** By the market's rate: micros times 10,000^2 to the power of the exponent. */
  readonly base: bigint;
  /** By the builder's rates on cash: micros times 10,000. */
  readonly flat: bigint;
}

/** What sums come to. */
export interface FeesDue {
  readonly totalMicros: number;
  /** Of these, what is the builder's. */
  readonly builderMicros: number;
}

/** A share of all, in basis points; also what rates are over. */
const ALL_BPS = 10_000n;
/** The 5th decimal of collateral: all fees are multiples of it. */
const STEP_MICROS = 10n;

/** What one lot at one price adds to the base, at a rate: lots x rate x (p(1-p))^exponent. */
function lotBase(feeBps: number, exponent: number, price: Ticks): bigint {
  // Below 2^53: p(1-p) is at most 25,000,000.
  const spread = (price * (ONE_TICKS - price)) ** exponent;
  return BigInt(feeBps) * BigInt(spread);
}

/** What a fill of an order adds to its sums. */
export function fillSums(rates: FeeRates, isTaker: boolean, lots: Lots, price: Ticks): FeeSums {
  const feeBps = isTaker ? rates.takerFeeBps : rates.makerFeeBps;
  const rateBps = isTaker ? rates.takerRateBps : rates.makerRateBps;
  return {
    base: feeBps === 0 ? 0n : BigInt(lots) * lotBase(feeBps, rates.feeExponent, price),
    flat: rateBps === 0 ? 0n : BigInt(cashFor(lots, price)) * BigInt(rateBps),
  };
}

export function addSums(one: FeeSums, other: FeeSums): FeeSums {
  return {
    base: one.base + other.base,
    flat: one.flat + other.flat,
  };
}

/**
 * The market's fee, half-up to 5 decimals and nothing below 0.00001, raised by the builder's share
 * to the next 5th decimal; and beside it the builder's flat rate, half-up likewise.
 */
export function feesDue(rates: FeeRates, sums: FeeSums): FeesDue {
  const base = roundHalfUp(sums.base, denominatorOf(rates));
  // Most orders have no builder: then the rest is neither needed nor worth its time.
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
 * The fees of a budget that is all spent at its limit, before any rounding, in whole micros: what
 * the published client leaves free beside the amount that it sends.
 */
export function budgetFees(rates: FeeRates, budget: Micros, limit: Ticks): Micros {
  const { base, flat } = fillSums(rates, true, affordableLots(budget, limit), limit);
  const divisor = denominatorOf(rates) * (ALL_BPS - BigInt(rates.shareBps));
  const sum = base * ALL_BPS * ALL_BPS + flat * divisor;
  return Number(sum / (divisor * ALL_BPS)) as Micros; // whole micros
}

/**
 * The most fees of lots that are bought up to a limit: those at the limit, where price and fee
 * together are the highest for any rates that are allowed. An order that can't be a taker pays the
 * maker's rates.
 */
export function maximumFees(rates: FeeRates, order: Purchase): Micros {
  const { takerFeeBps, makerFeeBps, takerRateBps, makerRateBps } = rates;
  const highest = {
    ...rates,
    makerFeeBps: Math.max(takerFeeBps, makerFeeBps),
    makerRateBps: Math.max(takerRateBps, makerRateBps),
  };
  const most = order.postOnly ? rates : highest;
  const sums = fillSums(most, false, order.lots, order.priceTicks);
  return feesDue(rates, sums).totalMicros as Micros; // whole micros
}

interface Purchase {
  readonly lots: Lots;
  readonly priceTicks: Ticks;
  readonly postOnly: boolean;
}

/** By exponent: what a base is over. */
const DENOMINATORS = [0n, 1n, 2n].map((exponent) => BigInt(ONE_TICKS) ** (2n * exponent));

function denominatorOf({ feeExponent }: FeeRates): bigint {
  return DENOMINATORS[feeExponent]!;
}

/** A fraction of micros to the 5th decimal, half-up; what is less than one of it is nothing. */
function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  const step = STEP_MICROS * denominator;
  if (numerator < step) return 0n;
  return ((2n * numerator + step) / (2n * step)) * STEP_MICROS;
}

function roundUp(numerator: bigint, denominator: bigint): bigint {
  const step = STEP_MICROS * denominator;
  return ((numerator + step - 1n) / step) * STEP_MICROS;
}
