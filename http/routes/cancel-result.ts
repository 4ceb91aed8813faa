/** What the routes that cancel orders have in common (wire 1.6, 5.7). */
import { Type } from 'typebox';

/** One reason for all: whether an order of somebody else exists is not told (wire 5.7). */
export const NOT_CANCELED = "order can't be found - already canceled or matched";

export const CancelResult = Type.Object({
  canceled: Type.Array(Type.String({ description: 'Order id' })),
  not_canceled: Type.Record(Type.String(), Type.String(), {
    description: 'Why each of the other orders that were named was not canceled, by its id',
  }),
});
export type CancelResult = Type.Static<typeof CancelResult>;

/** The result of a cancel that named no orders: there is none that it could have missed. */
export const allCanceled = (orderIds: readonly string[]): CancelResult => ({
  canceled: [...orderIds],
  not_canceled: {},
});
