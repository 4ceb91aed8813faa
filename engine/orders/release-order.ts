/**
 * The end of an order's delay: the order is executed as if it were placed now, at the fee rates of
 * its acceptance. Its price, size and balance were checked then; only the book is checked again.
 */

import { ORDER_RELEASED } from '../log/index.ts';
import { invariant, OPEN, type OrderTerms } from '../model/index.ts';
import { closeOrder, type DelayedOrder, type EngineState, feesOf } from '../state/index.ts';
import { endDelay } from './delayed-orders.ts';
import { bookFault, execute, startTaker } from './execute-order.ts';

export function releaseOrder(state: EngineState, handle: number): void {
  const { orders, ledger, taker } = state;
  const delayed = endDelay(state, handle);
  const { market, isTripped } = delayed;
  const terms = termsOf(state, handle, delayed);
  invariant((state.status | market.status) === OPEN, 'only an open market has delayed orders');
  const announcedAt = state.events.order(ORDER_RELEASED, orders, handle);
  const account = orders.account(handle);
  const token = market.tokens[orders.outcome(handle)];
  startTaker(state, terms, token, account, ledger.accounts[account]!.ownerIndex);
  taker.announcedAt = announcedAt;
  const fees = feesOf(state, handle);
  // The funds that it held are available again.
  if (fees !== undefined) taker.startFees(fees, ledger.availableMicros[account]!);
  taker.selfTrade = 'cancel_maker';
  taker.isTripped = isTripped;
  if (bookFault(state, terms, market) === undefined) {
    execute(state, terms, market, handle);
  } else {
    state.workLeft -= taker.makersChecked;
    closeOrder(state, handle, 'unmatched');
  }
}

/** The terms with which it was accepted. */
function termsOf({ orders }: EngineState, handle: number, delayed: DelayedOrder): OrderTerms {
  return {
    side: orders.side(handle),
    type: orders.type(handle),
    postOnly: orders.isPostOnly(handle),
    priceTicks: orders.priceTicks(handle),
    lots: orders.lots(handle),
    budgetMicros: delayed.budgetMicros,
    expiresAtMs: orders.expiresAtMs(handle),
  };
}
