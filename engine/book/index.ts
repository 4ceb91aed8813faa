/**
 * The order book of one market and the storage of live orders. Prices are YES ticks. The room knows
 * orders and levels, and never accounts or money.
 */
export { Book } from './book.ts';
export { DueQueue } from './due-queue.ts';
export { NONE } from './level-index.ts';
export { ID_WORDS, readOrderId, writeOrderId } from './order-id.ts';
export { isBid, OrderStore } from './order-store.ts';
export { OrderTable } from './order-table.ts';
export { FEES_BIT, RESTING_BITS, RETRY_BITS, traitsOf } from './order-traits.ts';
export { placeOf, RecentOrders } from './recent-orders.ts';
export { TextTable } from './text-table.ts';
