/**
 * The end of an order's delay: the order is executed as if it were placed now, at the fee rates of
 * its acceptance. Its price, size and balance were checked then; only the book is checked again.
 */

import { invariant, OPEN } from '../model/index.ts';
import { closeOrder, type EngineState, feesOf } from '../state/index.ts';
import { endDelay } from './delayed-orders.ts';
import { bookFault, execute, startTaker } from './execute-order.ts';

export function releaseOrder(state: EngineState, handle: number): void {
  const { command, market, isTripped } = endDelay(state, handle);
  const { orderId, account } = command;
  const { conditionId } = market.terms;
  const token = state.findToken(command.tokenId);
  invariant(token !== undefined, 'the token of an accepted order exists');
  invariant((state.status | market.status) === OPEN, 'only an open market has delayed orders');
  state.events.push({ kind: 'order_released', orderId, account, conditionId });
  const accountIndex = state.orders.account(handle);
  startTaker(state, command, token, accountIndex);
  const fees = feesOf(state, handle);
  // The funds that it held are available again.
  if (fees !== undefined) state.taker.startFees(fees, state.ledger.availableMicros[accountIndex]!);
  state.taker.selfTrade = 'cancel_maker';
  state.taker.isTripped = isTripped;
  if (bookFault(state, command, market) === undefined) {
    execute(state, command, market, handle);
  } else {
    state.workLeft -= state.taker.makersChecked;
    closeOrder(state, handle, 'unmatched', orderId);
  }
}
