/**
 * What an order would do in a book, without what only the exchange knows: own orders that it would
 * meet, and what happens before it arrives.
 */

import type { FeeRates } from '../../../engine/fees/formulas.ts';
import type { OrderType, Side } from '../../../engine/model/index.ts';
import { ONE_TICKS } from '../decimal/index.ts';
import type { BookLevel } from '../streams/market-book.ts';
import { isBudget, type Order } from './draft.ts';
import { takerFee } from './fees.ts';

/** What an order does when it arrives. */
export interface Estimate {
  readonly filledLots: number;
  /** What is paid or received for the filled lots, without the fee. */
  readonly cashMicros: number;
  readonly feeMicros: number;
  /** What stays on the book. */
  readonly restingLots: number;
  /** The price of the last fill; undefined without any. */
  readonly worstTicks: number | undefined;
}

/** Whether a level's price is one that the order accepts. */
function accepts(side: Side, limitTicks: number, priceTicks: number): boolean {
  return side === 'BUY' ? priceTicks <= limitTicks : priceTicks >= limitTicks;
}

/** The lots that the order takes of a level. */
function lotsFrom({ priceTicks, lots }: BookLevel, left: Left): number {
  if (left.budgetMicros === undefined) return Math.min(lots, left.lots);
  return Math.min(lots, Math.floor(left.budgetMicros / priceTicks));
}

/** What an order still wants: lots, or what its budget buys. */
interface Left {
  readonly lots: number;
  readonly budgetMicros: number | undefined;
}

/** What the exchange refuses. */
const NOTHING: Estimate = {
  filledLots: 0,
  cashMicros: 0,
  feeMicros: 0,
  restingLots: 0,
  worstTicks: undefined,
};

/** Whether the exchange refuses an order that has met the levels and still wants `left`. */
function isRefused({ type, priceTicks }: Order, fills: readonly BookLevel[], left: Left): boolean {
  if (type !== 'FOK') return false;
  const { lots, budgetMicros } = left;
  return fills.length === 0 || (budgetMicros === undefined ? lots > 0 : budgetMicros >= priceTicks);
}

/** `levels` are those that the order meets, the best first. */
export function estimate(order: Order, fees: FeeRates, levels: readonly BookLevel[]): Estimate {
  const { side, type, priceTicks, postOnly } = order;
  let left: Left = {
    lots: order.lots,
    budgetMicros: order.budgetMicros > 0 ? order.budgetMicros : undefined,
  };
  const fills: BookLevel[] = [];
  let [filledLots, cashMicros] = [0, 0];
  for (const level of levels) {
    const lots = accepts(side, priceTicks, level.priceTicks) ? lotsFrom(level, left) : 0;
    if (lots === 0) break;
    if (postOnly) return NOTHING;
    const cash = lots * level.priceTicks;
    fills.push({ priceTicks: level.priceTicks, lots });
    filledLots += lots;
    cashMicros += cash;
    const { budgetMicros } = left;
    left = {
      lots: left.lots - lots,
      budgetMicros: budgetMicros === undefined ? undefined : budgetMicros - cash,
    };
  }
  if (isRefused(order, fills, left)) return NOTHING;
  const rests = type === 'GTC' || type === 'GTD';
  return {
    filledLots,
    cashMicros,
    feeMicros: takerFee(fees, fills),
    restingLots: rests ? order.lots - filledLots : 0,
    worstTicks: fills.at(-1)?.priceTicks,
  };
}

interface MarketWish {
  readonly side: Side;
  readonly type: OrderType;
  /** Lots, or micros of a budget. */
  readonly amount: number;
  readonly tickTicks: number;
}

/** Of the price that the book asks now: it may move before the order arrives. */
const HEADROOM_PARTS = 50;

/**
 * A worst price at which the book fills a market order now, and a fiftieth (at least a tick) worse.
 * Undefined if the book is empty on that side.
 */
export function worstPrice(
  { side, type, amount, tickTicks }: MarketWish,
  levels: readonly BookLevel[],
): number | undefined {
  let left = amount;
  let last: number | undefined;
  for (const { priceTicks, lots } of levels) {
    if (last !== undefined && left <= 0) break;
    last = priceTicks;
    left -= isBudget({ side, type }) ? lots * priceTicks : lots;
  }
  if (last === undefined) return undefined;
  const steps = Math.ceil(last / HEADROOM_PARTS / tickTicks);
  const moved = last + (side === 'BUY' ? 1 : -1) * Math.max(1, steps) * tickTicks;
  return Math.min(Math.max(moved, tickTicks), ONE_TICKS - tickTicks);
}
