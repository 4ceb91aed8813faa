import { Type } from 'typebox';
import { ApiError, echo } from '../../errors/index.ts';
import { AccountOrder, formatOrder, textFinder } from '../../format/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

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
