/**
 * Performs one command: first what earlier commands left and what is due, then its handler, which
 * checks the command and changes the state, then the finer ticks that the change calls for, and
 * last the check that no money appeared or vanished. Events go to `state.events`.
 */

import { dismissNotifications, issueApiKey, revokeApiKey } from './accounts/api-keys.ts';
import { openAccount } from './accounts/open-account.ts';
import { changeMarket } from './markets/change-market.ts';
import { createMarket } from './markets/create-market.ts';
import { refineTicks } from './markets/finer-tick.ts';
import { closeMarket, setTradingState } from './markets/market-state.ts';
import { openEvent } from './markets/open-event.ts';
import { resolveEvent, resolveMarket } from './markets/resolve-market.ts';
import { type Input, invariant } from './model/index.ts';
import { convert } from './money/convert.ts';
import { moveCash } from './money/move-cash.ts';
import { mergeSets, splitCash } from './money/move-sets.ts';
import { areRedemptionsDue, redeem, redeemDue } from './money/redeem.ts';
import { setBuilder } from './money/set-builder.ts';
import {
  armSwitch,
  cancelAll,
  cancelOrders,
  setStanding,
  tripSwitch,
} from './orders/cancel-orders.ts';
import { endOrder } from './orders/delayed-orders.ts';
import { continueOrder, placeOrder, releaseOrder } from './orders/place-order.ts';
import { checkCash } from './state/collateral.ts';
import type { Clearing, EngineState } from './state/engine-state.ts';
import { cancelResting } from './state/live-orders.ts';
import { POSITIONS_AT_ONCE } from './state/redemptions.ts';

type Handler<Kind extends Input['kind']> = (
  state: EngineState,
  input: Extract<Input, { kind: Kind }>,
) => void;

/** The handler of each command. The type demands one for every kind. */
const HANDLERS: { readonly [Kind in Input['kind']]: Handler<Kind> } = {
  place_order: placeOrder,
  cancel_orders: cancelOrders,
  cancel_all: cancelAll,
  arm_switch: armSwitch,
  trip_switch: tripSwitch,
  deposit: moveCash,
  withdraw: moveCash,
  split: splitCash,
  merge: mergeSets,
  convert,
  redeem,
  advance_time: advanceTime,
  open_account: openAccount,
  issue_api_key: issueApiKey,
  revoke_api_key: revokeApiKey,
  dismiss_notifications: dismissNotifications,
  create_market: createMarket,
  change_market: changeMarket,
  set_trading_state: setTradingState,
  close_market: closeMarket,
  resolve_market: resolveMarket,
  open_event: openEvent,
  resolve_event: resolveEvent,
  set_standing: setStanding,
  set_builder: setBuilder,
};

/**
 * Automatic redemption waits until nothing else is due, and for a command that did nothing else:
 * the command that resolved a market can't know yet whom it pays.
 */
function advanceTime(state: EngineState): void {
  const didOther = state.workLeft < state.bounds.workPerCommand;
  if (!didOther && !isBehind(state, state.timeMs)) redeemDue(state);
}

/**
 * Looks for accounts that automatic redemption pays, a part at a time. Returns whether the next
 * `advance_time` knows whom it pays; otherwise it looks for all of them itself. It changes nothing
 * that a command or a view shows.
 */
export function findRedemptions(state: EngineState): boolean {
  return !areRedemptionsDue(state) || state.redemptions.findHolders(POSITIONS_AT_ONCE);
}

/** Throws InvariantError for our own errors only. */
export function perform(state: EngineState, input: Input): void {
  const most = state.bounds.workPerCommand;
  // Only `advance_time` leaves something for the next one.
  processDue(state, input.kind === 'advance_time' ? most : Number.POSITIVE_INFINITY);
  // So a caller that repeats `advance_time` while the engine is behind comes to an end.
  const isStuck = state.events.length === 0 && isBehind(state, state.timeMs);
  invariant(!isStuck, 'something of what is due happens');
  // It goes by the work that is left.
  if (input.kind !== 'advance_time') state.workLeft = most;
  handle(state, input);
  refineTicks(state);
  checkCash(state);
}

/** Most commands place or cancel orders: these are called without a look-up in the table. */
function handle(state: EngineState, input: Input): void {
  if (input.kind === 'place_order') {
    placeOrder(state, input);
  } else if (input.kind === 'cancel_orders') {
    cancelOrders(state, input);
  } else {
    // Safe: HANDLERS has the handler of each kind under that kind.
    const handler = HANDLERS[input.kind] as Handler<Input['kind']>;
    handler(state, input);
  }
}

/** Performs a command again that has more orders to end: its checks have the same result. */
function continueClearing(state: EngineState, clearing: Clearing): void {
  state.clearing = undefined;
  handle(state, clearing);
}

/** When something is due, in milliseconds since the epoch: now, later, or Infinity for never. */
export function nextDueMs(state: EngineState): number {
  const dueMs = Math.min(state.due.firstMs(), state.releases.firstMs());
  const isDueNow = isUnfinished(state) || areRedemptionsDue(state);
  return isDueNow ? Math.min(state.timeMs, dueMs) : dueMs;
}

/** Whether something is unfinished, or an order is to expire or to be released at `timeMs`. */
export function isBehind(state: EngineState, timeMs: number): boolean {
  const { due, releases } = state;
  return isUnfinished(state) || due.firstMs() <= timeMs || releases.firstMs() <= timeMs;
}

/** Whether the last command left an order, or orders to end, for the next one to go on with. */
export function isUnfinished({ unfinished, clearing }: EngineState): boolean {
  return unfinished !== undefined || clearing !== undefined;
}

/**
 * Goes on with what the last command left unfinished. Then expires and releases the orders
 * that are due, by due time, then by acceptance, until `most` work is done.
 */
function processDue(state: EngineState, most: number): void {
  state.workLeft = most;
  if (isUnfinished(state)) goOn(state);
  const { orders, due, releases } = state;
  while (state.workLeft > 0) {
    const queue = due.orEarlier(releases);
    const dueMs = queue.firstMs();
    if (dueMs > state.timeMs) return;
    const handle = queue.first();
    const expires = orders.endsAtMs(handle) === dueMs;
    state.workLeft -= 1;
    if (expires) endOrder(state, handle, 'expired');
    else releaseOrder(state, handle);
  }
}

/**
 * First expires what is due, which may be much after a crash or a pause: no order trades after its
 * expiration. Releases wait, because nothing trades between the fills of an order. Only a FOK goes
 * on at once: it was accepted because the orders that rested then fill it.
 */
function goOn(state: EngineState): void {
  const { unfinished, clearing, due } = state;
  if (unfinished?.terms.type !== 'FOK') {
    for (; state.workLeft > 0 && due.firstMs() <= state.timeMs; state.workLeft -= 1) {
      cancelResting(state, due.first(), 'expired');
    }
  }
  if (state.workLeft === 0) return;
  if (unfinished !== undefined) continueOrder(state, unfinished);
  if (clearing !== undefined) continueClearing(state, clearing);
}
