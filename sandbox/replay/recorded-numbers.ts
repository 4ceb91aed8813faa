/** Prices and sizes of a recording: decimals as text or as numbers, read exactly. */
import { BOUNDS, type Lots, lots, ONE_TICKS, type Ticks, ticks } from '../../engine/model/index.ts';
import { lotsText } from '../../http/codec/index.ts';
import type { FaultReason } from './faults.ts';

const DECIMAL = /^([0-9]{0,15})(?:\.([0-9]{0,30}))?$/;
const PRICE_DECIMALS = 4;
const SIZE_DECIMALS = 2;

/** What is wrong with a number, in words. */
export interface NumberFault {
  readonly reason: FaultReason;
  readonly sentence: string;
}

interface Scaled {
  readonly value: number;
  /** Whether decimals beyond the scale were left out. */
  readonly isRounded: boolean;
}

/** A decimal times ten to the power of `decimals`, rounded down. Public feeds also write ".48". */
function scaled(text: unknown, decimals: number): Scaled | undefined {
  const [, whole = '', fraction = ''] = DECIMAL.exec(String(text)) ?? [];
  if (whole === '' && fraction === '') return undefined;
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  return { value: Number(whole + kept), isRounded: /[1-9]/.test(fraction.slice(decimals)) };
}

/** A price of a level, from 0.0001 to 0.9999. */
export function priceIn(text: unknown): Ticks | NumberFault {
  const price = scaled(text, PRICE_DECIMALS);
  if (price === undefined) {
    const sentence = `the price ${JSON.stringify(text)} is not a plain decimal`;
    return { reason: 'message_malformed', sentence };
  }
  if (price.isRounded) {
    const sentence = `the price ${text} is not a multiple of 0.0001`;
    return { reason: 'price_off_tick', sentence };
  }
  if (price.value > 0 && price.value < ONE_TICKS) return ticks(price.value);
  const sentence = `the price ${text} is not between 0 and 1`;
  return { reason: 'price_out_of_bounds', sentence };
}

export interface SizeRead {
  readonly lots: Lots;
  /** Whether the recorded size has more than two decimals, so that this one is smaller. */
  readonly isRounded: boolean;
}

/**
 * A size, rounded down to 0.01 token: public venues show up to six decimals, and here an order is a
 * whole number of lots.
 */
export function sizeIn(text: unknown): SizeRead | NumberFault {
  const size = scaled(text, SIZE_DECIMALS);
  if (size === undefined) {
    const sentence = `the size ${JSON.stringify(text)} is not a plain decimal`;
    return { reason: 'message_malformed', sentence };
  }
  if (size.value <= BOUNDS.orderLots) {
    return { lots: lots(size.value), isRounded: size.isRounded };
  }
  const limit = lotsText(lots(BOUNDS.orderLots));
  const sentence = `the size ${text} is above ${limit}, the largest order`;
  return { reason: 'size_out_of_bounds', sentence };
}
