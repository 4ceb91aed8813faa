/** The routes that cancel orders by id (wire 1.6, 5.7). */
import { Type } from 'typebox';
import { ANY_BODY, compileCheck } from '../../api/index.ts';
import { HTTP_BOUNDS } from '../../bounds/sizes.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { CancelResult, cancelNamed } from './cancel-result.ts';

const MAX_ID_LENGTH = 128;

const Id = Type.Optional(Type.Unknown());
const CancelBody = Type.Object({ orderId: Id, orderID: Id, order_id: Id });

/** A body that is not an object names no order, so it gets the same error (wire 5.7). */
const check = compileCheck(CancelBody, 'invalid_order_id');

/** The id, in any of the clients' spellings of its key. */
function idIn(body: unknown): string {
  const { orderId, orderID, order_id } = check(body);
  const id = orderId ?? orderID ?? order_id;
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH) return id;
  throw new ApiError('invalid_order_id', {
    field: 'orderId',
    limit: `a text of 1 to ${MAX_ID_LENGTH} characters`,
    actual: echo(id) ?? null,
  });
}

/** DELETE /order: cancels one live order. A malformed id is listed under `not_canceled`. */
export const deleteOrder = defineRoute({
  method: 'DELETE',
  path: '/order',
  summary: 'Cancel an order',
  auth: 'l2',
  body: ANY_BODY,
  documentedBody: Type.Object({ orderID: Text('The order; also as `orderId` or `order_id`') }),
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake'],
  handler: ({ body, caller, services }) => {
    const id = idIn(body);
    return cancelNamed(services, caller, new Map([[id.toLowerCase(), id]]));
  },
});

/** The ids in lower case, each with its first spelling. */
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
 * DELETE /orders: cancels the caller's live orders among those named, all in one command. Each is
 * listed once, in its first spelling.
 */
export const deleteOrders = defineRoute({
  method: 'DELETE',
  path: '/orders',
  summary: `Cancel up to ${HTTP_BOUNDS.ordersPerCancel} orders`,
  auth: 'l2',
  body: Type.Array(Type.Unknown()),
  documentedBody: Type.Array(Text('Order id'), {
    maxItems: HTTP_BOUNDS.ordersPerCancel,
  }),
  bodyBytes: HTTP_BOUNDS.ordersBodyBytes,
  response: CancelResult,
  // Each id counts for the limits of a signer.
  weight: (body) =>
    Array.isArray(body) ? Math.min(Math.max(1, body.length), HTTP_BOUNDS.ordersPerCancel) : 1,
  needs: ['exchange', 'registry', 'intake'],
  handler: ({ body, caller, services }) => {
    const limit = HTTP_BOUNDS.ordersPerCancel;
    if (body.length > limit) {
      throw new ApiError('too_many_order_ids', { field: 'body', limit, actual: body.length });
    }
    return cancelNamed(services, caller, spellingsIn(body));
  },
});
