/**
 * One command over the state: what is due happens first, then the command's checks and its
 * mutation, then ticks become finer where all that has brought prices near their ends, and last
 * comes the check that no money came from nowhere.
 */

import {
  dismissNotifications,
  issueApiKey,
  openAccount,
  revokeApiKey,
  setStanding,
} from './accounts/index.ts';
import {
  changeMarket,
  closeMarket,
  createMarket,
  openEvent,
  refineTicks,
  resolveEvent,
  resolveMarket,
} from './markets/index.ts';
import type {
  ChangeMarket,
  CloseMarket,
  Command,
  CreateMarket,
  OpenEvent,
  ResolveEvent,
  ResolveMarket,
  SetBuilder,
  SetStanding,
  SetTradingState,
} from './model/index.ts';
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
  tripSwitch,
} from './orders/index.ts';
import { type Core, checkCash, setTradingState } from './state/index.ts';

/** Events go to `core.events`. Throws InvariantError for a mistake of our own. */
export function perform(core: Core, command: Command): void {
  processDue(core);
  commit(core, command);
  refineTicks(core);
  checkCash(core);
}

/**
 * When something is due, in ms since the epoch: now, the next expiration or end of a delay, or
 * Infinity for never.
 */
export function nextDueMs(core: Core): number {
  const dueMs = core.due.firstMs();
  return areRedemptionsDue(core) ? Math.min(core.timeMs, dueMs) : dueMs;
}

/** Expirations and ends of delays, by when they are due, then by when the order was accepted. */
function processDue(core: Core): void {
  const { due, orders } = core;
  while (due.firstMs() <= core.timeMs) {
    const handle = due.first();
    const expires = orders.type(handle) === 'GTD' && orders.expiresAtMs(handle) === due.firstMs();
    if (expires) endOrder(core, handle, 'expired');
    else releaseOrder(core, handle);
  }
}

function commit(core: Core, command: Command): void {
  switch (command.kind) {
    case 'place_order':
      placeOrder(core, command);
      break;
    case 'cancel_orders':
      cancelOrders(core, command);
      break;
    case 'cancel_all':
      cancelAll(core, command);
      break;
    case 'deposit':
    case 'withdraw':
      moveCash(core, command);
      break;
    case 'split':
      splitCash(core, command);
      break;
    case 'merge':
      mergeSets(core, command);
      break;
    case 'open_account':
      openAccount(core, command);
      break;
    case 'issue_api_key':
      issueApiKey(core, command);
      break;
    case 'revoke_api_key':
      revokeApiKey(core, command);
      break;
    case 'arm_switch':
      armSwitch(core, command);
      break;
    case 'trip_switch':
      tripSwitch(core, command);
      break;
    case 'dismiss_notifications':
      dismissNotifications(core, command);
      break;
    case 'convert':
      convert(core, command);
      break;
    case 'redeem':
      redeem(core, command);
      break;
    case 'advance_time':
      redeemDue(core);
      break;
    default:
      commitOperators(core, command);
  }
}

type OperatorsCommand =
  | CreateMarket
  | SetTradingState
  | ChangeMarket
  | CloseMarket
  | ResolveMarket
  | OpenEvent
  | ResolveEvent
  | SetStanding
  | SetBuilder;

/** What only the operator asks for, in a function of its own because of its length. */
function commitOperators(core: Core, command: OperatorsCommand): void {
  switch (command.kind) {
    case 'create_market':
      createMarket(core, command);
      break;
    case 'set_trading_state':
      setTradingState(core, command);
      break;
    case 'change_market':
      changeMarket(core, command);
      break;
    case 'close_market':
      closeMarket(core, command);
      break;
    case 'resolve_market':
      resolveMarket(core, command);
      break;
    case 'open_event':
      openEvent(core, command);
      break;
    case 'resolve_event':
      resolveEvent(core, command);
      break;
    case 'set_standing':
      setStanding(core, command);
      break;
    case 'set_builder':
      setBuilder(core, command);
      break;
    default:
      unreachable(command);
  }
}

function unreachable(command: never): never {
  throw new TypeError(`no such command: ${JSON.stringify(command)}`);
}
