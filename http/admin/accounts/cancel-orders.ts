import { type Static, Type } from 'typebox';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { hashFilter, hashIn, OptionalText, OrNull, onlySet, Text } from '../../parameters/index.ts';
import { CancelResult, reportCancel } from '../../routes/orders/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { addressIn } from '../../views/index.ts';
import { ATTRIBUTION, saidIn } from '../shared/action-route.ts';
import { openOrdersAfter } from './open-orders.ts';

const MOST = READ_BOUNDS.ordersPerPage;

const CancelBody = Type.Object({
  order_ids: Type.Optional(
    Type.Array(Text('Order id'), {
      minItems: 1,
      maxItems: MOST,
      description: 'Only these orders; without it the oldest open orders',
    }),
  ),
  market: OptionalText('Condition id: only orders in this market; not with order_ids'),
  after: OptionalText('Order id: `next_after` of the answer before; not with order_ids'),
  ...ATTRIBUTION,
});

/** The orders to cancel, and where the next request goes on. Throws for an unknown `after`. */
async function chosenOrders(
  owner: string,
  { order_ids, market, after }: Static<typeof CancelBody>,
  services: Pick<Services, 'exchange'>,
): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
  if (order_ids !== undefined) {
    const other = market !== undefined ? 'market' : 'after';
    if ((market ?? after) !== undefined) {
      const details = { field: other, limit: 'left out where order_ids is given' };
      throw new ApiError('invalid_payload', { ...details, actual: market ?? after });
    }
    return { ids: order_ids.map((id, index) => hashIn(id, `order_ids.${index}`)), next: null };
  }
  const filter = { owner, limit: MOST, ...onlySet({ conditionId: hashFilter(market, 'market') }) };
  const { records, more } = await openOrdersAfter(after, filter, services);
  const ids = records.map(({ orderId }) => orderId);
  return { ids, next: more ? (ids.at(-1) ?? null) : null };
}

/**
 * DELETE /owners/{address}/orders: cancels open orders of an owner, the oldest first, as many as a
 * page has; `next_after` goes on. Each request is one action. Orders that the owner sends meanwhile
 * are placed: restrict the owner first (`POST /owners/{address}/standing`) to keep it from trading.
 */
export const deleteOwnerOrders = defineRoute({
  method: 'DELETE',
  path: '/owners/{address}/orders',
  summary: 'Cancel open orders of an owner',
  auth: 'operator',
  params: Type.Object({ address: Text('The externally owned address that signs') }),
  body: CancelBody,
  response: Type.Object({
    ...CancelResult.properties,
    next_after: OrNull(Type.String(), '`after` of the next request; null if there are no more'),
  }),
  needs: ['exchange', 'registry', 'intake'],
  handler: async ({ params, body, caller, services }) => {
    const said = saidIn(body, caller);
    const owner = addressIn('address', params.address);
    const { ids, next } = await chosenOrders(owner, body, services);
    if (ids.length === 0) return { canceled: [], not_canceled: {}, next_after: null };
    const outcome = await services.intake.cancelAtOnce({ owner }, ids, said);
    const spellings = new Map(ids.map((id) => [id, id]));
    return { ...(await reportCancel(services, owner, { spellings, outcome })), next_after: next };
  },
});
