/** What the routes that cancel orders share (wire 1.6, 5.7). */
import { Type } from 'typebox';
import type { Caller } from '../../api/index.ts';
import { haltedAmong, haltedOrders } from '../../orders/halted-orders.ts';
import type { CancelFilter, CancelOutcome } from '../../orders/intake.ts';
import { Text } from '../../parameters/index.ts';
import type { Services } from '../../services/index.ts';

const ORDER_ID = /^0x[0-9a-f]{64}$/;

/** One reason for all these orders: it must not tell if another owner's order exists (wire 5.7). */
const NOT_CANCELED = "order can't be found - already canceled or matched";

/** Reasons for orders of the caller. */
const HALTED = "the market is halted - the order can't be canceled until trading resumes";
const DELAYED = "the order is delayed by its market - it can't be canceled until the delay ends";

export const CancelResult = Type.Object({
  canceled: Type.Array(Text('Order id')),
  not_canceled: Type.Record(Type.String(), Type.String(), {
    description:
      'By order id, why an order was not canceled: the other named orders, and orders that stay ' +
      'because their market is halted or because they wait for its delay',
  }),
});
type CancelResult = Type.Static<typeof CancelResult>;

/**
 * Cancels the caller's live orders among those named. `spellings` has the client's spelling of each
 * id by the id in lower case. A text that can't be an order id is reported as not found, and never
 * reaches the engine.
 */
export async function cancelNamed(
  services: Pick<Services, 'exchange' | 'registry' | 'intake'>,
  caller: Caller,
  spellings: ReadonlyMap<string, string>,
): Promise<CancelResult> {
  const orderIds = [...spellings.keys()].filter((orderId) => ORDER_ID.test(orderId));
  const outcome = await services.intake.cancel(caller, orderIds);
  return reportCancel(services, caller.owner, { spellings, outcome });
}

interface NamedCancel {
  /** The client's spelling of each id, by the id in lower case. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly outcome: CancelOutcome;
}

/** Which of the named orders were cancelled, and why the others were not. */
export async function reportCancel(
  services: Pick<Services, 'exchange' | 'registry'>,
  owner: string,
  { spellings, outcome }: NamedCancel,
): Promise<CancelResult> {
  const orderIds = [...spellings.keys()].filter((orderId) => ORDER_ID.test(orderId));
  const [closed, delayed] = [new Set(outcome.canceled), new Set(outcome.delayed)];
  const missed = orderIds.filter((orderId) => !closed.has(orderId) && !delayed.has(orderId));
  const halted = await haltedAmong(services, owner, missed);
  const reasonOf = (orderId: string): string => {
    if (delayed.has(orderId)) return DELAYED;
    return halted.has(orderId) ? HALTED : NOT_CANCELED;
  };
  const canceled: string[] = [];
  const others: [string, string][] = [];
  for (const [orderId, text] of spellings) {
    if (closed.has(orderId)) canceled.push(text);
    else others.push([text, reasonOf(orderId)]);
  }
  return { canceled, not_canceled: Object.fromEntries(others) };
}

/** Cancels the caller's orders that pass a filter. */
export async function cancelFiltered(
  services: Pick<Services, 'exchange' | 'registry' | 'intake' | 'limits'>,
  caller: Caller,
  filter: CancelFilter,
): Promise<CancelResult> {
  const { canceled, delayed } = await services.intake.cancelAll(caller, filter);
  services.limits.chargeCanceled(caller.owner, canceled.length);
  const halted = await haltedOrders(services, caller.owner, filter);
  const others = [
    ...halted.map((orderId) => [orderId, HALTED] as const),
    ...delayed.map((orderId) => [orderId, DELAYED] as const),
  ];
  return { canceled: [...canceled], not_canceled: Object.fromEntries(others) };
}
