/** Which orders earn rewards (wire 1.7): none, because no market pays rewards. */
import { Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

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
