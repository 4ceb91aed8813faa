/** Returns the answer to a command that changes nothing; undefined for one to perform. */
import type { Answer, Command } from '../../../engine/index.ts';
import {
  checkAccount,
  checkApiKey,
  checkArming,
  checkDismissal,
  checkRevocation,
  checkTripping,
} from './accounts.ts';
import { checkBuilder } from './builders.ts';
import { checkMoney } from './cash.ts';
import { checkConversion, checkOpening, checkWinner } from './neg-risk.ts';
import { checkChange, checkClosing, checkMarket, checkTradingState } from './operator.ts';
import { checkCancelAll, checkCancels, checkOrder } from './orders.ts';
import { checkRedemption, checkResolution } from './resolution.ts';
import { checkSets } from './sets.ts';
import { checkStanding } from './standing.ts';
import type { NaiveState } from './state.ts';

export function checkCommand(
  state: NaiveState,
  timeMs: number,
  command: Command,
): Answer | undefined {
  switch (command.kind) {
    case 'create_market':
      return checkMarket(state, command);
    case 'open_account':
      return checkAccount(state, command);
    case 'deposit':
    case 'withdraw':
      return checkMoney(state, command);
    case 'split':
    case 'merge':
      return checkSets(state, command);
    case 'issue_api_key':
      return checkApiKey(state, command);
    case 'revoke_api_key':
      return checkRevocation(state, command);
    case 'arm_switch':
      return checkArming(state, command);
    case 'trip_switch':
      return checkTripping(state, command);
    case 'dismiss_notifications':
      return checkDismissal(state, command);
    case 'set_trading_state':
      return checkTradingState(state, command);
    case 'change_market':
      return checkChange(state, command);
    case 'close_market':
      return checkClosing(state, command);
    case 'set_standing':
      return checkStanding(state, command);
    case 'place_order':
      return checkOrder(state, command, timeMs);
    case 'cancel_orders':
      return checkCancels(state, command);
    case 'cancel_all':
      return checkCancelAll(state, command);
    case 'redeem':
      return checkRedemption(state, command);
    case 'resolve_market':
      return checkResolution(state, command);
    case 'open_event':
      return checkOpening(state, command);
    case 'convert':
      return checkConversion(state, command);
    case 'resolve_event':
      return checkWinner(state, command);
    case 'set_builder':
      return checkBuilder(state, command);
    case 'advance_time':
      return undefined;
  }
}
