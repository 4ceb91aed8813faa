/**
 * Commands about orders: placing, matching, cancelling, taker delays and the dead man's switch.
 */
export { cancelAll, cancelEvery, cancelMarket, cancelOrders } from './cancel-orders.ts';
export { armSwitch, tripSwitch } from './dead-man-switch.ts';
export { addDelayed, endOrder, killDelayed } from './delayed-orders.ts';
export { acceptedSeqOf, placeOrder, previewOrder } from './place-order.ts';
export { releaseOrder } from './release-order.ts';
