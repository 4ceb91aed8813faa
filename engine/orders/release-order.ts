/**
 * The end of an order's delay: it is executed as if it were placed now, by the fees of its
 * acceptance. Its price, size and balance were judged then; the book is met as it is now, and no
 * order of its owner keeps it from trading (delayed-orders.ts).
 */

import { invariant, OPEN } from '../model/index.ts';
import { type Core, closeOrder, feesOf } from '../state/index.ts';
import { stopWaiting } from './delayed-orders.ts';
import { beginTaker, bookFault, execute } from './place-order.ts';

/** A delayed order whose delay is over. */
export function releaseOrder(core: Core, handle: number): void {
  const { command, market, isTripped } = stopWaiting(core, handle);
  const { orderId, account } = command;
  const { conditionId } = market.terms;
  const token = core.findToken(command.tokenId);
  invariant(token !== undefined, 'the token of an accepted order stays known');
  invariant((core.status | market.status) === OPEN, 'orders wait only where all is open');
  core.events.push({ kind: 'order_released', orderId, account, conditionId });
  const accountIndex = core.orders.account(handle);
  beginTaker(core, command, token, accountIndex);
  const fees = feesOf(core, handle);
  // What it held is there to be drawn on again.
  if (fees !== undefined) core.taker.beginFees(fees, core.ledger.availableMicros[accountIndex]!);
  core.taker.selfTrade = 'cancel_maker';
  core.taker.isTripped = isTripped;
  if (bookFault(core, command, market) === undefined) execute(core, command, market, handle);
  else closeOrder(core, handle, 'unmatched', orderId);
}
