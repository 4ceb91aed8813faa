import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { AccountOrder } from '../../format/index.ts';
import { CursorParameter, offsetOf, pageAfterEnd, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /data/pre-migration-orders: the caller's live orders from before a migration to other
 * contracts. This exchange never migrated, so the list is empty: GET /data/orders has all live
 * orders. Its one published caller expects the end cursor `LTE=`, not "" as in GET /data/orders.
 */
export const getPreMigrationOrders = defineRoute({
  method: 'GET',
  path: '/data/pre-migration-orders',
  summary: 'Your live orders from before a migration: none',
  auth: 'l2',
  query: Type.Object({ next_cursor: CursorParameter }),
  response: pageSchema(AccountOrder),
  handler: ({ query }) => {
    offsetOf(query.next_cursor);
    return pageAfterEnd(READ_BOUNDS.ordersPerPage);
  },
});
