import { Type } from 'typebox';
import { ANY_BODY } from '../../api/index.ts';
import { HTTP_BOUNDS } from '../../bounds/sizes.ts';
import { ApiError } from '../../errors/index.ts';
import { OrderRefusal, OrderResult, refusalKeys, refusalOf } from '../../orders/result.ts';
import { SubmissionBody } from '../../orders/submission.ts';
import { defineRoute } from '../../services/index.ts';

/**
 * POST /order: places one order. A refusal is a 4xx with the whole result (wire 3.10). Builder
 * headers attribute the order to a builder (wire 2.6).
 */
export const postOrder = defineRoute({
  method: 'POST',
  path: '/order',
  summary: 'Place a signed order',
  auth: 'l2_of_builder',
  givesWay: true,
  body: ANY_BODY,
  documentedBody: SubmissionBody,
  response: OrderResult,
  failure: OrderRefusal,
  failureKeys: refusalKeys,
  needs: ['intake', 'orderAnswers'],
  handler: async ({ body, caller, services: { intake, orderAnswers } }) => {
    const [placement] = await intake.place(caller, [body]);
    if (placement instanceof ApiError) throw placement;
    return placement && orderAnswers.of(caller.owner, placement);
  },
});

/**
 * POST /orders: places 1 to 15 orders in array order, with no other order of the owner in between.
 * Each is accepted or refused by itself; a refused order has `success: false` (wire 1.6).
 */
export const postOrders = defineRoute({
  method: 'POST',
  path: '/orders',
  summary: 'Place up to 15 signed orders',
  auth: 'l2_of_builder',
  givesWay: true,
  body: Type.Array(Type.Any(), { minItems: 1 }),
  documentedBody: Type.Array(SubmissionBody, {
    minItems: 1,
    maxItems: HTTP_BOUNDS.ordersPerRequest,
  }),
  bodyBytes: HTTP_BOUNDS.ordersBodyBytes,
  response: Type.Array(Type.Union([OrderResult, OrderRefusal])),
  // Each order counts; a batch that is too long counts as the longest allowed one.
  weight: (body) => (Array.isArray(body) ? Math.min(body.length, HTTP_BOUNDS.ordersPerRequest) : 1),
  needs: ['intake', 'orderAnswers'],
  handler: async ({ body, caller, request, services: { intake, orderAnswers } }) => {
    const limit = HTTP_BOUNDS.ordersPerRequest;
    if (body.length > limit) {
      throw new ApiError('too_many_orders', { field: 'body', limit, actual: body.length });
    }
    const placements = await intake.place(caller, body);
    return Promise.all(
      placements.map((placement) =>
        placement instanceof ApiError
          ? refusalOf(placement, request.dialect)
          : orderAnswers.of(caller.owner, placement),
      ),
    );
  },
});
