/**
 * The life of an order.
 *
 * - `check-order.ts` has all checks of a new order.
 * - `place-order.ts` accepts it, and executes it now or, in a market with a delay, later
 *   (`delayed-orders.ts`).
 * - `matching.ts` walks the book fill by fill, and charges the fees of each fill.
 * - `cancel-orders.ts`, `set-standing.ts` and `dead-man-switch.ts` end orders before they are
 *   filled.
 *
 * Invariant: an order is checked completely before anything changes. Matching stops at the taker's
 * limit, so a fill is never worse than the order's price.
 */
export { cancelAll, cancelOrders } from './cancel-orders.ts';
export { acceptedSeqOf } from './check-order.ts';
export { clearDelayed, clearMarkets } from './clearing.ts';
export { armSwitch, tripSwitch } from './dead-man-switch.ts';
export { addDelayed, endOrder } from './delayed-orders.ts';
export { continueOrder, placeOrder, previewOrder, releaseOrder } from './place-order.ts';
export { setStanding } from './set-standing.ts';
