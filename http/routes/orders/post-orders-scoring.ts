import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { defineRoute } from '../../services/index.ts';

const MAX_ID_LENGTH = 128;

/**
 * POST /orders-scoring: which of these orders earn rewards, by id (wire 1.7). No market pays any:
 * none does, whatever the ids.
 */
export const postOrdersScoring = defineRoute({
  method: 'POST',
  path: '/orders-scoring',
  summary: 'Which orders earn rewards',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: Type.Array(Type.String({ description: 'Order id', maxLength: MAX_ID_LENGTH }), {
    maxItems: READ_BOUNDS.scoredOrders,
  }),
  response: Type.Record(Type.String(), Type.Boolean(), { description: 'By order id' }),
  handler: ({ body }) => Object.fromEntries(body.map((id) => [id, false])),
});
