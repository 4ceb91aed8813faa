import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { HTTP_BOUNDS } from '../../bounds/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OrderRefusal, OrderResult, refusalOf, SubmissionBody } from '../../orders/index.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * POST /orders: places 1 to 15 orders in array order, without others of this owner in between, each
 * judged alone: a refused one is an element with `success: false` (wire 1.6).
 */
export const postOrders = defineRoute({
  method: 'POST',
  path: '/orders',
  summary: 'Place up to 15 signed orders',
  auth: 'l2',
  givesWay: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: Type.Array(Type.Any(), { minItems: 1 }),
  documentedBody: Type.Array(SubmissionBody, {
    minItems: 1,
    maxItems: HTTP_BOUNDS.ordersPerRequest,
  }),
  bodyBytes: HTTP_BOUNDS.ordersBodyBytes,
  response: Type.Array(Type.Union([OrderResult, OrderRefusal])),
  // Each order counts; a batch that is refused for its length as the longest that is not.
  weight: (body) => (Array.isArray(body) ? Math.min(body.length, HTTP_BOUNDS.ordersPerRequest) : 1),
  needs: ['intake'],
  handler: async ({ body, caller, request, services }) => {
    const limit = HTTP_BOUNDS.ordersPerRequest;
    if (body.length > limit) {
      throw new ApiError('too_many_orders', { field: 'body', limit, actual: body.length });
    }
    const placements = await services.intake.place(caller, body);
    return placements.map((placement) =>
      placement instanceof ApiError ? refusalOf(placement, request.prefix) : placement,
    );
  },
});
