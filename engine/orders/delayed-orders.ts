/**
 * Orders that would trade at once in a market with a delay (wire 9.8): they are judged and accepted
 * as they arrive, and executed when the delay is over (release-order.ts). Meanwhile they are live
 * orders of their accounts that hold what their arrival required, but they are not on the book.
 *
 * | what happens | what becomes of an order that waits |
 * |---|---|
 * | its owner cancels it: by id, all, a market, a token | it stays: that is the point of a delay |
 * | its owner's dead man's switch trips | it stays; its rest, if any, does not: `switch_tripped` |
 * | its owner is banned; may buy no more, and it is a BUY | killed, `owner_banned`; `closed_only` |
 * | its market or the exchange leaves `open` | killed at once, `trading_paused` |
 * | its market closes; resolves | killed, `market_closed`; `market_resolved` |
 * | terms change: tick, minimums, fees, delay | goes by those of its acceptance |
 * | it expires before its release, or with it | killed, `expired` |
 * | its owner withdraws, splits, orders | what it holds can't be used |
 * | it is sent again | a duplicate, as ever |
 * | its release: FOK can't be filled whole, FAK finds nothing, too many fills | `unmatched` |
 * | its release: GTC or GTD crosses nothing any more | it rests, behind what rests by then |
 * | its release: it meets an order of its owner | that one is cancelled, in every self-trade mode |
 *
 * The last row is the first one again: if an own order could end one that waits, its owner would
 * place such an order, or leave one there, whenever waiting has become a mistake.
 *
 * Invariant: there are none where the market or the exchange is not open. Bounds: `delayedOrders`,
 * `delayedOrdersPerOwner`.
 */
import type { CloseReason, Micros, PlaceOrder, TakerDelay } from '../model/index.ts';
import { invariant } from '../model/index.ts';
import type { Owner } from '../state/index.ts';
import {
  type Core,
  cancelResting,
  closeOrder,
  type DelayedOrder,
  enlist,
  type Market,
  reject,
} from '../state/index.ts';
import { bestOpposite } from './matching.ts';

function delayMsOf({ delaySeconds, takerDelayMs }: TakerDelay): number {
  return delaySeconds > 0 ? delaySeconds * 1_000 : takerDelayMs;
}

/**
 * How long the order of `core.taker` would wait if it is accepted now. One that crosses fills
 * something or meets an own order, and is not post-only: else it is refused before.
 */
export function waitMs({ taker }: Core, market: Market): number {
  const delayMs = delayMsOf(market.terms);
  return delayMs > 0 && taker.crosses(bestOpposite(market, taker)) ? delayMs : 0;
}

/**
 * Whether an order that would wait may: one that could not rest is not counted against the live
 * orders of its account before.
 */
export function hasRoomToWait(core: Core, market: Market): boolean {
  if (waitMs(core, market) === 0) return true;
  const { liveOrdersPerAccount, delayedOrders, delayedOrdersPerOwner } = core.bounds;
  const live = core.ledger.liveOrders[core.taker.account] ?? 0;
  if (live >= liveOrdersPerAccount) {
    const details = { field: 'account', limit: liveOrdersPerAccount, actual: live };
    reject(core, 'too_many_live_orders', details);
    return false;
  }
  const own = core.ledger.owners[core.taker.ownerIndex]?.delayedCount ?? 0;
  if (own >= delayedOrdersPerOwner) {
    const details = { field: 'owner', limit: delayedOrdersPerOwner, actual: own };
    reject(core, 'too_many_delayed_orders', details);
    return false;
  }
  const actual = core.delayed.size;
  if (actual < delayedOrders) return true;
  reject(core, 'too_many_delayed_orders', { field: 'orderId', limit: delayedOrders, actual });
  return false;
}

/** Lets an accepted order wait. */
export function delayOrder(core: Core, command: PlaceOrder, market: Market, handle: number): void {
  const { orders, taker } = core;
  const releaseMs = core.timeMs + waitMs(core, market);
  const heldMicros = taker.isSell ? (0 as Micros) : taker.requiredMicros(command);
  if (taker.isSell) core.positions.hold(taker.position, taker.outcome, command.lots);
  else core.ledger.hold(taker.account, heldMicros);
  orders.setFilled(handle, command.lots, command.lots, 0 as Micros);
  addDelayed(core, handle, { command, market, releaseMs, heldMicros, isTripped: false });
  enlist(core, handle);
  const { conditionId } = market.terms;
  const { orderId, account } = command;
  core.events.push({ kind: 'order_delayed', orderId, account, conditionId, releaseMs });
}

/** Puts an order, the last that was accepted, among those that wait, and says when they are due. */
export function addDelayed(core: Core, handle: number, delayed: DelayedOrder): void {
  const { command, releaseMs } = delayed;
  core.orders.setDelayed(handle, true);
  core.delayed.set(handle, delayed);
  ownerOf(core, handle).delayedCount += 1;
  const expiresAtMs = command.type === 'GTD' ? command.expiresAtMs : Number.POSITIVE_INFINITY;
  core.due.add(handle, Math.min(releaseMs, expiresAtMs));
}

function ownerOf({ orders, ledger }: Core, handle: number): Owner {
  return ledger.owners[ledger.accounts[orders.account(handle)]!.ownerIndex]!;
}

/** Nothing of an owner's orders that wait comes to rest any more. */
export function tripDelayed({ delayed }: Core, owner: string): void {
  for (const order of delayed.values()) {
    if (order.command.owner === owner) order.isTripped = true;
  }
}

/** Ends the waiting: gives back what it holds. The order is still live, and nowhere. */
export function stopWaiting(core: Core, handle: number): DelayedOrder {
  const { orders } = core;
  const delayed = core.delayed.get(handle);
  invariant(delayed !== undefined, 'an order that is delayed waits');
  core.delayed.delete(handle);
  core.due.delete(handle);
  ownerOf(core, handle).delayedCount -= 1;
  orders.setDelayed(handle, false);
  if (orders.isSell(handle)) {
    const [position, outcome] = [orders.position(handle), orders.outcome(handle)];
    core.positions.release(position, outcome, orders.remainingLots(handle));
  } else {
    core.ledger.release(orders.account(handle), delayed.heldMicros);
  }
  return delayed;
}

/** Ends a live order, whether it rests or waits, outside matching. */
export function endOrder(core: Core, handle: number, reason: CloseReason): void {
  if (core.orders.isDelayed(handle)) {
    stopWaiting(core, handle);
    closeOrder(core, handle, reason);
  } else {
    cancelResting(core, handle, reason);
  }
}

/** Those of a market, or of all if it is undefined, in order of acceptance. */
export function delayedHandles(core: Core, market: Market | undefined): number[] {
  return [...core.delayed.keys()].filter(
    (handle) => market === undefined || core.orders.market(handle) === market.index,
  );
}

/** Kills those of a market, or all, in order of acceptance: nothing trades there for a while. */
export function killDelayed(core: Core, market: Market | undefined): void {
  for (const handle of delayedHandles(core, market)) endOrder(core, handle, 'trading_paused');
}
