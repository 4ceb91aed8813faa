/**
 * An order from its acceptance on. A new order that passes all checks (check-order.ts) is accepted,
 * and executed or delayed; a delayed one is executed at its release. Executing matches it
 * (matching.ts); the rest of the order rests or is closed. An order that meets more resting orders
 * than one command does is `unfinished`: the next command continues it before anything else. A
 * refused order changes nothing.
 */

import { addAccount } from '../accounts/open-account.ts';
import { NONE, traitsOf } from '../book/index.ts';
import {
  invariant,
  type Lots,
  type Micros,
  OPEN,
  type OrderAnswer,
  type OrderInput,
  type OrderPreview,
  type OrderTerms,
} from '../model/index.ts';
import { checkMarket } from '../state/collateral.ts';
import type { DelayedOrder, EngineState, UnfinishedOrder } from '../state/engine-state.ts';
import {
  announce,
  closeOrder,
  enlist,
  feesOf,
  noteFinerTickCandidate,
  reportLevel,
  restOrder,
} from '../state/live-orders.ts';
import type { Market } from '../state/market.ts';
import { Taker } from '../state/taker.ts';
import { bookFault, canRest, checkOrder, startTaker } from './check-order.ts';
import { delayMsFor, delayOrder, endDelay } from './delayed-orders.ts';
import { dryRun, match } from './matching.ts';

export function placeOrder(state: EngineState, input: OrderInput): void {
  const { taker } = state;
  const answer = checkOrder(state, state.timeMs, input, taker);
  if (answer !== undefined) {
    state.events.push(answer);
    return;
  }
  const { market } = state.token(input.token)!;
  if (taker.account === NONE) openTakerAccount(state, input);
  const handle = accept(state, input, market);
  if (delayMsFor(taker, market) > 0) delayOrder(state, input, market, handle);
  else execute(state, input, market, handle);
}

/** What an order that passes all checks would do. */
type Outlook = Omit<OrderPreview, 'event'>;

/** What would happen to an order that is placed at `timeMs`. Changes nothing. */
export function previewOrder(
  state: EngineState,
  timeMs: number,
  input: OrderInput,
): OrderAnswer | Outlook {
  const taker = new Taker();
  const answer = checkOrder(state, timeMs, input, taker);
  if (answer !== undefined) return answer;
  const { market } = state.token(input.token)!;
  const delayMs = delayMsFor(taker, market);
  dryRun(state, taker, market, false);
  const { filledLots, filledMicros, leftLots, stoppedBySelfTrade } = taker;
  const rests = canRest(input) && !stoppedBySelfTrade;
  return {
    filledLots,
    filledMicros,
    restingLots: rests ? leftLots : (0 as Lots),
    feeMicros: taker.fees?.chargedMicros ?? (0 as Micros),
    delayMs,
  };
}

/** Opens the account of an order that passed all checks. */
function openTakerAccount(state: EngineState, { opens }: OrderInput): void {
  const account = addAccount(state, opens!);
  state.taker.account = account;
  state.taker.ownerIndex = state.ledger.accounts[account]!.ownerIndex;
}

/** Stores an order that passed all checks and reports its acceptance. Returns its handle. */
function accept(state: EngineState, input: OrderInput, market: Market): number {
  const { orders, taker } = state;
  if (taker.position === NONE) taker.position = state.positions.add(taker.account, market.index);
  const handle = orders.allocate(input.orderId, traitsOf(taker.outcome, input));
  state.ids.add(state.ids.hash(input.orderId, 0), handle);
  orders.setOwner(handle, taker.account, market.index, taker.position);
  orders.setPriceTicks(handle, input.priceTicks);
  orders.setTimes(handle, state.seq, state.timeMs, input.expiresAtMs);
  if (taker.fees !== undefined) {
    orders.setHasFees(handle);
    state.orderFees.set(handle, taker.fees);
  }
  taker.orderId = announce(state, 'order_accepted', handle);
  return handle;
}

/**
 * Ends an order's delay: it is executed as if it were placed now, at the fee rates of its
 * acceptance. Its price, size and balance were checked then; only the book is checked again.
 */
export function releaseOrder(state: EngineState, handle: number): void {
  const { orders, ledger, taker } = state;
  const delayed = endDelay(state, handle);
  const { market, isTripped } = delayed;
  const terms = termsOf(state, handle, delayed);
  invariant((state.status | market.status) === OPEN, 'only an open market has delayed orders');
  taker.orderId = announce(state, 'order_released', handle);
  const account = orders.account(handle);
  const token = market.tokens[orders.outcome(handle)];
  startTaker(state, taker, terms, token, account, ledger.accounts[account]!.ownerIndex);
  const fees = feesOf(state, handle);
  // The funds that it held are available again.
  if (fees !== undefined) taker.startFees(fees, ledger.availableMicros[account]!);
  taker.selfTrade = 'cancel_maker';
  taker.isTripped = isTripped;
  if (bookFault(state, taker, terms, market) === undefined) {
    execute(state, terms, market, handle);
  } else {
    state.workLeft -= taker.makersChecked;
    closeOrder(state, handle, 'unmatched', taker.orderId);
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
  };
}

/** Continues the order that the last command left unfinished. */
export function continueOrder(state: EngineState, unfinished: UnfinishedOrder): void {
  const { handle, terms, market, taker } = unfinished;
  state.unfinished = undefined;
  state.taker = taker;
  taker.resume();
  // The command before left this to the last one.
  noteFinerTickCandidate(state, market);
  announce(state, 'order_continued', handle, taker.orderId);
  if (state.orders.endsAtMs(handle) <= state.timeMs)
    closeOrder(state, handle, 'expired', taker.orderId);
  else execute(state, terms, market, handle);
}

/** Keeps the taker for the next command, as a live order. */
function suspend(state: EngineState, terms: OrderTerms, market: Market, handle: number): void {
  state.unfinished = { handle, terms: { ...terms }, market, taker: state.taker };
  state.taker = new Taker();
  // A delayed order has been live since its acceptance.
  if (!state.orders.isLive(handle)) enlist(state, handle);
}

/**
 * Matches `state.taker` as far as possible; the rest of the order rests or is closed. If the work
 * of the command is done before, the order is unfinished.
 */
function execute(state: EngineState, terms: OrderTerms, market: Market, handle: number): void {
  const { orders, taker } = state;
  match(state, market);
  // The size of an order with a budget is what it bought.
  const size = taker.isBudget ? taker.filledLots : terms.lots;
  orders.setFilled(handle, size, taker.leftLots, taker.filledMicros);
  if (taker.isUnfinished) {
    suspend(state, terms, market, handle);
  } else if (taker.isSatisfied()) {
    closeOrder(state, handle, 'matched', taker.orderId);
  } else if (taker.stoppedBySelfTrade) {
    closeOrder(state, handle, 'self_trade', taker.orderId);
  } else if (!canRest(terms)) {
    closeOrder(state, handle, 'remainder_released', taker.orderId);
  } else if (taker.isTripped) {
    closeOrder(state, handle, 'switch_tripped', taker.orderId);
  } else {
    restOrder(state, market, handle);
    reportLevel(state, market, taker.limitLevel, taker.isBid);
  }
  checkMarket(state, market);
}
