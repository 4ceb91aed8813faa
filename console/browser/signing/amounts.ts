/**
 * The amounts of an order from its price and its size or budget, as the published clients round
 * them (wire 4.2, 4.3, 4.5), but with whole numbers: their floating point sometimes gives one unit
 * less.
 *
 * Invariant: what was typed is what is signed. The clients cut digits that are not on the grid;
 * here they are refused. Only the tokens of a market BUY are rounded.
 * Bound: that of `parseDecimal`. The exchange has tighter ones.
 */
import { DECIMALS, decimalText, parseDecimal } from '../decimal/index.ts';
import { SigningError } from './signer.ts';

export type Side = 'BUY' | 'SELL';
export type OrderType = 'GTC' | 'GTD' | 'FOK' | 'FAK';

/** Prices and quantities as decimal texts. */
export interface AmountTerms {
  readonly side: Side;
  readonly type: OrderType;
  /** The limit; for FOK and FAK the worst price. */
  readonly price: string;
  /** The price step of the market. */
  readonly tickSize: string;
  /** Tokens; for a FOK or FAK BUY the cash to spend. */
  readonly quantity: string;
}

/** Base units of which the maker gives and gets so many. */
export interface Amounts {
  readonly makerAmount: string;
  readonly takerAmount: string;
}

const QUANTITY_DECIMALS = 2;
/** Of collateral and of tokens. */
const BASE_DECIMALS = 6;
const ONE_TICKS = 10_000n;
/** Base units of a hundredth of a token, or of a unit of collateral. */
const BASE_PER_HUNDREDTH = 10_000n;

function invalid(field: string, actual: string, must: string): SigningError {
  const shown = actual === '' ? 'missing' : actual;
  return new SigningError('invalid_order', `The ${field} is ${shown}. It must be ${must}.`, field);
}

function tickOf({ tickSize }: AmountTerms): bigint {
  const tick = parseDecimal(tickSize, DECIMALS.ticks) ?? 0n;
  if (tick > 0n && tick < ONE_TICKS) return tick;
  throw invalid('tick size', tickSize, 'a price step of the exchange, such as 0.01');
}

function priceOf({ price }: AmountTerms, tick: bigint): bigint {
  const ticks = parseDecimal(price, DECIMALS.ticks);
  if (ticks !== undefined && ticks >= tick && ticks <= ONE_TICKS - tick && ticks % tick === 0n) {
    return ticks;
  }
  const [least, most] = [tick, ONE_TICKS - tick].map((units) => decimalText(units, DECIMALS.ticks));
  throw invalid('price', price, `from ${least} to ${most} in steps of ${least}`);
}

/** Whether the quantity is cash. */
export function isBudget({ side, type }: Pick<AmountTerms, 'side' | 'type'>): boolean {
  return side === 'BUY' && (type === 'FOK' || type === 'FAK');
}

function hundredthsOf(terms: AmountTerms): bigint {
  const hundredths = parseDecimal(terms.quantity, QUANTITY_DECIMALS) ?? 0n;
  if (hundredths > 0n) return hundredths;
  const field = isBudget(terms) ? 'amount' : 'size';
  throw invalid(field, terms.quantity, 'above 0, with at most 2 decimals');
}

/** The tokens that a budget pays for, rounded down to as many decimals as the clients give them. */
function tokensFor(budget: bigint, ticks: bigint, tickSize: string): bigint {
  const [, fraction = ''] = tickSize.replace(/0+$/, '').split('.');
  const decimals = fraction.length + QUANTITY_DECIMALS;
  const step = 10n ** BigInt(BASE_DECIMALS - decimals);
  const tokens = (budget * ONE_TICKS) / ticks;
  return tokens - (tokens % step);
}

/** Throws `invalid_order` with the term at fault. */
export function amountsOf(terms: AmountTerms): Amounts {
  const ticks = priceOf(terms, tickOf(terms));
  const hundredths = hundredthsOf(terms);
  const given = hundredths * BASE_PER_HUNDREDTH;
  if (isBudget(terms)) {
    return {
      makerAmount: String(given),
      takerAmount: String(tokensFor(given, ticks, terms.tickSize)),
    };
  }
  const cash = hundredths * ticks;
  const [makerAmount, takerAmount] = terms.side === 'BUY' ? [cash, given] : [given, cash];
  return { makerAmount: String(makerAmount), takerAmount: String(takerAmount) };
}
