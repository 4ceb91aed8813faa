import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { AccountOrder, formatOrder, textFinder } from '../../format/index.ts';
import {
  CursorParameter,
  cursorPlace,
  endOfOrders,
  hashFilter,
  NEXT_OF_ORDERS,
  OptionalText,
  offsetOf,
  onlySet,
  pageAfterEnd,
  pageOf,
  pageSchema,
  Text,
  tokenFilter,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

/** Which orders earn rewards (wire 1.7): none, because no market pays rewards. */
const MAX_ID_LENGTH = 128;

export const getOrderScoring = defineRoute({
  method: 'GET',
  path: '/order-scoring',
  summary: 'Whether an order earns rewards',
  auth: 'l2',
  query: Type.Object({ order_id: Text('Order id') }),
  response: Type.Object({ scoring: Type.Boolean() }),
  handler: () => ({ scoring: false }),
});

export const postOrdersScoring = defineRoute({
  method: 'POST',
  path: '/orders-scoring',
  summary: 'Which orders earn rewards',
  auth: 'l2',
  body: Type.Array(Type.String({ description: 'Order id', maxLength: MAX_ID_LENGTH }), {
    maxItems: READ_BOUNDS.scoredOrders,
  }),
  response: Type.Record(Type.String(), Type.Boolean(), { description: 'By order id' }),
  handler: ({ body }) => Object.fromEntries(body.map((id) => [id, false])),
});

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

const ORDER_ID = /^0x[0-9a-fA-F]{64}$/;

/**
 * GET /data/order/{id}: one order of the caller, live or not, flat and again under `order`
 * (wire 1.6). Another owner's order is answered like one that does not exist.
 */
export const getDataOrder = defineRoute({
  method: 'GET',
  path: '/data/order/{id}',
  summary: 'One of your orders, live or not',
  auth: 'l2',
  params: Type.Object({ id: Text('Order id') }),
  response: Type.Intersect([AccountOrder, Type.Object({ order: AccountOrder })]),
  needs: ['exchange'],
  handler: async ({ params, caller, services }) => {
    const { id } = params;
    if (!ORDER_ID.test(id)) {
      const limit = '0x and 64 hex digits';
      throw new ApiError('invalid_order_id', { field: 'id', limit, actual: echo(id) });
    }
    const record = await services.exchange.reader.order(id.toLowerCase());
    if (record === undefined || record.owner !== caller.owner) {
      throw new ApiError('order_not_found', { field: 'id', actual: id });
    }
    const textsOf = textFinder(services.exchange.catalog.lookup);
    const order = formatOrder(record, textsOf(record.conditionId).outcomes);
    return { ...order, order };
  },
});

/** GET /data/orders: the caller's live orders, oldest first. */
export const getDataOrders = defineRoute({
  method: 'GET',
  path: '/data/orders',
  summary: 'Your live orders',
  auth: 'l2',
  query: Type.Object({
    id: OptionalText('Order id'),
    market: OptionalText('Condition id'),
    asset_id: OptionalText('Token id'),
    next_cursor: CursorParameter,
  }),
  response: pageSchema(AccountOrder, NEXT_OF_ORDERS),
  needs: ['exchange'],
  handler: async ({ query, caller, request, services }) => {
    const limit = READ_BOUNDS.ordersPerPage;
    if (query.next_cursor === '') return pageAfterEnd(limit);
    const { offset, after } = cursorPlace(query.next_cursor);
    const { records, more } = await services.exchange.reader.liveOrders({
      owner: caller.owner,
      offset: after === undefined ? offset : 0,
      limit,
      ...onlySet({
        after,
        orderId: hashFilter(query.id, 'id'),
        conditionId: hashFilter(query.market, 'market'),
        tokenId: tokenFilter(query.asset_id, 'asset_id'),
      }),
    });
    const textsOf = textFinder(services.exchange.catalog.lookup);
    const orders = records.map((record) =>
      formatOrder(record, textsOf(record.conditionId).outcomes),
    );
    return pageOf(orders, { offset, limit, more, end: endOfOrders(request) });
  },
});
