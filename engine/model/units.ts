/**
 * The three units of the exchange, as branded integers. Invariant: every quantity is a whole number
 * below 2^53. One lot at one tick costs one micro, so `cash = lots x ticks` is an exact integer
 * product with nothing to round.
 */

// The forms of the texts in commands, each anchored at both ends.

/** Lower case only, so that an address has one spelling. */
export const ADDRESS = /^0x[0-9a-f]{40}$/;
/** The account that collects fees; its address has no key (see accounts/open-account.ts). */
export const FEE_ACCOUNT = `0x${'0'.repeat(37)}fee`;
/** Condition ids and order ids. */
export const HASH = /^0x[0-9a-f]{64}$/;
/** A builder code: 32 bytes other than zero. */
export const BUILDER = /^0x(?!0{64})[0-9a-f]{64}$/;
/** A uint256 without leading zeros: token ids and nonces. */
export const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
/** API keys and heartbeat ids, in lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * An assumption of the code does not hold. The process stops, so that it never trades on a wrong
 * state.
 */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws InvariantError unless `holds`. The sentence says what must be true. */
export function invariant(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new InvariantError(sentence);
}

declare const unit: unique symbol;

/** A price: 1/10,000 of one unit of collateral, 1 to 9,999. */
export type Ticks = number & { readonly [unit]: 'ticks' };
/** A size: 0.01 outcome token, which is 10,000 micro-tokens. */
export type Lots = number & { readonly [unit]: 'lots' };
/** An amount of cash: 1/1,000,000 of one unit of collateral. */
export type Micros = number & { readonly [unit]: 'micros' };

/** The price of a complete set, in ticks: what YES and NO are worth together. */
export const ONE_TICKS = 10_000 as Ticks;
/** One unit of collateral. */
export const MICROS_PER_UNIT = 1_000_000;
/** The cash of a market BUY is whole cents (wire 4.4). */
export const MICROS_PER_CENT = 10_000;
export const LOTS_PER_TOKEN = 100;
export const MICRO_TOKENS_PER_LOT = 10_000;

/** These brand an integer that the caller has checked. */
export function ticks(value: number): Ticks {
  return value as Ticks;
}
export function lots(value: number): Lots {
  return value as Lots;
}
export function micros(value: number): Micros {
  return value as Micros;
}

export function cashFor(size: Lots, price: Ticks): Micros {
  return (size * price) as Micros;
}

/** The cash without its part of a cent. */
export function wholeCents(cash: Micros): Micros {
  return (cash - (cash % MICROS_PER_CENT)) as Micros;
}

/** The price of the other outcome, in ticks. */
export function complement(price: Ticks): Ticks {
  return (ONE_TICKS - price) as Ticks;
}

/**
 * The most whole lots that `budget` micros buy at `price` ticks: the only division of money in
 * doubles. The remainder is subtracted first, so that the quotient is exact and no rounding of a
 * double can raise it by one.
 */
export function affordableLots(budget: Micros, price: Ticks): Lots {
  return ((budget - (budget % price)) / price) as Lots;
}

/** Whether a value is a whole number from `minimum` to `maximum`. */
export function isWhole(value: number, minimum: number, maximum: number): boolean {
  return Number.isSafeInteger(value) && value >= minimum && value <= maximum;
}
