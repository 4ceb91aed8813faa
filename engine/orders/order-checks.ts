/**
 * The checks of an order's id, times, price and size, against earlier orders and the market's
 * terms. place-order.ts calls them in their documented order.
 */

import { ID_WORDS, NONE, placeOf } from '../book/index.ts';
import { isWhole, ONE_TICKS, type OrderInput, type OrderTerms } from '../model/index.ts';
import { type EngineState, type Market, reject, takesBudget } from '../state/index.ts';

/** The largest time that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

/** Whether an order can rest on the book. */
export function canRest({ type }: Pick<OrderTerms, 'type'>): boolean {
  return type === 'GTC' || type === 'GTD';
}

/** Whether no order with this id was accepted before. */
export function isNewOrder(state: EngineState, input: OrderInput): boolean {
  const { orderId, idCheckedSeq: actual } = input;
  if (orderId.length !== ID_WORDS) {
    const details = { field: 'orderId', limit: ID_WORDS, actual: orderId.length };
    return reject(state, 'order_id_malformed', details);
  }
  const known = state.ids.find(orderId);
  if (known !== NONE) return answerRepeated(state, input, known);
  const limit = state.recent.forgottenSeq;
  if (actual >= limit) return true;
  return reject(state, 'order_id_unchecked', { field: 'idCheckedSeq', limit, actual });
}

/** The id is a hash of the signed content, so only unsigned fields can differ. */
function answerRepeated(state: EngineState, input: OrderInput, entry: number): false {
  const stored = storedOrder(state, entry);
  for (const field of ['type', 'postOnly', 'expiresAtMs'] as const) {
    if (stored[field] === input[field]) continue;
    const limit = String(stored[field]);
    return reject(state, 'order_id_reused', { field, limit, actual: String(input[field]) });
  }
  state.events.duplicate(input.orderId, stored.acceptedSeq);
  return false;
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

export function checkTimes(state: EngineState, input: OrderInput): boolean {
  const { type, postOnly, expiresAtMs: actual } = input;
  const field = 'expiresAtMs';
  if (postOnly && !canRest(input)) {
    return reject(state, 'post_only_needs_resting_order', { field: 'postOnly', actual: type });
  }
  if (type !== 'GTD') {
    return actual === 0 || reject(state, 'expiration_not_allowed', { field, limit: 0, actual });
  }
  if (!isWhole(actual, 1, MAX_TIME_MS)) {
    return reject(state, 'expiration_required', { field, actual });
  }
  const limit = state.timeMs + Math.max(input.minimumLeadMs, 1);
  return actual >= limit || reject(state, 'expiration_too_soon', { field, limit, actual });
}

export function checkPrice(state: EngineState, input: OrderInput, market: Market): boolean {
  const tick = market.terms.tickTicks;
  const actual = input.priceTicks;
  const field = 'priceTicks';
  if (!isWhole(actual, tick, ONE_TICKS - tick)) {
    const limit = `${tick}..${ONE_TICKS - tick}`;
    return reject(state, 'price_out_of_bounds', { field, limit, actual });
  }
  return actual % tick === 0 || reject(state, 'price_off_tick', { field, limit: tick, actual });
}

/** Checks the budget of an order that has one, else the size. */
export function checkAmount(state: EngineState, input: OrderInput, market: Market): boolean {
  return takesBudget(input) ? checkBudget(state, input, market) : checkSize(state, input, market);
}

function checkBudget(state: EngineState, input: OrderInput, market: Market): boolean {
  const { lots, budgetMicros: actual } = input;
  const maximum = state.bounds.amountMicros;
  const field = 'budgetMicros';
  if (lots !== 0) {
    return reject(state, 'size_out_of_bounds', { field: 'lots', limit: 0, actual: lots });
  }
  if (!isWhole(actual, 1, maximum)) {
    return reject(state, 'amount_out_of_bounds', { field, limit: `1..${maximum}`, actual });
  }
  const limit = market.terms.minimumBudgetMicros;
  return actual >= limit || reject(state, 'budget_below_minimum', { field, limit, actual });
}

function checkSize(state: EngineState, input: OrderInput, market: Market): boolean {
  const { lots: actual, budgetMicros } = input;
  const maximum = state.bounds.orderLots;
  const field = 'lots';
  if (budgetMicros !== 0) {
    const details = { field: 'budgetMicros', limit: 0, actual: budgetMicros };
    return reject(state, 'amount_out_of_bounds', details);
  }
  if (!isWhole(actual, 1, maximum)) {
    return reject(state, 'size_out_of_bounds', { field, limit: `1..${maximum}`, actual });
  }
  const limit = market.terms.minimumLots;
  if (!canRest(input) || actual >= limit) return true;
  return reject(state, 'size_below_minimum', { field, limit, actual });
}

/** Checks only orders that can rest; `hasRoomForDelay` checks all orders that are delayed. */
export function checkLiveOrders(state: EngineState, input: OrderInput): boolean {
  return !canRest(input) || hasRoomForOrder(state, input);
}

/** Whether the bounds permit another live order of the account and of its owner. */
export function hasRoomForOrder(state: EngineState, { account, owner }: OrderInput): boolean {
  const { bounds, ledger } = state;
  const limit = bounds.liveOrdersPerAccount;
  const actual = ledger.liveOrders[account] ?? 0;
  if (actual >= limit) {
    return reject(state, 'too_many_live_orders', { field: 'account', limit, actual });
  }
  const own = ledger.owners[owner]?.liveCount ?? 0;
  if (own >= bounds.liveOrdersPerOwner) {
    const details = { field: 'owner', limit: bounds.liveOrdersPerOwner, actual: own };
    return reject(state, 'too_many_live_orders', details);
  }
  const most = own < bounds.quietLiveOrders ? bounds.liveOrders : bounds.busyLiveOrders;
  const details = { field: 'orderId', limit: most, actual: state.liveCount };
  return state.liveCount < most || reject(state, 'too_many_live_orders', details);
}
