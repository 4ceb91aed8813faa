import { Type } from 'typebox';
import type { OrderRecord } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { echo } from '../../errors/index.ts';
import {
  AccountOrder,
  formatOrder,
  HIDDEN_KEY,
  type OutcomeLabels,
  textFinder,
} from '../../format/index.ts';
import { isHash, OptionalText, Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';

const OrderIds = Type.Array(
  Type.Object({
    orderId: OptionalText('Order id'),
    orderID: OptionalText('The same as orderId'),
    order_id: OptionalText('The same as orderId'),
  }),
  { minItems: 1, maxItems: READ_BOUNDS.listedOrders },
);

const FoundOrders = Type.Array(
  Type.Object({
    order_id: Text('As in the request'),
    status: Type.Enum([200, 400, 404]),
    order: Type.Optional(AccountOrder),
    error: OptionalText('Present unless the status is 200'),
  }),
);
type FoundOrder = Type.Static<typeof FoundOrders>[number];

function publicOrder(record: OrderRecord, labels: OutcomeLabels): AccountOrder {
  return {
    ...formatOrder(record, labels),
    owner: HIDDEN_KEY,
  };
}

/**
 * POST /data/orders: several orders by id, live or not, in the order of the request (wire 1.6).
 *
 * The route is public. An order's id is a hash of its terms and a random salt, so only its owner
 * and its counterparties can know it; they may see its terms and state. The API key is hidden, and
 * trades are left out: GET /data/order/{id} shows both to the owner.
 */
export const postDataOrders = defineRoute({
  method: 'POST',
  path: '/data/orders',
  summary: 'Several orders by id: terms and state, without API key and trades',
  auth: 'none',
  body: OrderIds,
  status: 207,
  response: FoundOrders,
  needs: ['exchange'],
  handler: async ({ body, services }) => {
    const { reader, catalog } = services.exchange;
    const ids = body.map(({ orderId, orderID, order_id }) => orderId ?? orderID ?? order_id ?? '');
    const records = await reader.orders(ids.map((id) => (isHash(id) ? id.toLowerCase() : '')));
    const textsOf = textFinder(catalog.lookup);
    return ids.map((id, index): FoundOrder => {
      const record = records[index];
      if (record !== undefined) {
        const order = publicOrder(record, textsOf(record.conditionId).outcomes);
        return { order_id: id, status: 200, order };
      }
      if (isHash(id)) return { order_id: id, status: 404, error: 'order not found' };
      return { order_id: String(echo(id)), status: 400, error: 'Invalid orderID' };
    });
  },
});
