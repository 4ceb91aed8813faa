import { Type } from 'typebox';
import { NO_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { defineRoute } from '../../services/index.ts';

/** GET /order-scoring: whether an order earns rewards (wire 1.7): no market pays any. */
export const getOrderScoring = defineRoute({
  method: 'GET',
  path: '/order-scoring',
  summary: 'Whether an order earns rewards',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: Type.Object({ order_id: Type.String({ description: 'Order id' }) }),
  body: NO_BODY,
  response: Type.Object({ scoring: Type.Boolean() }),
  handler: () => ({ scoring: false }),
});
