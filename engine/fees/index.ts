/**
 * How fees are computed (wire 9.9, docs/decisions/0002-money-in-integers.md). The room knows
 * numbers only: no accounts, no books.
 *
 * - `formulas.ts` says what fills owe: lots x rate x (p(1-p))^exponent, rounded to 5 decimals.
 * - `order-fees.ts` computes the charge of each fill of an order (`OrderFees.charge`).
 * - `schedules.ts` says at which rates a market accepts an order.
 *
 * `orders/matching.ts` moves the charge of a fill between accounts. Example: a taker buys 100
 * tokens at 0.50 with a fee of 441 basis points and exponent 1: 100 x 0.0441 x 0.25 = 1.1025.
 */
export {
  addSums,
  budgetFees,
  type FeeRates,
  feesDue,
  fillSums,
  maximumFees,
  mostFees,
} from './formulas.ts';
export { OrderFees, type OrderSchedule } from './order-fees.ts';
export { type Builder, chargesFees, MarketSchedules } from './schedules.ts';
