/**
 * Decimal texts and the whole numbers behind them. Money is computed with whole numbers: micros of
 * cash (6 decimals), lots (2) and ticks (4). The units are those of the engine.
 */
import { ONE_TICKS as ONE_IN_TICKS } from '../../../engine/model/index.ts';
import { shortestDecimal } from '../../../http/codec/index.ts';

export { LOTS_PER_TOKEN } from '../../../engine/model/index.ts';

/** The price of a complete set. Prices of the pages are plain numbers. */
export const ONE_TICKS: number = ONE_IN_TICKS;

export const DECIMALS = { micros: 6, lots: 2, ticks: 4 } as const;

const DECIMAL = /^(-?)(\d{0,30})(?:\.(\d*))?$/;

/** "1.25" with 2 decimals is 125n. Undefined if the text is no decimal or has more decimals. */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = DECIMAL.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return undefined;
  const value = BigInt(whole + digits.padEnd(decimals, '0'));
  return sign === '' ? value : -value;
}

/** 125n with 2 decimals is "1.25"; at least `least` decimals are shown. */
export function decimalText(value: bigint | number, decimals: number, least = 0): string {
  const sign = value < 0 ? '-' : '';
  const text = shortestDecimal(value < 0 ? -value : value, decimals);
  const [whole, fraction = ''] = text.split('.');
  const shown = fraction.padEnd(least, '0');
  return shown === '' ? `${sign}${whole}` : `${sign}${whole}.${shown}`;
}

/** A decimal text with its thousands separated: "1234.5" is "1,234.5". */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

const ZERO = 48;
const DOT = 46;

// As plain numbers and not by `parseDecimal`: messages of streams have hundreds a second.
function unitsOf(text: string, decimals: number): number {
  let units = 0;
  let missing = -1;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === DOT && missing < 0 && place > 0) missing = decimals + 1;
    else if (code >= ZERO && code < ZERO + 10) units = units * 10 + (code - ZERO);
    else throw new RangeError(`"${text}" is no decimal`);
    if (missing > 0) missing -= 1;
    else if (missing === 0) throw new RangeError(`"${text}" has more than ${decimals} decimals`);
  }
  for (let left = missing < 0 ? decimals : missing; left > 0; left -= 1) units *= 10;
  if (text === '' || !Number.isSafeInteger(units)) throw new RangeError(`"${text}" is no amount`);
  return units;
}

/** "0.57" is 5,700 ticks. Throws for a text that is no decimal or has more decimals. */
export function ticksOf(text: string): number {
  return unitsOf(text, DECIMALS.ticks);
}

/** "12.5" is 1,250 lots. Throws for a text that is no decimal or has more decimals. */
export function lotsOf(text: string): number {
  return unitsOf(text, DECIMALS.lots);
}
