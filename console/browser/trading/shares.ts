/** Parts of what an account can spend, for the buttons 25, 50, 75 and 100 %. */

import type { FeeRates } from '../../../engine/fees/formulas.ts';
import { chargesFees } from '../../../engine/fees/schedules.ts';
import { MICROS_PER_CENT, type OrderType, type Side } from '../../../engine/model/index.ts';
import { isBudget } from './draft.ts';
import { highestFee } from './fees.ts';

/** What an account can spend now: nothing that its open orders hold. */
export interface Means {
  readonly cashMicros: number;
  /** Of the outcome that is traded. */
  readonly lots: number;
}

interface Wish {
  readonly side: Side;
  readonly type: OrderType;
  /** The limit, or the worst price. */
  readonly priceTicks: number;
  readonly fees: FeeRates;
}

/** The most lots whose cost and fees the cash pays. A fee is the same part of each lot. */
function affordableLots(cashMicros: number, { priceTicks, fees }: Wish): number {
  const costOf = (lots: number): number =>
    lots * priceTicks + highestFee(fees, { priceTicks, lots });
  const most = Math.floor(cashMicros / priceTicks);
  const cost = costOf(most);
  let lots = cost > cashMicros ? Math.floor((most * cashMicros) / cost) : most;
  // The fee is rounded half-up, so the proportion may be a little too high.
  while (lots > 0 && costOf(lots) > cashMicros) lots -= 1;
  return lots;
}

/** The largest quantity in hundredths: tokens, or cash of a market BUY. */
function largestOrder(wish: Wish, { cashMicros, lots }: Means): number {
  if (wish.side === 'SELL') return lots;
  const affordable = affordableLots(cashMicros, wish);
  if (!isBudget(wish)) return affordable;
  const hasFees = chargesFees(wish.fees);
  const spendable = hasFees ? affordable * wish.priceTicks : cashMicros;
  return Math.floor(spendable / MICROS_PER_CENT);
}

/** A part of the largest order, rounded down. */
export function partOf(wish: Wish, means: Means, percent: number): number {
  return Math.floor((largestOrder(wish, means) * percent) / 100);
}
