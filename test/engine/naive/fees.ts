/**
 * Fees in the naive engine (wire 9.9), computed from the list of an order's fills on each call, as
 * fractions of whole numbers. It keeps no sums.
 */
import { FEE_ACCOUNT, micros } from '../../../engine/index.ts';
import type { NaiveFill, NaiveMarket, NaiveOrder, NaiveRates, NaiveState } from './state.ts';
import { accountAt } from './state.ts';

/** A number of micros as numerator and denominator. */
type Fraction = readonly [bigint, bigint];

type Trade = Pick<NaiveFill, 'isTaker' | 'lots' | 'priceTicks'>;

interface Fees {
  readonly feeMicros: number;
  readonly builderMicros: number;
}

/** The rates for a new order; undefined if all are 0. */
export function ratesFor(
  state: NaiveState,
  { terms }: NaiveMarket,
  code: string | undefined,
): NaiveRates | undefined {
  const found = state.builders.find(({ builder }) => builder === code);
  const { takerFeeBps, makerFeeBps, feeExponent } = terms;
  const { account = '', shareBps = 0, takerRateBps = 0, makerRateBps = 0 } = found ?? {};
  const market = { takerFeeBps, makerFeeBps, feeExponent };
  const rates = { ...market, account, shareBps, takerRateBps, makerRateBps };
  const isFree = [takerFeeBps, makerFeeBps, takerRateBps, makerRateBps].every((bps) => bps === 0);
  return isFree ? undefined : rates;
}

/** Market fees before rounding: the sum of lots x rate x (p(1-p))^exponent over the fills. */
export function baseSum(rates: NaiveRates, trades: readonly Trade[]): bigint {
  return trades.reduce((sum, { isTaker, lots, priceTicks }) => {
    const bps = isTaker ? rates.takerFeeBps : rates.makerFeeBps;
    const spread = BigInt(priceTicks) * (10_000n - BigInt(priceTicks));
    return sum + BigInt(lots) * BigInt(bps) * spread ** BigInt(rates.feeExponent);
  }, 0n);
}

/** The builder's flat fees before rounding: the sum of cash x rate over the fills. */
export function flatSum(rates: NaiveRates, trades: readonly Trade[]): bigint {
  return trades.reduce((sum, { isTaker, lots, priceTicks }) => {
    const bps = isTaker ? rates.takerRateBps : rates.makerRateBps;
    return sum + BigInt(lots) * BigInt(priceTicks) * BigInt(bps);
  }, 0n);
}

function baseOf(rates: NaiveRates, trades: readonly Trade[]): Fraction {
  return [baseSum(rates, trades), 10_000n ** BigInt(2 * rates.feeExponent)];
}

/** Rounds half-up to 10 micros, which are 5 decimals of collateral; less than 10 micros is 0. */
function halfUp([numerator, denominator]: Fraction): bigint {
  if (numerator < 10n * denominator) return 0n;
  const tens = numerator / (10n * denominator);
  const rest = numerator - tens * 10n * denominator;
  return (rest >= 5n * denominator ? tens + 1n : tens) * 10n;
}

function up([numerator, denominator]: Fraction): bigint {
  const tens = numerator / (10n * denominator);
  const isExact = tens * 10n * denominator === numerator;
  return (isExact ? tens : tens + 1n) * 10n;
}

/** The fees of these fills together. */
function dueOf(rates: NaiveRates, trades: readonly Trade[]): Fees {
  const share = BigInt(rates.shareBps);
  const raised = up([halfUp(baseOf(rates, trades)) * 10_000n, 10_000n - share]);
  const flat = halfUp([flatSum(rates, trades), 10_000n]);
  const ofShare = (raised * share) / 10_000n;
  return { feeMicros: Number(raised + flat), builderMicros: Number(ofShare + flat) };
}

function sumOf(fees: readonly Fees[], of: keyof Fees): number {
  return fees.reduce((sum, one) => sum + one[of], 0);
}

export function feesOf({ fills }: NaiveOrder): number {
  return sumOf(fills, 'feeMicros');
}

export function builderFeesOf({ fills }: NaiveOrder): number {
  return sumOf(fills, 'builderMicros');
}

function takesBudget({ budgetMicros }: NaiveOrder): boolean {
  return budgetMicros > 0;
}

/** The cash that a BUY needs for fees, beside its price or budget. */
export function requiredFees(order: NaiveOrder): number {
  const { rates, priceTicks, lots, budgetMicros, postOnly } = order;
  if (rates === undefined || order.side === 'SELL') return 0;
  const { takerFeeBps, makerFeeBps, takerRateBps, makerRateBps } = rates;
  if (!takesBudget(order)) {
    const highest = {
      ...rates,
      makerFeeBps: postOnly ? makerFeeBps : Math.max(takerFeeBps, makerFeeBps),
      makerRateBps: postOnly ? makerRateBps : Math.max(takerRateBps, makerRateBps),
    };
    return dueOf(highest, [{ isTaker: false, lots, priceTicks }]).feeMicros;
  }
  const bought = Number(BigInt(budgetMicros) / BigInt(priceTicks));
  const trades = [{ isTaker: true, lots: bought, priceTicks }];
  // All over one denominator, so that only the result is rounded down to micros.
  const [base, denominator] = baseOf(rates, trades);
  const whole = denominator * (10_000n - BigInt(rates.shareBps)) * 10_000n;
  const ofBase = base * 10_000n * 10_000n;
  const ofFlat = (flatSum(rates, trades) * whole) / 10_000n;
  return Number((ofBase + ofFlat) / whole);
}

/** The charge of one more fill of an order. */
export function chargeOf(order: NaiveOrder, trade: Trade): Fees {
  const { rates, fills, priceTicks } = order;
  if (rates === undefined) return { feeMicros: 0, builderMicros: 0 };
  const due = dueOf(rates, [...fills, trade]);
  const charged = feesOf(order);
  const saved = [...fills, trade].reduce((sum, one) => {
    return sum + one.lots * (priceTicks - one.priceTicks);
  }, 0);
  const bought = takesBudget(order) ? Number.POSITIVE_INFINITY : requiredFees(order) + saved;
  const most = order.side === 'SELL' ? charged + trade.lots * trade.priceTicks : bought;
  const feeMicros = Math.min(due.feeMicros, most) - charged;
  const exchangeDue = due.feeMicros - due.builderMicros - (charged - builderFeesOf(order));
  return { feeMicros, builderMicros: Math.max(0, feeMicros - exchangeDue) };
}

/** The cash that a resting BUY holds for fees. */
export function heldFees(order: NaiveOrder): number {
  const { lots, filledLots, priceTicks } = order;
  return chargeOf(order, { isTaker: false, lots: lots - filledLots, priceTicks }).feeMicros;
}

/** How many of the wanted lots a taker with a budget can pay for, including fees. */
export function payableLots(taker: NaiveOrder, wanted: number, priceTicks: number): number {
  if (taker.rates === undefined || !takesBudget(taker)) return wanted;
  const spent = taker.fills.reduce((sum, one) => sum + one.lots * one.priceTicks, 0);
  const left = taker.spendableMicros - spent - feesOf(taker);
  const canPay = (lots: number): boolean => {
    const { feeMicros } = chargeOf(taker, { isTaker: true, lots, priceTicks });
    return lots * priceTicks + feeMicros <= left;
  };
  if (canPay(wanted)) return wanted;
  let [payable, unpayable] = [0, wanted];
  while (unpayable - payable > 1) {
    const middle = Math.floor((payable + unpayable) / 2);
    if (canPay(middle)) payable = middle;
    else unpayable = middle;
  }
  return payable;
}

/** Charges a fill of an order and pays the fee account and the builder. */
export function payFees(state: NaiveState, order: NaiveOrder, trade: Trade): Fees {
  const fees = chargeOf(order, trade);
  order.fills.push({ ...trade, ...fees });
  if (order.rates === undefined) return fees;
  const give = (address: string, amount: number): void => {
    const account = accountAt(state, address);
    if (account !== undefined) account.cashMicros += amount;
  };
  give(order.account, -fees.feeMicros);
  give(order.rates.account, fees.builderMicros);
  give(FEE_ACCOUNT, fees.feeMicros - fees.builderMicros);
  return fees;
}

/** The fees of a fill event; nothing if neither order has fees. */
export function fillFees(taker: NaiveOrder, maker: NaiveOrder, [ofTaker, ofMaker]: [Fees, Fees]) {
  if (taker.rates === undefined && maker.rates === undefined) return {};
  return {
    fees: {
      takerMicros: micros(ofTaker.feeMicros),
      makerMicros: micros(ofMaker.feeMicros),
      takerBuilderMicros: micros(ofTaker.builderMicros),
      makerBuilderMicros: micros(ofMaker.builderMicros),
      takerFeeBps: taker.rates?.takerFeeBps ?? 0,
      makerFeeBps: maker.rates?.makerFeeBps ?? 0,
    },
  };
}
