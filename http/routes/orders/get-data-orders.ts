import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { AccountOrder, formatOrder, textFinder } from '../../format/index.ts';
import {
  CursorParameter,
  endOfOrders,
  hashFilter,
  NEXT_OF_ORDERS,
  OptionalText,
  offsetOf,
  onlySet,
  pageAfterEnd,
  pageOf,
  pageSchema,
  tokenFilter,
} from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

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
    const offset = offsetOf(query.next_cursor);
    const { records, more } = await services.exchange.reader.liveOrders({
      owner: caller.owner,
      offset,
      limit,
      ...onlySet({
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
