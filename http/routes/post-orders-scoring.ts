import { Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { READ_BOUNDS } from '../format/read-bounds.ts';
import { defineRoute, NO_PARAMETERS } from '../route.ts';

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
  body: Type.Array(Type.String({ description: 'Order id', maxLength: MAX_ID_LENGTH })),
  response: Type.Record(Type.String(), Type.Boolean(), { description: 'By order id' }),
  handler: ({ body }) => {
    const limit = READ_BOUNDS.scoredOrders;
    if (body.length > limit) {
      throw new ApiError('too_many_items', { field: 'body', limit, actual: body.length });
    }
    return Object.fromEntries(body.map((id) => [id, false]));
  },
});
