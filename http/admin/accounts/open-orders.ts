import { Type } from 'typebox';
import type { OpenOrdersQuery } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { ApiError } from '../../errors/index.ts';
import { AccountOrder, formatOrder, textFinder } from '../../format/index.ts';
import {
  addressFilter,
  hashFilter,
  OptionalText,
  OrNull,
  onlySet,
  Text,
} from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';

/** A page of open orders. Throws `invalid_parameter` if `after` is no order that was accepted. */
export async function openOrdersAfter(
  after: string | undefined,
  query: Omit<OpenOrdersQuery, 'after'>,
  { exchange }: Pick<Services, 'exchange'>,
) {
  const orderId = hashFilter(after, 'after');
  const page = await exchange.reader.openOrders({ ...query, ...onlySet({ after: orderId }) });
  if (page !== undefined) return page;
  const limit = 'the id of an order that was accepted';
  throw new ApiError('invalid_parameter', { field: 'after', limit, actual: after });
}

/**
 * GET /orders: the open orders of all owners, of one owner or in one market, oldest first; without
 * a filter by market. A page goes on after the last order of the one before, open or not.
 */
export const getOpenOrders = defineRoute({
  method: 'GET',
  path: '/orders',
  summary: 'Open orders of all owners',
  auth: 'operator',
  query: Type.Object({
    owner: OptionalText('Only orders of this owner'),
    market: OptionalText('Condition id: only orders in this market'),
    after: OptionalText('Order id: `next_after` of the page before'),
    limit: Type.Integer({
      minimum: 1,
      maximum: READ_BOUNDS.ordersPerPage,
      default: READ_BOUNDS.ordersPerPage,
    }),
  }),
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        ...AccountOrder.properties,
        owner_address: Text('The owner of the account'),
      }),
    ),
    next_after: OrNull(Type.String(), '`after` of the next page; null for none'),
  }),
  needs: ['exchange'],
  handler: async ({ query, services: { exchange } }) => {
    const page = await openOrdersAfter(
      query.after,
      {
        limit: query.limit,
        ...onlySet({
          owner: addressFilter(query.owner, 'owner'),
          conditionId: hashFilter(query.market, 'market'),
        }),
      },
      { exchange },
    );
    const textsOf = textFinder(exchange.catalog.lookup);
    const data = page.records.map((order) => ({
      ...formatOrder(order, textsOf(order.conditionId).outcomes),
      owner_address: order.owner,
    }));
    return { data, next_after: page.more ? (data.at(-1)?.id ?? null) : null };
  },
});
