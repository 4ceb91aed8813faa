/**
 * The life of an order.
 *
 * - `place-order.ts` checks a new order (`order-checks.ts`), accepts it, and delays or executes it.
 * - `execute-order.ts` matches it: `matching.ts` walks the book fill by fill, `collect-fees.ts`
 *   takes the fees of each fill; the rest of the order rests or is closed.
 * - `delayed-orders.ts` and `release-order.ts` delay orders in markets that require it.
 * - `cancel-orders.ts`, `set-standing.ts` and `dead-man-switch.ts` end orders before they are
 *   filled.
 *
 * Invariant: an order is checked completely before anything changes. Matching stops at the taker's
 * limit, so a fill is never worse than the order's price.
 */
export { cancelAll, cancelOrders } from './cancel-orders.ts';
export { clearDelayed, clearMarkets } from './clearing.ts';
export { armSwitch, tripSwitch } from './dead-man-switch.ts';
export { addDelayed, endOrder } from './delayed-orders.ts';
export { continueOrder } from './execute-order.ts';
export { acceptedSeqOf } from './order-checks.ts';
export { placeOrder, previewOrder } from './place-order.ts';
export { releaseOrder } from './release-order.ts';
export { setStanding } from './set-standing.ts';
