/**
 * Performs one command: first what is due before it, then its handler, which checks the command and
 * changes the state, then the finer ticks that the change calls for, and last the check that no
 * money appeared or vanished. Events go to `state.events`.
 */

import { dismissNotifications, issueApiKey, openAccount, revokeApiKey } from './accounts/index.ts';
import {
  changeMarket,
  closeMarket,
  createMarket,
  openEvent,
  refineTicks,
  resolveEvent,
  resolveMarket,
  setTradingState,
} from './markets/index.ts';
import type { Command } from './model/index.ts';
import {
  areRedemptionsDue,
  convert,
  mergeSets,
  moveCash,
  redeem,
  redeemDue,
  setBuilder,
  splitCash,
} from './money/index.ts';
import {
  armSwitch,
  cancelAll,
  cancelOrders,
  endOrder,
  placeOrder,
  releaseOrder,
  setStanding,
  tripSwitch,
} from './orders/index.ts';
import { checkCash, type EngineState, releaseMoneyKeys } from './state/index.ts';

type Handler<Kind extends Command['kind']> = (
  state: EngineState,
  command: Extract<Command, { kind: Kind }>,
) => void;

/** The handler of each command. The type demands one for every kind. */
const HANDLERS: { readonly [Kind in Command['kind']]: Handler<Kind> } = {
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

/** Automatic redemption waits until nothing else is due. */
function advanceTime(state: EngineState): void {
  if (!isBehind(state, state.timeMs)) redeemDue(state);
}

/** Throws InvariantError for our own errors only. */
export function perform(state: EngineState, command: Command): void {
  const isStep = command.kind === 'advance_time' && state.rules >= 8;
  processDue(state, isStep ? state.bounds.workPerCommand : Number.POSITIVE_INFINITY);
  // Safe: HANDLERS has the handler of each kind under that kind.
  const handler = HANDLERS[command.kind] as Handler<Command['kind']>;
  const { size } = state.moneyKeys;
  handler(state, command);
  if (state.moneyKeys.size > size) releaseMoneyKeys(state);
  refineTicks(state);
  checkCash(state);
}

/** When something is due, in milliseconds since the epoch: now, later, or Infinity for never. */
export function nextDueMs(state: EngineState): number {
  const dueMs = state.due.firstMs();
  return areRedemptionsDue(state) ? Math.min(state.timeMs, dueMs) : dueMs;
}

/** Whether an order that is due at `timeMs` waits for its expiration or release. */
export function isBehind({ due }: EngineState, timeMs: number): boolean {
  return due.firstMs() <= timeMs;
}

/**
 * Expires and releases the orders that are due, by due time, then by acceptance, until `most` work
 * is done. A release counts the resting orders that it meets.
 */
function processDue(state: EngineState, most: number): void {
  const { due, orders } = state;
  for (let done = 0; done < most && isBehind(state, state.timeMs); done += 1) {
    const handle = due.first();
    const expires = orders.type(handle) === 'GTD' && orders.expiresAtMs(handle) === due.firstMs();
    if (expires) endOrder(state, handle, 'expired');
    else done += releaseOrder(state, handle);
  }
}
