/** Ticks, lots and micros as a ticket writes them. 1 lot x 1 tick = 1 micro. */
import { MICROS_PER_UNIT } from '../../../engine/model/index.ts';
import { DECIMALS, decimalText, grouped, LOTS_PER_TOKEN, ONE_TICKS } from '../decimal/index.ts';

export const TRADING_BOUNDS = {
  /** Hundredths of a token, or of collateral: with a price they stay below 2^53. */
  hundredths: 100_000_000_000,
} as const;

const CENT_DECIMALS = 2;

/** 5,350 is "53.5¢"; at least `least` decimals are shown. */
export function centsText(ticks: number, least = 0): string {
  return `${decimalText(Math.round(ticks), CENT_DECIMALS, least)}¢`;
}

/** The decimals that all prices of a market with this step need: none for steps of a cent. */
export function centDecimals(tickTicks: number): number {
  return tickTicks % 100 === 0 ? 0 : tickTicks % 10 === 0 ? 1 : CENT_DECIMALS;
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

const MICROS_PER_CENT = 10_000;

/** Cash, or a value: a value may have half a micro, which is rounded. */
export function microsOf(amount: number): number {
  return Math.round(amount * MICROS_PER_UNIT);
}

export function lotsOfTokens(tokens: number): number {
  return Math.round(tokens * LOTS_PER_TOKEN);
}

/** In whole cents; what is less than a cent is written out. */
export function shortMoney(micros: number): string {
  const cents = Math.trunc(micros / MICROS_PER_CENT);
  if (cents === 0) return moneyText(micros);
  const text = grouped(decimalText(Math.abs(cents), CENT_DECIMALS, CENT_DECIMALS));
  return micros < 0 ? `−$${text}` : `$${text}`;
}

/** With its sign: "+$1.20", "−$0.35", "$0.00". */
export function signedMoney(micros: number): string {
  return micros > 0 ? `+${shortMoney(micros)}` : shortMoney(micros);
}

/** "1.5 tokens" */
export function tokenCount(lots: number): string {
  const text = grouped(decimalText(lots, DECIMALS.lots));
  return text === '1' ? '1 token' : `${text} tokens`;
}

/** Whether a price can be that of an order. */
export function isOnGrid(ticks: number, tickTicks: number): boolean {
  return ticks >= tickTicks && ticks <= ONE_TICKS - tickTicks && ticks % tickTicks === 0;
}
