/**
 * Formats JSON numbers from whole numbers, without floating point in between, so that none shows
 * noise such as 0.30000000000000004. Sizes, cash and prices are exact, in their shortest form. Only
 * quotients (an average price, a percentage) are rounded, to QUOTIENT_DECIMALS, half away from
 * zero. No exponent, no trailing zero, no minus before a zero. Bound: whole numbers up to 2^53 - 1,
 * and BigInts; quotients are computed as BigInt.
 */
import { strict as assert } from 'node:assert';
import { ONE_TICKS } from '../../../engine/model/index.ts';
import type { WideSum } from '../../shared/index.ts';

/** The number of decimals that an amount of cash has. */
const QUOTIENT_DECIMALS = 6;
const LOT_DECIMALS = 2;
const MICRO_DECIMALS = 6;
const HALF_TICK_DECIMALS = 5;
const HALF_MICRO_DECIMALS = 7;

/** `value` / 10^`decimals`. */
function decimalText(value: WideSum, decimals: number): string {
  assert(typeof value === 'bigint' || Number.isSafeInteger(value), 'amounts are whole numbers');
  const isNegative = value < 0;
  const digits = `${isNegative ? -value : value}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return isNegative ? `-${text}` : text;
}

/** A size in tokens: 1,250 lots are 12.5. */
export function lotsJson(lots: WideSum): string {
  return decimalText(lots, LOT_DECIMALS);
}

/** Cash: -60,000,000 micros are -60. */
export function microsJson(micros: WideSum): string {
  return decimalText(micros, MICRO_DECIMALS);
}

/** A price or midpoint of 0 to 20,000 half ticks: 10,100 are 0.505. */
export function halfTicksJson(halfTicks: number): string {
  return decimalText(halfTicks * 5, HALF_TICK_DECIMALS);
}

/** Cash at a midpoint: lots times half ticks are half micros. */
export function halfMicrosText(halfMicros: bigint): string {
  return decimalText(halfMicros * 5n, HALF_MICRO_DECIMALS);
}

/** `numerator / denominator`; 0 when the denominator is 0. */
export function quotientText(numerator: bigint, denominator: bigint): string {
  assert(denominator >= 0n, 'a denominator is never negative');
  if (denominator === 0n) return '0';
  const scaled = numerator * 10n ** BigInt(QUOTIENT_DECIMALS) * 2n;
  const isNegative = scaled < 0n;
  // Adding the denominator to twice the numerator rounds half away from zero on both sides.
  const rounded = ((isNegative ? -scaled : scaled) + denominator) / (denominator * 2n);
  return decimalText(isNegative ? -rounded : rounded, QUOTIENT_DECIMALS);
}

/** 40,000,000 micros for 10,000 lots are 0.4. */
export function averagePriceText(micros: WideSum, lots: WideSum): string {
  return quotientText(BigInt(micros), BigInt(lots) * BigInt(ONE_TICKS));
}

/** 100 x `part / whole`, both in the same unit. */
export function percentText(part: WideSum, whole: WideSum): string {
  return quotientText(BigInt(part) * 100n, BigInt(whole));
}

/** The members of an object as JSON, without its braces. */
export function membersOf(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
