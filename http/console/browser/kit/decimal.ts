/**
 * Decimal texts and the whole numbers behind them. Money is computed with whole numbers: micros of
 * cash (6 decimals), lots (2) and ticks (4).
 */

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
  const scaled = BigInt(value);
  const sign = scaled < 0n ? '-' : '';
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(least, '0');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** A decimal text with its thousands separated: "1234.5" is "1,234.5". */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
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

/** A large figure in short: 12,345 is "12.3K". */
export function short(value: number | string): string {
  let number = Number(value);
  if (!Number.isFinite(number)) return '–';
  let unit = 0;
  while (Math.abs(number) >= 999.5 && unit < UNITS.length - 1) {
    number /= 1000;
    unit += 1;
  }
  const text = unit === 0 ? shown(number, 2) : number.toPrecision(3).replace(/\.?0+$/, '');
  return `${text}${UNITS[unit]}`;
}

/** A price from 0 to 1 in cents, as traders read it: "0.535" is "53.5¢". */
export function cents(price: number | string): string {
  const number = Number(price);
  if (!Number.isFinite(number)) return '–';
  return `${shown(number * 100, 2)}¢`;
}
