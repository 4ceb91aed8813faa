import { ANY_BODY, NO_PARAMETERS } from '../../api/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OrderRefusal, OrderResult, refusalKeys, SubmissionBody } from '../../orders/index.ts';
import { defineRoute } from '../../services/index.ts';

/** POST /order: places one order; a refusal is a 4xx that carries the whole result (wire 3.10). */
export const postOrder = defineRoute({
  method: 'POST',
  path: '/order',
  summary: 'Place a signed order',
  auth: 'l2',
  givesWay: true,
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: ANY_BODY,
  documentedBody: SubmissionBody,
  response: OrderResult,
  failure: OrderRefusal,
  failureKeys: refusalKeys,
  needs: ['intake'],
  handler: async ({ body, caller, services }) => {
    const [placement] = await services.intake.place(caller, [body]);
    if (placement instanceof ApiError) throw placement;
    return placement;
  },
});
