/**
 * Delayed orders (wire 9.8): in a market with a delay, an order that would trade at once is checked
 * and accepted on arrival, and executed when the delay is over (place-order.ts). Meanwhile it is
 * a live order that holds its funds but is not on the book.
 *
 * | what happens | what becomes of a delayed order |
 * |---|---|
 * | its owner cancels it: by id, all, a market, a token | it stays: that is the point of a delay |
 * | its owner's dead man's switch trips | it stays; what it does not fill closes `switch_tripped` |
 * | its owner is banned, or closed-only and it is a BUY | it closes `owner_banned`, `closed_only` |
 * | its market or the exchange leaves `open` | it closes at once, `trading_paused` |
 * | its market closes; resolves | it closes `market_closed`; `market_resolved` |
 * | terms change: tick, minimums, fees, delay | the terms of its acceptance stay in force |
 * | it expires before its release, or at the same time | it closes `expired` |
 * | its owner withdraws, splits, orders | its funds are held and can't be used |
 * | it is sent again | the answer is a duplicate, as for any order |
 * | release: FOK not completely fillable, FAK without a match, too many fills | `unmatched` |
 * | release: GTC or GTD crosses nothing any more | it rests behind the orders already there |
 * | release: it meets an order of its owner | that order is cancelled in every self-trade mode |
 *
 * The last row follows from the first: if an own order could end a delayed one, an owner would
 * place such an order to cancel it.
 *
 * Invariant: there are no delayed orders in a market unless it and the exchange are open. Bounds:
 * `delayedOrdersPerMarket`, `delayedOrdersPerOwner`. Reasons:
 * docs/decisions/0009-what-owners-can-take-back.md.
 */
import { NONE } from '../book/index.ts';
import {
  type CloseReason,
  invariant,
  type Micros,
  type OrderInput,
  type TakerDelay,
} from '../model/index.ts';
import type { DelayedOrder, EngineState } from '../state/engine-state.ts';
import type { Owner } from '../state/ledger.ts';
import { cancelResting, closeOrder, enlist } from '../state/live-orders.ts';
import type { Market } from '../state/market.ts';
import type { Taker } from '../state/taker.ts';
import { bestOpposite } from './matching.ts';

function marketDelayMs({ delaySeconds, takerDelayMs }: TakerDelay): number {
  return delaySeconds > 0 ? delaySeconds * 1_000 : takerDelayMs;
}

/**
 * How long the order of a taker that passed all other checks will be delayed; 0 for not at all.
 * Crossing is enough: such an order is not post-only, so it fills or meets an own order.
 */
export function delayMsFor(taker: Taker, market: Market): number {
  const delayMs = marketDelayMs(market.terms);
  return delayMs > 0 && taker.crosses(bestOpposite(market, taker)) ? delayMs : 0;
}

/** Delays an accepted order and holds its funds. */
export function delayOrder(
  state: EngineState,
  input: OrderInput,
  market: Market,
  handle: number,
): void {
  const { orders, taker } = state;
  const { lots, budgetMicros } = input;
  const releaseMs = state.timeMs + delayMsFor(taker, market);
  const heldMicros = taker.isSell ? (0 as Micros) : taker.requiredMicros(input);
  if (taker.isSell) state.positions.hold(taker.position, taker.outcome, lots);
  else state.ledger.hold(taker.account, heldMicros);
  orders.setFilled(handle, lots, lots, 0 as Micros);
  addDelayed(state, handle, { budgetMicros, market, releaseMs, heldMicros, isTripped: false });
  enlist(state, handle);
  const { orderId } = taker;
  const { address: account } = state.ledger.accounts[taker.account]!;
  const { conditionId } = market.terms;
  state.events.push({ kind: 'order_delayed', orderId, account, conditionId, releaseMs });
}

/** Adds the order that was accepted last to `state.delayed` and to the releases. */
export function addDelayed(state: EngineState, handle: number, delayed: DelayedOrder): void {
  const { orders } = state;
  orders.setDelayed(handle, true);
  state.delayed.set(handle, delayed);
  ownerOf(state, handle).delayedCount += 1;
  delayed.market.delayedCount += 1;
  state.releases.add(handle, Math.min(delayed.releaseMs, orders.endsAtMs(handle)));
}

function ownerOf({ orders, ledger }: EngineState, handle: number): Owner {
  return ledger.owners[ledger.accounts[orders.account(handle)]!.ownerIndex]!;
}

/** Marks an owner's delayed orders: at release, what they do not fill is cancelled. */
export function tripDelayed({ delayed, ledger, orders }: EngineState, owner: string): void {
  let handle = ledger.findOwner(owner)?.firstOrder ?? NONE;
  for (; handle !== NONE; handle = orders.ownerNext(handle)) {
    const order = delayed.get(handle);
    if (order !== undefined) order.isTripped = true;
  }
}

/**
 * Ends a delay and releases the funds. The order is still live, but neither delayed nor resting.
 */
export function endDelay(state: EngineState, handle: number): DelayedOrder {
  const { orders } = state;
  const delayed = state.delayed.get(handle);
  invariant(delayed !== undefined, 'an order that is marked as delayed is among the delayed ones');
  state.delayed.delete(handle);
  state.releases.delete(handle);
  ownerOf(state, handle).delayedCount -= 1;
  delayed.market.delayedCount -= 1;
  orders.setDelayed(handle, false);
  if (orders.isSell(handle)) {
    const [position, outcome] = [orders.position(handle), orders.outcome(handle)];
    state.positions.release(position, outcome, orders.remainingLots(handle));
  } else {
    state.ledger.release(orders.account(handle), delayed.heldMicros);
  }
  return delayed;
}

/** Ends a live order outside matching, whether it rests or is delayed. */
export function endOrder(state: EngineState, handle: number, reason: CloseReason): void {
  if (state.orders.isDelayed(handle)) {
    endDelay(state, handle);
    closeOrder(state, handle, reason);
  } else {
    cancelResting(state, handle, reason);
  }
}

/** The delayed orders of a market, or all if it is undefined, in order of acceptance. */
export function* delayedHandles(
  { delayed, orders }: EngineState,
  market: Market | undefined,
): Generator<number> {
  if (market?.delayedCount === 0) return;
  for (const handle of delayed.keys()) {
    if (market === undefined || orders.market(handle) === market.index) yield handle;
  }
}
