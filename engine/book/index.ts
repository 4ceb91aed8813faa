/**
 * The order book of a market, and the storage and look-up of all orders. The room knows orders and
 * price levels, but no accounts and no money.
 *
 * - `book.ts` holds the queues of a market by price level; `level-index.ts` finds the next level.
 * - `order-store.ts` keeps live orders as packed records under integer handles.
 * - `order-table.ts` finds an order by its id; `recent-orders.ts` remembers closed ones.
 * - `due-queue.ts` orders expirations and ends of delays by time.
 *
 * Prices are YES ticks in the book and ticks of the order's own outcome in the store. Handles are
 * reused: never keep one after its order has closed.
 */
export { Book } from './book.ts';
export { DueQueue } from './due-queue.ts';
export { NONE } from './level-index.ts';
export { copyId, ID_WORDS, readOrderId, writeOrderId } from './order-id.ts';
export {
  DELAYABLE_BITS,
  FEES_BIT,
  isBid,
  OrderStore,
  RESTING_BITS,
  RETRY_BITS,
  traitsOf,
} from './order-store.ts';
export { OrderTable } from './order-table.ts';
export { placeOf, RecentOrders } from './recent-orders.ts';
export { TextTable } from './text-table.ts';
