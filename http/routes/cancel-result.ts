/** What the routes that cancel orders have in common (wire 1.6, 5.7). */
import { Type } from 'typebox';
import { haltedAmong, haltedOrders } from '../orders/halted-orders.ts';
import type { CancelFilter } from '../orders/intake.ts';
import type { Caller } from '../route.ts';
import type { Services } from '../services.ts';

const ORDER_ID = /^0x[0-9a-f]{64}$/;

/** One reason for all: whether an order of somebody else exists is not told (wire 5.7). */
const NOT_CANCELED = "order can't be found - already canceled or matched";

/** Of an order of the caller's own. */
const HALTED = 'the market is halted - the order stays until trading goes on';

export const CancelResult = Type.Object({
  canceled: Type.Array(Type.String({ description: 'Order id' })),
  not_canceled: Type.Record(Type.String(), Type.String(), {
    description:
      'Why each of the other orders was not canceled, by its id: those that were named, ' +
      'and those that stay because their market is halted',
  }),
});
type CancelResult = Type.Static<typeof CancelResult>;

/**
 * Cancels those of the named orders that are live and the caller's. They are named by the id as the
 * engine knows it, each with the spelling in which it is told; a text that can't be an order id is
 * an order that can't be found, and never reaches the engine.
 */
export const cancelNamed = async (
  services: Services,
  caller: Caller,
  spellings: ReadonlyMap<string, string>,
): Promise<CancelResult> => {
  const orderIds = [...spellings.keys()].filter((orderId) => ORDER_ID.test(orderId));
  const closed = await services.intake.cancel(caller, orderIds);
  const missed = orderIds.filter((orderId) => !closed.has(orderId));
  const halted = await haltedAmong(services, caller.owner, missed);
  const canceled: string[] = [];
  const others: [string, string][] = [];
  for (const [orderId, text] of spellings) {
    if (closed.has(orderId)) canceled.push(text);
    else others.push([text, halted.has(orderId) ? HALTED : NOT_CANCELED]);
  }
  return { canceled, not_canceled: Object.fromEntries(others) };
};

/** Cancels the caller's orders that pass a filter: it names none that it could have missed. */
export const cancelFiltered = async (
  services: Services,
  caller: Caller,
  filter: CancelFilter,
): Promise<CancelResult> => {
  const canceled = await services.intake.cancelAll(caller, filter);
  const halted = await haltedOrders(services, caller.owner, filter);
  return {
    canceled,
    not_canceled: Object.fromEntries(halted.map((orderId) => [orderId, HALTED])),
  };
};
