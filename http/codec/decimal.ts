/**
 * Exact decimal texts of the exchange's integers, for the wire.
 *
 * Invariant: the shortest form, without trailing zeros and without an exponent (wire 0.11): ticks
 * have at most 4 decimals, half ticks 5, lots 2 and micros 6. Nothing is rounded.
 * Bound: whole values from 0 to 2^53 - 1, and BigInts of any size; the tables hold at most one
 * text for each tick and half tick.
 */
import {
  invariant,
  LOTS_PER_TOKEN,
  type Lots,
  type Micros,
  ONE_TICKS,
  type Ticks,
} from '../../engine/model/index.ts';

/** A midpoint in half ticks, each 1/20,000 of a unit of collateral; from 0 to 20,000. */
export type HalfTicks = number;

const TICK_DECIMALS = 4;
const HALF_TICK_DECIMALS = 5;
const LOT_DECIMALS = 2;
/** Those of base units: micros of cash, and millionths of a token. */
export const MICRO_DECIMALS = 6;

/** `value` divided by ten to the power of `decimals`. */
export function shortestDecimal(value: number | bigint, decimals: number): string {
  if (typeof value === 'bigint') {
    const scale = 10n ** BigInt(decimals);
    const fraction = shortestDecimal(Number(value % scale), decimals);
    return `${value / scale}${fraction.slice(1)}`;
  }
  invariant(Number.isSafeInteger(value) && value >= 0, 'a decimal text is made of a whole number');
  const scale = 10 ** decimals;
  // Subtracting the remainder first makes the division exact at any size.
  let rest = value % scale;
  const whole = (value - rest) / scale;
  if (rest === 0) return `${whole}`;
  let digits = decimals;
  while (rest % 10 === 0) {
    rest /= 10;
    digits -= 1;
  }
  return `${whole}.${`${rest}`.padStart(digits, '0')}`;
}

/** Texts of the whole numbers below `size`. Each is made when it is first needed, and kept. */
function textsBelow(size: number, textOf: (index: number) => string): (index: number) => string {
  const texts = new Array<string>(size).fill('');
  return (index) => {
    const known = texts[index];
    invariant(known !== undefined, 'a price lies between 0 and 1');
    if (known !== '') return known;
    const text = textOf(index);
    texts[index] = text;
    return text;
  };
}

// Books and prices are read very often, so the texts of prices and midpoints are kept. The pages in
// the browser use none of the tables and are built without them.
const tickText = /* @__PURE__ */ textsBelow(ONE_TICKS + 1, (value) =>
  shortestDecimal(value, TICK_DECIMALS),
);
const halfTickText = /* @__PURE__ */ textsBelow(2 * ONE_TICKS + 1, (value) =>
  shortestDecimal(5 * value, HALF_TICK_DECIMALS),
);

/** A price from 0 to 10,000 ticks: 5,700 is "0.57", 10,000 is "1". */
export function ticksText(price: Ticks): string {
  return tickText(price);
}

/** A midpoint: 10,100 half ticks are "0.505". */
export function halfTicksText(midpoint: HalfTicks): string {
  return halfTickText(midpoint);
}

// The text after the whole tokens: '' for 0 lots, ".01" for 1, ".5" for 50.
const lotEndings = /* @__PURE__ */ Array.from({ length: LOTS_PER_TOKEN }, (_, value) =>
  shortestDecimal(value, LOT_DECIMALS).slice(1),
);

/**
 * A size in tokens: 1,250 lots are "12.5". Books contain many sizes, so their endings have a table
 * too.
 */
export function lotsText(size: Lots): string {
  invariant(Number.isSafeInteger(size) && size >= 0, 'a size is a whole number of lots');
  const rest = size % LOTS_PER_TOKEN;
  return `${(size - rest) / LOTS_PER_TOKEN}${lotEndings[rest]}`;
}

/** An amount of collateral: 3,400,000 micros are "3.4". */
export function microsText(amount: Micros): string {
  return shortestDecimal(amount, MICRO_DECIMALS);
}

/** Like `microsText`, for a sum of any size. */
export function sumText(micros: number | bigint): string {
  return shortestDecimal(micros, MICRO_DECIMALS);
}

/** The double nearest to `ticksText(price)`. JSON prints it as that text. */
export function ticksNumber(price: Ticks): number {
  return price / 10 ** TICK_DECIMALS;
}

/** Like `ticksNumber`, for a midpoint. */
export function halfTicksNumber(midpoint: HalfTicks): number {
  return midpoint / (2 * ONE_TICKS);
}

/** Like `ticksNumber`, for a size in tokens. */
export function lotsNumber(size: Lots): number {
  return size / 10 ** LOT_DECIMALS;
}
