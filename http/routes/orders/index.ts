/**
 * Endpoints that place, cancel and read orders and trades.
 *
 * Invariant: writes go through `intake`, in the order in which an owner sent them. Reads list only
 * the caller's own orders and trades; an order by id is public, without its API key.
 */
export { cancelMarketOrders, deleteAllOrders } from './cancel-filtered.ts';
export { deleteOrder, deleteOrders } from './cancel-named.ts';
export { CancelResult, reportCancel } from './cancel-result.ts';
export {
  getDataOrder,
  getDataOrders,
  getOrderScoring,
  getPreMigrationOrders,
  postOrdersScoring,
} from './get-data-orders.ts';
export { getDataTrades } from './get-data-trades.ts';
export { postOrder, postOrders } from './place-orders.ts';
export { postDataOrders } from './post-data-orders.ts';
export { postDebugOrder } from './post-debug-order.ts';
export { postHeartbeat, postHeartbeatAlias } from './post-heartbeat.ts';
