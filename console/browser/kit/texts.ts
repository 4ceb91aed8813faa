/** Names and figures as people read them. */

export { DECIMALS, decimalText, grouped, parseDecimal } from '../decimal/index.ts';

/** The name of a property as a label: `taker_fee_bps` is "Taker fee bps". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  return label.replace(/\bapi\b/i, 'API');
}

/**
 * A number of an answer for display: grouped, rounded to `decimals`. Only for figures that are
 * shown; amounts that are sent stay whole numbers.
 */
export function shown(value: number | string, decimals = 2): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return '–';
  return number.toLocaleString('en-US', {
    minimumFractionDigits: 0,
    maximumFractionDigits: decimals,
  });
}

const UNITS = ['', 'K', 'M', 'B', 'T'] as const;

const SIZES: Readonly<Record<string, string>> = { K: 'k', B: 'G' };

/** A large figure in short: 12,345 is "12.3K". */
export function short(value: number | string): string {
  let number = Number(value);
  if (!Number.isFinite(number)) return '–';
  let unit = 0;
  while (Math.abs(number) >= 999.5 && unit < UNITS.length - 1) {
    number /= 1000;
    unit += 1;
  }
  const text = unit === 0 ? shown(number, 2) : String(Number(number.toPrecision(3)));
  return `${text}${UNITS[unit]}`;
}

/** An amount of cash in short: 17.4 is "$17.40", 12,345 is "$12.3K". */
export function shortCash(amount: number): string {
  const isExact = !Number.isInteger(amount) && Math.abs(amount) < 999.5;
  return `$${isExact ? amount.toFixed(2) : short(amount)}`;
}

/** A size on a disk or in memory: 12,345 is "12.3 kB". */
export function sizeText(bytes: number): string {
  const text = short(bytes).replace(/[KMBT]$/, (unit) => ` ${SIZES[unit] ?? unit}`);
  return /[a-zA-Z]$/.test(text) ? `${text}B` : `${text} B`;
}

/** A price from 0 to 1 in cents, as traders read it: "0.535" is "53.5¢". */
export function cents(price: number | string): string {
  const number = Number(price);
  if (!Number.isFinite(number)) return '–';
  return `${shown(number * 100, 2)}¢`;
}
