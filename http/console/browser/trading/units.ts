/** Ticks, lots and micros as a ticket writes them. 1 lot x 1 tick = 1 micro. */
import { DECIMALS, decimalText, grouped } from '../decimal/index.ts';
import { ONE_TICKS } from '../streams/index.ts';

export const TRADING_BOUNDS = {
  /** Hundredths of a token, or of collateral: with a price they stay below 2^53. */
  hundredths: 100_000_000_000,
} as const;

/** What a lot pays if its outcome wins. */
export const MICROS_PER_LOT = ONE_TICKS;
const CENT_DECIMALS = 2;

/** 5,350 is "53.5¢". */
export function centsText(ticks: number): string {
  return `${decimalText(Math.round(ticks), CENT_DECIMALS)}¢`;
}

/** 1,250 is "12.5". */
export function tokensText(lots: number): string {
  return grouped(decimalText(lots, DECIMALS.lots));
}

/** 12,340,000 is "$12.34"; a part of a cent is shown. */
export function moneyText(micros: number): string {
  const text = grouped(decimalText(Math.abs(Math.round(micros)), DECIMALS.micros, 2));
  return micros < 0 ? `−$${text}` : `$${text}`;
}

/** Whether a price can be that of an order. */
export function isOnGrid(ticks: number, tickTicks: number): boolean {
  return ticks >= tickTicks && ticks <= ONE_TICKS - tickTicks && ticks % tickTicks === 0;
}
