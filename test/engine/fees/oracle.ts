/**
 * A slow exact calculation of fees from the text of wire 9.9 alone: in tokens and units of
 * collateral, as fractions, over all fills at once. It shares neither code nor units with the
 * engine and the naive engine.
 */

/** A fraction; its denominator is positive. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export interface OracleRates {
  readonly takerFeeBps: number;
  readonly makerFeeBps: number;
  readonly feeExponent: 0 | 1 | 2;
  readonly shareBps: number;
  readonly takerRateBps: number;
  readonly makerRateBps: number;
}

export interface OracleFill {
  readonly isTaker: boolean;
  readonly lots: number;
  readonly priceTicks: number;
}

export interface OracleDue {
  readonly totalMicros: bigint;
  readonly builderMicros: bigint;
}

function fraction(over: number | bigint, under: number | bigint = 1): Fraction {
  return {
    over: BigInt(over),
    under: BigInt(under),
  };
}
function times(...factors: readonly Fraction[]): Fraction {
  return factors.reduce((a, b) => fraction(a.over * b.over, a.under * b.under));
}
function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under + b.over * a.under, a.under * b.under);
}
function isLess(a: Fraction, b: Fraction): boolean {
  return a.over * b.under < b.over * a.under;
}
function floor({ over, under }: Fraction): bigint {
  return over / under;
}

const MICROS = fraction(1_000_000);
/** How many steps of 0.00001, the precision of fees, one unit has. */
const PARTS = fraction(100_000);

/** Rounds half-up to 5 decimals; values below 0.00001 are 0. */
function rounded(value: Fraction): Fraction {
  if (isLess(value, fraction(1, 100_000))) return fraction(0);
  return fraction(floor(plus(times(value, PARTS), fraction(1, 2))), 100_000);
}

function ceil5(value: Fraction): Fraction {
  const parts = times(value, PARTS);
  const whole = floor(parts);
  return fraction(isLess(fraction(whole), parts) ? whole + 1n : whole, 100_000);
}

function tokensOf({ lots }: OracleFill): Fraction {
  return fraction(lots, 100);
}
function priceOf({ priceTicks }: OracleFill): Fraction {
  return fraction(priceTicks, 10_000);
}

/** The sum of tokens x rate x (p(1-p))^exponent over all fills. */
function baseOf(rates: OracleRates, fills: readonly OracleFill[]): Fraction {
  return fills.reduce((sum, fill) => {
    const rate = fraction(fill.isTaker ? rates.takerFeeBps : rates.makerFeeBps, 10_000);
    const price = priceOf(fill);
    const spread = times(price, plus(fraction(1), times(fraction(-1), price)));
    const power = Array.from({ length: rates.feeExponent }, () => spread);
    return plus(sum, times(tokensOf(fill), rate, ...power));
  }, fraction(0));
}

function flatOf(rates: OracleRates, fills: readonly OracleFill[]): Fraction {
  return fills.reduce((sum, fill) => {
    const rate = fraction(fill.isTaker ? rates.takerRateBps : rates.makerRateBps, 10_000);
    return plus(sum, times(tokensOf(fill), priceOf(fill), rate));
  }, fraction(0));
}

function raisedBy(shareBps: number): Fraction {
  return fraction(10_000, 10_000 - shareBps);
}

/** The fees of these fills together, in whole micros. */
export function dueOf(rates: OracleRates, fills: readonly OracleFill[]): OracleDue {
  const total = ceil5(times(rounded(baseOf(rates, fills)), raisedBy(rates.shareBps)));
  const flatMicros = floor(times(rounded(flatOf(rates, fills)), MICROS));
  const totalMicros = floor(times(total, MICROS));
  const builder = floor(times(fraction(totalMicros), fraction(rates.shareBps, 10_000)));
  return { totalMicros: totalMicros + flatMicros, builderMicros: builder + flatMicros };
}

/** The same fees without rounding, except down to whole micros at the end. */
export function exactMicros(rates: OracleRates, fills: readonly OracleFill[]): bigint {
  const base = times(baseOf(rates, fills), raisedBy(rates.shareBps));
  return floor(times(plus(base, flatOf(rates, fills)), MICROS));
}

/** Price and fees of one lot without rounding, for comparison. */
export function lotCost(rates: OracleRates, priceTicks: number): Fraction {
  const fill = { isTaker: true, lots: 1, priceTicks };
  const base = times(baseOf(rates, [fill]), raisedBy(rates.shareBps));
  return plus(times(tokensOf(fill), priceOf(fill)), plus(base, flatOf(rates, [fill])));
}

export function costsMore(one: Fraction, other: Fraction): boolean {
  return isLess(other, one);
}
