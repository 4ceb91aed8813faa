/**
 * The end of an order's delay: it is executed as if it were placed now, by the terms and fees of
 * its acceptance. Its price, size and balance were judged then; the book is met as it is now.
 */
import { type Core, closeOrder } from './core.ts';
import { stopWaiting } from './delayed-orders.ts';
import { invariant } from './invariant.ts';
import { OPEN } from './market-status.ts';
import { beginTaker, bookFault, execute } from './place-order.ts';

/** A delayed order whose delay is over. */
export function releaseOrder(core: Core, handle: number): void {
  const { command, terms } = stopWaiting(core, handle);
  const { orderId, account } = command;
  const { conditionId } = terms;
  const token = core.findToken(command.tokenId);
  invariant(token !== undefined, 'the token of an accepted order stays known');
  const { market } = token;
  invariant((core.status | market.status) === OPEN, 'orders wait only where all is open');
  core.events.push({ kind: 'order_released', orderId, account, conditionId });
  beginTaker(core, command, token, core.orders.account(handle));
  core.taker.selfTrade = terms.selfTrade;
  if (bookFault(core, command, market) === undefined) execute(core, command, market, handle);
  else closeOrder(core, handle, 'unmatched');
}
