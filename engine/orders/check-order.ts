/**
 * The checks of an order, in a fixed order of precedence: the id (so that a retry is answered
 * whatever has changed since), account, owner and standing, the market and its state, times, price,
 * size, live orders, balance, the book, and last the bounds of delayed orders. A check returns its
 * fault, which is the event that answers the order. Nothing changes but the taker, which is set up
 * on the way.
 */

import { openingFault, standingFault } from '../accounts/open-account.ts';
import { ID_WORDS, NONE, placeOf, writeOrderId } from '../book/index.ts';
import { OrderFees } from '../fees/order-fees.ts';
import {
  isWhole,
  ONE_TICKS,
  type OrderAnswer,
  type OrderInput,
  type OrderTerms,
  type Rejected,
} from '../model/index.ts';
import { cashFault, marketFault, tokenFault } from '../state/checks.ts';
import { type EngineState, refusal } from '../state/engine-state.ts';
import type { Market, Token } from '../state/market.ts';
import { type Taker, takesBudget } from '../state/taker.ts';
import { delayMsFor } from './delayed-orders.ts';
import { bestOpposite, dryRun } from './matching.ts';

/** The largest time that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

/** Whether an order can rest on the book. */
export function canRest({ type }: Pick<OrderTerms, 'type'>): boolean {
  return type === 'GTC' || type === 'GTD';
}

/**
 * Checks an order that is placed at `timeMs`, and sets up its taker. Returns why it is refused, or
 * that it is known; undefined for an order that may be accepted.
 */
export function checkOrder(
  state: EngineState,
  timeMs: number,
  input: OrderInput,
  taker: Taker,
): OrderAnswer | undefined {
  const early = idFault(state, input) ?? accountFault(state, input) ?? ownerFault(state, input);
  if (early !== undefined) return early;
  const token = state.token(input.token);
  if (token === undefined) {
    const actual = input.names?.tokenId ?? input.token;
    return refusal('token_unknown', { field: 'tokenId', actual });
  }
  const { market } = token;
  const fault =
    marketFault(state, market) ??
    timesFault(input, timeMs) ??
    priceFault(input, market) ??
    amountFault(state, input, market) ??
    // A FOK or FAK counts only if it is delayed.
    (canRest(input) ? roomFault(state, input) : undefined);
  if (fault !== undefined) return fault;
  startTaker(state, taker, input, token, input.account, input.owner);
  startFees(state, taker, input, market);
  return (
    balanceFault(state, taker, input, token) ??
    bookFault(state, taker, input, market) ??
    delayFault(state, taker, input, market)
  );
}

/** Whether an order with this id was accepted before. */
function idFault(state: EngineState, input: OrderInput): OrderAnswer | undefined {
  const { orderId, idCheckedSeq: actual } = input;
  if (orderId.length !== ID_WORDS) {
    const given = input.names?.orderId ?? orderId.length;
    return refusal('order_id_malformed', { field: 'orderId', actual: given });
  }
  const known = state.ids.find(orderId);
  if (known !== NONE) return repeatedAnswer(state, input, known);
  const limit = state.recent.forgottenSeq;
  if (actual >= limit) return undefined;
  return refusal('order_id_unchecked', { field: 'idCheckedSeq', limit, actual });
}

/** The id is a hash of the signed content, so only unsigned fields can differ. */
function repeatedAnswer(state: EngineState, input: OrderInput, entry: number): OrderAnswer {
  const stored = storedOrder(state, entry);
  for (const field of ['type', 'postOnly', 'expiresAtMs'] as const) {
    if (stored[field] === input[field]) continue;
    const limit = String(stored[field]);
    return refusal('order_id_reused', { field, limit, actual: String(input[field]) });
  }
  const { acceptedSeq } = stored;
  return { kind: 'order_duplicate', orderId: writeOrderId(input.orderId, 0), acceptedSeq };
}

/** What is known of a live or recently closed order. */
function storedOrder({ orders, recent }: EngineState, entry: number) {
  if (entry >= 0) {
    return {
      type: orders.type(entry),
      postOnly: orders.isPostOnly(entry),
      expiresAtMs: orders.expiresAtMs(entry),
      acceptedSeq: orders.acceptedSeq(entry),
    };
  }
  const place = placeOf(entry);
  return {
    type: recent.type(place),
    postOnly: recent.isPostOnly(place),
    expiresAtMs: recent.expiresAtMs(place),
    acceptedSeq: recent.acceptedSeq(place),
  };
}

/** The seq at which a live or remembered order was accepted; undefined for any other id. */
export function acceptedSeqOf(state: EngineState, orderId: string): number | undefined {
  const entry = state.findOrder(orderId);
  return entry === NONE ? undefined : storedOrder(state, entry).acceptedSeq;
}

/** Whether the signer neither owns the account nor may open it with the order. */
function accountFault(state: EngineState, input: OrderInput): Rejected | undefined {
  const { account, owner, opens, names } = input;
  if (account === NONE) {
    if (opens !== undefined) return openingFault(state, opens);
    return refusal('account_unknown', { field: 'account', actual: names?.account ?? account });
  }
  const known = state.ledger.accounts[account]!;
  if (known.ownerIndex === owner) return undefined;
  return refusal('account_not_yours', { field: 'account', actual: known.address });
}

function ownerFault(
  state: EngineState,
  { account, opens, side }: OrderInput,
): Rejected | undefined {
  const owner = opens?.owner ?? state.ledger.accounts[account]!.owner;
  return standingFault(state, account, owner, side);
}

function timesFault(input: OrderInput, timeMs: number): Rejected | undefined {
  const { type, postOnly, expiresAtMs: actual } = input;
  const field = 'expiresAtMs';
  if (postOnly && !canRest(input)) {
    return refusal('post_only_needs_resting_order', { field: 'postOnly', actual: type });
  }
  if (type !== 'GTD') {
    return actual === 0
      ? undefined
      : refusal('expiration_not_allowed', { field, limit: 0, actual });
  }
  if (!isWhole(actual, 1, MAX_TIME_MS)) return refusal('expiration_required', { field, actual });
  const limit = timeMs + Math.max(input.minimumLeadMs, input.earlyEndMs + 1);
  return actual >= limit ? undefined : refusal('expiration_too_soon', { field, limit, actual });
}

function priceFault({ priceTicks: actual }: OrderInput, market: Market): Rejected | undefined {
  const tick = market.terms.tickTicks;
  const field = 'priceTicks';
  if (!isWhole(actual, tick, ONE_TICKS - tick)) {
    const limit = `${tick}..${ONE_TICKS - tick}`;
    return refusal('price_out_of_bounds', { field, limit, actual });
  }
  if (actual % tick === 0) return undefined;
  return refusal('price_off_tick', { field, limit: tick, actual });
}

/** Checks the budget of an order that has one, else the size. */
function amountFault(state: EngineState, input: OrderInput, market: Market): Rejected | undefined {
  return takesBudget(input) ? budgetFault(state, input, market) : sizeFault(state, input, market);
}

function budgetFault(
  state: EngineState,
  { lots, budgetMicros: actual }: OrderInput,
  market: Market,
): Rejected | undefined {
  const maximum = state.bounds.amountMicros;
  const field = 'budgetMicros';
  if (lots !== 0) return refusal('size_out_of_bounds', { field: 'lots', limit: 0, actual: lots });
  if (!isWhole(actual, 1, maximum)) {
    return refusal('amount_out_of_bounds', { field, limit: `1..${maximum}`, actual });
  }
  const limit = market.terms.minimumBudgetMicros;
  return actual >= limit ? undefined : refusal('budget_below_minimum', { field, limit, actual });
}

function sizeFault(state: EngineState, input: OrderInput, market: Market): Rejected | undefined {
  const { lots: actual, budgetMicros } = input;
  const maximum = state.bounds.orderLots;
  const field = 'lots';
  if (budgetMicros !== 0) {
    const details = { field: 'budgetMicros', limit: 0, actual: budgetMicros };
    return refusal('amount_out_of_bounds', details);
  }
  if (!isWhole(actual, 1, maximum)) {
    return refusal('size_out_of_bounds', { field, limit: `1..${maximum}`, actual });
  }
  const limit = market.terms.minimumLots;
  if (!canRest(input) || actual >= limit) return undefined;
  return refusal('size_below_minimum', { field, limit, actual });
}

/** Whether the bounds forbid another live order of the account or of its owner. */
function roomFault(state: EngineState, { account, owner }: OrderInput): Rejected | undefined {
  const { bounds, ledger } = state;
  const limit = bounds.liveOrdersPerAccount;
  const actual = ledger.liveOrders[account] ?? 0;
  if (actual >= limit) return refusal('too_many_live_orders', { field: 'account', limit, actual });
  const own = ledger.owners[owner]?.liveCount ?? 0;
  if (own >= bounds.liveOrdersPerOwner) {
    const details = { field: 'owner', limit: bounds.liveOrdersPerOwner, actual: own };
    return refusal('too_many_live_orders', details);
  }
  const most = own < bounds.quietLiveOrders ? bounds.liveOrders : bounds.busyLiveOrders;
  if (state.liveCount < most) return undefined;
  const details = { field: 'orderId', limit: most, actual: state.liveCount };
  return refusal('too_many_live_orders', details);
}

/** Sets up a taker; `account` and `owner` are NONE if they open with the order. */
export function startTaker(
  state: EngineState,
  taker: Taker,
  terms: OrderTerms,
  token: Token,
  account: number,
  owner: number,
): void {
  taker.account = account;
  taker.ownerIndex = owner;
  taker.position = state.positions.find(account, token.market.index);
  taker.start(terms, token.market, token.outcome);
}

/** Adds fees at the present rates to the taker. */
function startFees(
  { builders, ledger }: EngineState,
  taker: Taker,
  input: OrderInput,
  { schedules }: Market,
): void {
  const builder = builders.at(input.builder);
  const schedule = builder === undefined ? schedules.plain : schedules.withBuilder(builder);
  if (schedule === undefined) return;
  const fees = new OrderFees(schedule, { ...input, isSell: taker.isSell });
  // The play money of an account that opens with the order is available at once.
  const spendableMicros =
    taker.account === NONE ? input.opens!.paperMicros : ledger.availableMicros[taker.account]!;
  taker.startFees(fees, spendableMicros);
}

/** The cost at the limit price has to be available, whatever the price of the fills will be. */
function balanceFault(
  state: EngineState,
  taker: Taker,
  input: OrderInput,
  token: Token,
): Rejected | undefined {
  if (taker.isSell) return tokenFault(state, taker.position, token, input.lots);
  const required = taker.requiredMicros(input);
  if (taker.account !== NONE) return cashFault(state, taker.account, required);
  const available = input.opens!.paperMicros;
  if (available >= required) return undefined;
  const details = { field: 'account', asset: 'cash', required, available, held: 0 };
  return refusal('not_enough_cash', details);
}

/** Checks a taker against the present book. */
export function bookFault(
  state: EngineState,
  taker: Taker,
  terms: OrderTerms,
  market: Market,
): Rejected | undefined {
  const best = bestOpposite(market, taker);
  if (terms.postOnly) {
    if (!taker.crosses(best)) return undefined;
    const limit = taker.priceAt(market, best);
    const actual = terms.priceTicks;
    return refusal('post_only_would_cross', { field: 'priceTicks', limit, actual });
  }
  const oppositeCount = taker.isBid ? market.book.askCount : market.book.bidCount;
  // A FOK or FAK needs a dry run; an order that can rest, only if it can reach the bound.
  if (canRest(terms) && oppositeCount <= state.bounds.fillsPerCommand) return undefined;
  const { fees } = taker;
  // Fees limit only what a budget buys, and to compute them takes longer than the rest.
  if (!taker.isBudget) taker.fees = undefined;
  const hitBound = dryRun(state, taker, market, terms.type === 'FAK');
  const fault = dryRunFault(state, taker, terms, market, hitBound);
  taker.fees = fees;
  taker.makersChecked = taker.makersMet;
  taker.reset(terms);
  return fault;
}

function dryRunFault(
  state: EngineState,
  taker: Taker,
  terms: OrderTerms,
  market: Market,
  hitBound: boolean,
): Rejected | undefined {
  const field = taker.isBudget ? 'budgetMicros' : 'lots';
  const fills = taker.filledLots > 0;
  if (hitBound && !(terms.type === 'FAK' && fills)) {
    return refusal('too_many_fills', { field, limit: state.bounds.fillsPerCommand });
  }
  if (terms.type === 'FOK' && !(fills && taker.isSatisfied())) {
    const limit = taker.isBudget ? taker.filledMicros : taker.filledLots;
    return refusal('fill_or_kill_unfilled', { field, limit, actual: terms[field] });
  }
  if (terms.type === 'FAK' && !fills) {
    const best = bestOpposite(market, taker);
    const actual = terms.priceTicks;
    const limit = best === NONE ? {} : { limit: taker.priceAt(market, best) };
    return refusal('nothing_to_match', { field: 'priceTicks', ...limit, actual });
  }
  return undefined;
}

/**
 * Whether the bounds forbid another delayed order, if this one will be delayed. The bound of live
 * orders is checked again, because a FOK or FAK was not counted against it before.
 */
function delayFault(
  state: EngineState,
  taker: Taker,
  input: OrderInput,
  market: Market,
): Rejected | undefined {
  if (delayMsFor(taker, market) === 0) return undefined;
  const fault = roomFault(state, input);
  if (fault !== undefined) return fault;
  const { bounds, ledger } = state;
  const own = ledger.owners[taker.ownerIndex]?.delayedCount ?? 0;
  const share = bounds.delayedOrdersPerOwner;
  if (own >= share) {
    const details = { field: 'owner', limit: share, actual: own };
    return refusal('too_many_delayed_orders', details);
  }
  const isQuiet = own < bounds.quietDelayedOrders;
  const limit = isQuiet ? bounds.delayedOrdersPerMarket : bounds.busyDelayedOrdersPerMarket;
  const actual = market.delayedCount;
  if (actual < limit) return undefined;
  return refusal('too_many_delayed_orders', { field: 'conditionId', limit, actual });
}
