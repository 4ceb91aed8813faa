/**
 * Executing an accepted order: setting up the taker, checking it against the book, and matching it.
 * New orders and released orders are executed in the same way. An order that meets more resting
 * orders than a command does is `unfinished`: the next command continues it before anything else.
 */

import { NONE } from '../book/index.ts';
import type { PlaceOrder, RejectCode, RejectDetails } from '../model/index.ts';
import {
  checkMarket,
  closeOrder,
  type EngineState,
  enlist,
  type Market,
  noteFinerTickCandidate,
  reportLevel,
  restOrder,
  Taker,
  type Token,
  type UnfinishedOrder,
} from '../state/index.ts';
import { bestOpposite, dryRun, match } from './matching.ts';
import { canRest } from './order-checks.ts';

/** Sets up `state.taker`; `account` is NONE for an account that opens with the order. */
export function startTaker(
  state: EngineState,
  command: PlaceOrder,
  token: Token,
  account: number,
): void {
  const { taker, ledger } = state;
  taker.account = account;
  // An existing account's owner was compared with the command's; only a new one needs a look-up.
  taker.ownerIndex =
    account === NONE ? ledger.findOwnerIndex(command.owner) : ledger.accounts[account]!.ownerIndex;
  taker.position = state.positions.find(account, token.market.index);
  taker.start(command, token.market, token.outcome);
}

/** Why the book does not permit an order. */
interface BookFault extends RejectDetails {
  readonly code: RejectCode;
}

/** Checks `state.taker` against the present book. Changes nothing. */
export function bookFault(
  state: EngineState,
  command: PlaceOrder,
  market: Market,
): BookFault | undefined {
  const { taker } = state;
  const best = bestOpposite(market, taker);
  if (command.postOnly) {
    if (!taker.crosses(best)) return undefined;
    const limit = taker.priceAt(market, best);
    const actual = command.priceTicks;
    return { code: 'post_only_would_cross', field: 'priceTicks', limit, actual };
  }
  const oppositeCount = taker.isBid ? market.book.askCount : market.book.bidCount;
  // A FOK or FAK needs a dry run; an order that can rest, only if it can reach the bound.
  if (canRest(command) && oppositeCount <= state.bounds.fillsPerCommand) return undefined;
  const { fees } = taker;
  // Fees limit only what a budget buys, and to compute them takes longer than the rest.
  if (!taker.isBudget) taker.fees = undefined;
  const hitBound = dryRun(state, market, command.type === 'FAK');
  const fault = dryRunFault(state, command, market, hitBound);
  taker.fees = fees;
  taker.makersChecked = taker.makersMet;
  taker.reset(command);
  return fault;
}

function dryRunFault(
  state: EngineState,
  command: PlaceOrder,
  market: Market,
  hitBound: boolean,
): BookFault | undefined {
  const { taker } = state;
  const field = taker.isBudget ? 'budgetMicros' : 'lots';
  const fills = taker.filledLots > 0;
  if (hitBound && !(command.type === 'FAK' && fills)) {
    return { code: 'too_many_fills', field, limit: state.bounds.fillsPerCommand };
  }
  if (command.type === 'FOK' && !(fills && taker.isSatisfied())) {
    const limit = taker.isBudget ? taker.filledMicros : taker.filledLots;
    return { code: 'fill_or_kill_unfilled', field, limit, actual: command[field] };
  }
  if (command.type === 'FAK' && !fills) {
    const best = bestOpposite(market, taker);
    const actual = command.priceTicks;
    const limit = best === NONE ? {} : { limit: taker.priceAt(market, best) };
    return { code: 'nothing_to_match', field: 'priceTicks', ...limit, actual };
  }
  return undefined;
}

/** Continues the order that the last command left unfinished. */
export function continueOrder(state: EngineState, unfinished: UnfinishedOrder): void {
  const { handle, command, market, taker } = unfinished;
  const { orderId, account } = command;
  const { conditionId } = market.terms;
  state.unfinished = undefined;
  state.taker = taker;
  taker.resume();
  // The command before left this to the last one.
  noteFinerTickCandidate(state, market);
  state.events.push({ kind: 'order_continued', orderId, account, conditionId });
  execute(state, command, market, handle);
}

/** Keeps the taker for the next command, as a live order. */
function suspend(state: EngineState, command: PlaceOrder, market: Market, handle: number): void {
  state.unfinished = { handle, command, market, taker: state.taker };
  state.taker = new Taker();
  // A delayed order has been live since its acceptance.
  if (!state.orders.isLive(handle)) enlist(state, handle);
}

/**
 * Matches `state.taker` as far as possible; the rest of the order rests or is closed. If the work
 * of the command is done before, the order is unfinished.
 */
export function execute(
  state: EngineState,
  command: PlaceOrder,
  market: Market,
  handle: number,
): void {
  const { orders, taker } = state;
  const { orderId } = command;
  match(state, market);
  // The size of an order with a budget is what it bought.
  const size = taker.isBudget ? taker.filledLots : command.lots;
  orders.setFilled(handle, size, taker.leftLots, taker.filledMicros);
  if (taker.isUnfinished) {
    suspend(state, command, market, handle);
  } else if (taker.isSatisfied()) {
    closeOrder(state, handle, 'matched', orderId);
  } else if (taker.stoppedBySelfTrade) {
    closeOrder(state, handle, 'self_trade', orderId);
  } else if (!canRest(command)) {
    closeOrder(state, handle, 'remainder_released', orderId);
  } else if (taker.isTripped) {
    closeOrder(state, handle, 'switch_tripped', orderId);
  } else {
    restOrder(state, market, handle);
    reportLevel(state, market, taker.limitLevel, taker.isBid);
  }
  checkMarket(state, market);
}
