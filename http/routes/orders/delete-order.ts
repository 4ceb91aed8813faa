import { Type } from 'typebox';
import { ANY_BODY, compileCheck, NO_PARAMETERS } from '../../api/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import { CancelResult, cancelNamed } from './cancel-result.ts';

const MAX_ID_LENGTH = 128;

const Id = Type.Optional(Type.Unknown());
const CancelBody = Type.Object({ orderId: Id, orderID: Id, order_id: Id });

/** Whatever is no object names no order: it is refused in the words for that (wire 5.7). */
const check = compileCheck(CancelBody, 'invalid_order_id');

/** The id in whichever spelling the client uses (wire 1.6). */
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

/** DELETE /order: cancels one live order. An id that is none is no failure: both keys say so. */
export const deleteOrder = defineRoute({
  method: 'DELETE',
  path: '/order',
  summary: 'Cancel an order',
  auth: 'l2',
  params: NO_PARAMETERS,
  query: NO_PARAMETERS,
  body: ANY_BODY,
  documentedBody: CancelBody,
  response: CancelResult,
  needs: ['exchange', 'registry', 'intake'],
  handler: ({ body, caller, services }) => {
    const id = idIn(body);
    return cancelNamed(services, caller, new Map([[id.toLowerCase(), id]]));
  },
});
