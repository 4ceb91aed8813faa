/**
 * Endpoints that place, cancel and read orders and trades.
 */
export { cancelAll } from './cancel-all.ts';
export { cancelMarketOrders } from './cancel-market-orders.ts';
export { CancelResult } from './cancel-result.ts';
export { deleteOrder } from './delete-order.ts';
export { deleteOrders } from './delete-orders.ts';
export { getDataOrder } from './get-data-order.ts';
export { getDataOrders } from './get-data-orders.ts';
export { getDataTrades } from './get-data-trades.ts';
export { getOrderScoring } from './get-order-scoring.ts';
export { getPreMigrationOrders } from './get-pre-migration-orders.ts';
export { postDataOrders } from './post-data-orders.ts';
export { postDebugOrder } from './post-debug-order.ts';
export { postHeartbeat, postHeartbeatAlias } from './post-heartbeat.ts';
export { postOrder } from './post-order.ts';
export { postOrders } from './post-orders.ts';
export { postOrdersScoring } from './post-orders-scoring.ts';
