import { Type } from 'typebox';
import { NO_PARAMETERS } from '../../api/index.ts';
import { HTTP_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { CancelResult, cancelNamed } from './cancel-result.ts';

/** The ids as the engine knows them, each with its first spelling. */
function spellingsIn(body: readonly unknown[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const [index, text] of body.entries()) {
    if (typeof text !== 'string') {
      const details = { limit: 'a text', actual: echo(text) };
      throw new ApiError('invalid_order_id', { field: String(index), ...details });
    }
    const orderId = text.toLowerCase();
    if (!spellings.has(orderId)) spellings.set(orderId, text);
  }
  return spellings;
}

/**
 * DELETE /orders: cancels those of the named orders that are live and the caller's, all at one
 * moment. Each is listed once, as it was first written.
 */
export const deleteOrders = defineRoute({
  method: 'DELETE',
  path: '/orders',
  summary: `Cancel up to ${HTTP_BOUNDS.ordersPerCancel} orders`,
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: Type.Array(Type.Unknown()),
  documentedBody: Type.Array(Type.String({ description: 'Order id' }), {
    maxItems: HTTP_BOUNDS.ordersPerCancel,
  }),
  bodyBytes: HTTP_BOUNDS.ordersBodyBytes,
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake'],
  handler: ({ body, caller, services }) => {
    const limit = HTTP_BOUNDS.ordersPerCancel;
    if (body.length > limit) {
      throw new ApiError('too_many_order_ids', { field: 'body', limit, actual: body.length });
    }
    return cancelNamed(services, caller, spellingsIn(body));
  },
});
