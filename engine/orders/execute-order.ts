/**
 * Executing an accepted order: setting up the taker, checking it against the book, and matching it.
 * New orders and released orders are executed in the same way. An order that meets more resting
 * orders than a command does is `unfinished`: the next command continues it before anything else.
 */

import { NONE } from '../book/index.ts';
import { ORDER_CONTINUED } from '../log/index.ts';
import type { OrderTerms, RejectCode, RejectDetails } from '../model/index.ts';
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

/** Sets up `state.taker`; `account` and `owner` are NONE if they open with the order. */
export function startTaker(
  state: EngineState,
  terms: OrderTerms,
  token: Token,
  account: number,
  owner: number,
): void {
  const { taker } = state;
  taker.account = account;
  taker.ownerIndex = owner;
  taker.position = state.positions.find(account, token.market.index);
  taker.start(terms, token.market, token.outcome);
}

/** Why the book does not permit an order. */
interface BookFault extends RejectDetails {
  readonly code: RejectCode;
}

/** Checks `state.taker` against the present book. Changes nothing. */
export function bookFault(
  state: EngineState,
  terms: OrderTerms,
  market: Market,
): BookFault | undefined {
  const { taker } = state;
  const best = bestOpposite(market, taker);
  if (terms.postOnly) {
    if (!taker.crosses(best)) return undefined;
    const limit = taker.priceAt(market, best);
    const actual = terms.priceTicks;
    return { code: 'post_only_would_cross', field: 'priceTicks', limit, actual };
  }
  const oppositeCount = taker.isBid ? market.book.askCount : market.book.bidCount;
  // A FOK or FAK needs a dry run; an order that can rest, only if it can reach the bound.
  if (canRest(terms) && oppositeCount <= state.bounds.fillsPerCommand) return undefined;
  const { fees } = taker;
  // Fees limit only what a budget buys, and to compute them takes longer than the rest.
  if (!taker.isBudget) taker.fees = undefined;
  const hitBound = dryRun(state, market, terms.type === 'FAK');
  const fault = dryRunFault(state, terms, market, hitBound);
  taker.fees = fees;
  taker.makersChecked = taker.makersMet;
  taker.reset(terms);
  return fault;
}

function dryRunFault(
  state: EngineState,
  terms: OrderTerms,
  market: Market,
  hitBound: boolean,
): BookFault | undefined {
  const { taker } = state;
  const field = taker.isBudget ? 'budgetMicros' : 'lots';
  const fills = taker.filledLots > 0;
  if (hitBound && !(terms.type === 'FAK' && fills)) {
    return { code: 'too_many_fills', field, limit: state.bounds.fillsPerCommand };
  }
  if (terms.type === 'FOK' && !(fills && taker.isSatisfied())) {
    const limit = taker.isBudget ? taker.filledMicros : taker.filledLots;
    return { code: 'fill_or_kill_unfilled', field, limit, actual: terms[field] };
  }
  if (terms.type === 'FAK' && !fills) {
    const best = bestOpposite(market, taker);
    const actual = terms.priceTicks;
    const limit = best === NONE ? {} : { limit: taker.priceAt(market, best) };
    return { code: 'nothing_to_match', field: 'priceTicks', ...limit, actual };
  }
  return undefined;
}

/** Continues the order that the last command left unfinished. */
export function continueOrder(state: EngineState, unfinished: UnfinishedOrder): void {
  const { handle, terms, market, taker } = unfinished;
  state.unfinished = undefined;
  state.taker = taker;
  taker.resume();
  // The command before left this to the last one.
  noteFinerTickCandidate(state, market);
  taker.announcedAt = state.events.order(ORDER_CONTINUED, state.orders, handle);
  execute(state, terms, market, handle);
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
export function execute(
  state: EngineState,
  terms: OrderTerms,
  market: Market,
  handle: number,
): void {
  const { orders, taker } = state;
  match(state, market);
  // The size of an order with a budget is what it bought.
  const size = taker.isBudget ? taker.filledLots : terms.lots;
  orders.setFilled(handle, size, taker.leftLots, taker.filledMicros);
  if (taker.isUnfinished) {
    suspend(state, terms, market, handle);
  } else if (taker.isSatisfied()) {
    closeOrder(state, handle, 'matched');
  } else if (taker.stoppedBySelfTrade) {
    closeOrder(state, handle, 'self_trade');
  } else if (!canRest(terms)) {
    closeOrder(state, handle, 'remainder_released');
  } else if (taker.isTripped) {
    closeOrder(state, handle, 'switch_tripped');
  } else {
    restOrder(state, market, handle);
    reportLevel(state, market, taker.limitLevel, taker.isBid);
  }
  checkMarket(state, market);
}
