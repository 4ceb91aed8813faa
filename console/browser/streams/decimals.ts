/**
 * Whole numbers of the wire's decimal texts: prices in ticks (1/10,000), sizes in lots (1/100).
 *
 * They are read here as plain numbers, because messages have hundreds of them a second; pages use
 * the room `decimal`. Invariant: exact. A text that is no decimal, or has more decimals than the
 * unit, throws.
 */
const TICK_DECIMALS = 4;
const LOT_DECIMALS = 2;
const ZERO = 48;
const DOT = 46;

/** The prices of both outcomes add up to it. */
export const ONE_TICKS = 10_000;

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

/** "0.57" is 5,700. */
export function ticksOf(text: string): number {
  return unitsOf(text, TICK_DECIMALS);
}

/** "12.5" is 1,250. */
export function lotsOf(text: string): number {
  return unitsOf(text, LOT_DECIMALS);
}
