/**
 * Which requests a kind of fault is for where the fault names no path. A path in `match` replaces
 * this choice, except for faults of orders: they are for requests that place orders, and nothing
 * else.
 */
import type { RouteDefinition } from '../../http/api/index.ts';

const PLACEMENTS: ReadonlySet<string> = new Set(['POST /order', 'POST /orders']);

const ORDER_WRITES: ReadonlySet<string> = new Set([
  ...PLACEMENTS,
  'DELETE /order',
  'DELETE /orders',
  'DELETE /cancel-all',
  'DELETE /cancel-market-orders',
]);

const ORDER_ROUTES: ReadonlySet<string> = new Set([
  ...ORDER_WRITES,
  'GET /data/order/{id}',
  'GET /data/orders',
  'POST /data/orders',
  'GET /order-scoring',
  'POST /orders-scoring',
  'POST /heartbeats',
  'POST /v1/heartbeats',
]);

type Named = Pick<RouteDefinition, 'method' | 'path'>;

/** Whether it places orders. */
export function placesOrders({ method, path }: Named): boolean {
  return PLACEMENTS.has(`${method} ${path}`);
}

/** Whether it places or cancels orders. */
export function writesOrders({ method, path }: Named): boolean {
  return ORDER_WRITES.has(`${method} ${path}`);
}

/** Whether the matching engine of the public venue answers it: 425 while that restarts. */
export function isOrderRoute({ method, path }: Named): boolean {
  return ORDER_ROUTES.has(`${method} ${path}`);
}

export function isAnyRoute(): boolean {
  return true;
}
