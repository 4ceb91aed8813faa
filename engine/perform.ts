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
  advance_time: redeemDue,
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

/** Throws InvariantError for our own errors only. */
export function perform(state: EngineState, command: Command): void {
  processDue(state);
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

/** Expires and releases the orders that are due, by due time, then by acceptance. */
function processDue(state: EngineState): void {
  const { due, orders } = state;
  while (due.firstMs() <= state.timeMs) {
    const handle = due.first();
    const expires = orders.type(handle) === 'GTD' && orders.expiresAtMs(handle) === due.firstMs();
    if (expires) endOrder(state, handle, 'expired');
    else releaseOrder(state, handle);
  }
}
