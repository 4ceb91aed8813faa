import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { AccountOrder } from '../../format/index.ts';
import {
  CursorParameter,
  END_CURSOR,
  offsetOf,
  pageOf,
  pageSchema,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * GET /data/pre-migration-orders: the caller's live orders from before the exchange moved to other
 * contracts. This exchange never did: its journal holds every order there ever was, and GET
 * /data/orders lists those that are live. So this list is empty. Its one published caller waits for
 * `LTE=`, and interface.md has "" for GET /data/orders alone.
 */
export const getPreMigrationOrders = defineRoute({
  method: 'GET',
  path: '/data/pre-migration-orders',
  summary: 'Your live orders from before a migration: there was none',
  auth: 'l2',
  query: Type.Object({ next_cursor: CursorParameter }),
  response: pageSchema(AccountOrder),
  handler: ({ query }) =>
    pageOf([], {
      offset: offsetOf(query.next_cursor),
      limit: READ_BOUNDS.ordersPerPage,
      more: false,
      end: END_CURSOR,
    }),
});
