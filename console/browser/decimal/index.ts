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
