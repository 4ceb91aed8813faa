/**
 * What several commands do to a live order: put it on the book, take it off, hold and release its
 * funds, and close it. These are the only ways in which an order becomes live or ends.
 */

import { NONE } from '../book/index.ts';
import type { OrderFees } from '../fees/order-fees.ts';
import {
  type CloseReason,
  cashFor,
  type EngineEvent,
  invariant,
  type Lots,
  type Micros,
} from '../model/index.ts';
import type { EngineState } from './engine-state.ts';
import type { Market } from './market.ts';

/** An event that only names an order. */
type Announced = Extract<
  EngineEvent,
  { kind: 'order_accepted' | 'order_released' | 'order_continued' }
>;

/** Reports an order, and returns its id. */
export function announce(
  { events, orders, ledger, markets }: EngineState,
  kind: Announced['kind'],
  handle: number,
  orderId = orders.id(handle),
): string {
  const account = ledger.accounts[orders.account(handle)]!.address;
  const { conditionId } = markets[orders.market(handle)]!.terms;
  events.push({ kind, orderId, account, conditionId });
  return orderId;
}

/** Puts an accepted order on the book and holds its funds. */
export function restOrder(state: EngineState, market: Market, handle: number): void {
  const { orders } = state;
  holdFunds(state, handle);
  market.book.add(handle);
  // A delayed order has been live since its acceptance.
  if (!orders.isLive(handle)) enlist(state, handle);
  if (orders.type(handle) === 'GTD') state.due.add(handle, orders.endsAtMs(handle));
}

/** Makes an order that was just accepted live: appends it to its owner's list. */
export function enlist(state: EngineState, handle: number): void {
  const { orders, ledger } = state;
  const account = orders.account(handle);
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  orders.setLive(handle, true);
  ledger.liveOrders[account]! += 1;
  owner.liveCount += 1;
  state.liveCount += 1;
  orders.setOwnerPrevious(handle, owner.lastOrder);
  if (owner.lastOrder === NONE) owner.firstOrder = handle;
  else orders.setOwnerNext(owner.lastOrder, handle);
  owner.lastOrder = handle;
}

/**
 * As `enlist` for all orders of a new store: `handles` has each of them, in order of acceptance.
 * It makes the lists in arrays of their own first, because the records of a million orders are all
 * over the memory in that order.
 */
export function enlistAll(state: EngineState, handles: Int32Array): void {
  const { orders, ledger } = state;
  const count = handles.length;
  const owners = new Int32Array(count);
  for (let handle = 0; handle < count; handle += 1) {
    const account = orders.account(handle);
    ledger.liveOrders[account]! += 1;
    owners[handle] = ledger.accounts[account]!.ownerIndex;
  }
  const next = new Int32Array(count).fill(NONE);
  const previous = new Int32Array(count);
  for (let at = 0; at < count; at += 1) {
    const handle = handles[at]!;
    const owner = ledger.owners[owners[handle]!]!;
    owner.liveCount += 1;
    previous[handle] = owner.lastOrder;
    if (owner.lastOrder === NONE) owner.firstOrder = handle;
    else next[owner.lastOrder] = handle;
    owner.lastOrder = handle;
  }
  for (let handle = 0; handle < count; handle += 1) {
    orders.setLive(handle, true);
    orders.setOwnerPrevious(handle, previous[handle]!);
    orders.setOwnerNext(handle, next[handle]!);
  }
  state.liveCount += count;
}

function unlist(state: EngineState, handle: number): void {
  const { orders, ledger } = state;
  const account = orders.account(handle);
  const owner = ledger.owners[ledger.accounts[account]!.ownerIndex]!;
  const before = orders.ownerPrevious(handle);
  const after = orders.ownerNext(handle);
  if (before === NONE) owner.firstOrder = after;
  else orders.setOwnerNext(before, after);
  if (after === NONE) owner.lastOrder = before;
  else orders.setOwnerPrevious(after, before);
  ledger.liveOrders[account]! -= 1;
  owner.liveCount -= 1;
  state.liveCount -= 1;
  invariant(
    ledger.liveOrders[account]! > 0 || ledger.heldMicros[account] === 0,
    'an account without live orders holds no cash for them',
  );
  state.due.delete(handle);
  orders.setLive(handle, false);
}

/** Takes a resting order off the book, releases its funds and closes it. */
export function closeResting(state: EngineState, handle: number, reason: CloseReason): void {
  state.markets[state.orders.market(handle)]!.book.delete(handle);
  releaseFunds(state, handle);
  closeOrder(state, handle, reason);
}

/** Closes a resting order and reports its level. Matching reports levels by itself. */
export function cancelResting(state: EngineState, handle: number, reason: CloseReason): void {
  const { orders } = state;
  const market = state.markets[orders.market(handle)]!;
  const level = market.book.levelOf(orders.bookTicks(handle));
  const isBid = orders.isBid(handle);
  closeResting(state, handle, reason);
  reportLevel(state, market, level, isBid);
}

/**
 * Closes an order that is not on the book: it leaves the lists of live orders and is remembered for
 * retries. `orderId` is its id, if the caller has the text already.
 */
export function closeOrder(
  state: EngineState,
  handle: number,
  reason: CloseReason,
  orderId = state.orders.id(handle),
): void {
  const { orders, ledger, markets } = state;
  if (orders.isLive(handle)) unlist(state, handle);
  const { address: account, owner } = ledger.accounts[orders.account(handle)]!;
  const closed = {
    kind: 'order_closed',
    orderId,
    account,
    owner,
    conditionId: markets[orders.market(handle)]!.terms.conditionId,
    reason,
    filledLots: (orders.lots(handle) - orders.remainingLots(handle)) as Lots, // whole lots
    filledMicros: orders.filledMicros(handle),
  } as const;
  const feeMicros = feesOf(state, handle)?.chargedMicros ?? 0;
  state.events.push(feeMicros === 0 ? closed : { ...closed, feeMicros });
  if (orders.hasFees(handle)) state.orderFees.delete(handle);
  state.recent.take(orders, state.ids, handle);
}

/** The fees of an accepted order; undefined for an order without fees. */
export function feesOf({ orders, orderFees }: EngineState, handle: number): OrderFees | undefined {
  return orders.hasFees(handle) ? orderFees.get(handle) : undefined;
}

/** The cash that a resting BUY holds: its cost, and the fees that it will be charged. */
export function holdMicros(state: EngineState, handle: number): Micros {
  const { orders } = state;
  const remaining = orders.remainingLots(handle);
  const cash = cashFor(remaining, orders.priceTicks(handle));
  const fees = feesOf(state, handle);
  return fees === undefined ? cash : ((cash + fees.restMicros(remaining)) as Micros); // whole
}

/** A SELL holds its lots, a BUY its cash. */
function holdFunds(state: EngineState, handle: number): void {
  const { orders } = state;
  if (orders.isSell(handle)) {
    const remaining = orders.remainingLots(handle);
    state.positions.hold(orders.position(handle), orders.outcome(handle), remaining);
  } else {
    state.ledger.hold(orders.account(handle), holdMicros(state, handle));
  }
}

function releaseFunds(state: EngineState, handle: number): void {
  const { orders } = state;
  if (orders.isSell(handle)) {
    const remaining = orders.remainingLots(handle);
    state.positions.release(orders.position(handle), orders.outcome(handle), remaining);
  } else {
    state.ledger.release(orders.account(handle), holdMicros(state, handle));
  }
}

/** Reports the new total of a level. Called after every change of a book. */
export function reportLevel(
  state: EngineState,
  market: Market,
  level: number,
  isBid: boolean,
): void {
  noteFinerTickCandidate(state, market);
  const { book, terms } = market;
  state.events.push({
    kind: 'level_changed',
    conditionId: terms.conditionId,
    side: isBid ? 'bid' : 'ask',
    priceTicks: book.priceOf(level),
    lots: book.lotsAt(level) as Lots, // a sum of whole lots
  });
}

/** Notes a market for markets/finer-tick.ts, which looks at it after the command. */
export function noteFinerTickCandidate(state: EngineState, market: Market): void {
  if (market.terms.finerTickTicks === 0) return;
  const { finerTickCandidates } = state;
  // Most commands change levels of one market, one after the other.
  if (finerTickCandidates.at(-1) !== market) finerTickCandidates.push(market);
}
