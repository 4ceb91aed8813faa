/** The naive twin's judgement of any command: the answer it gets instead of a change, if any. */
import type { Answer, Command } from '../../../engine/index.ts';
import {
  judgeAccount,
  judgeApiKey,
  judgeArming,
  judgeCancelAll,
  judgeCancels,
  judgeDismissal,
  judgeMarket,
  judgeMoney,
  judgeRevocation,
  judgeTripping,
} from './checks.ts';
import { judgeBuilder } from './fees.ts';
import { judgeConversion, judgeOpening, judgeWinner } from './neg-risk.ts';
import { judgeChange, judgeClosing, judgeStanding, judgeTradingState } from './operator.ts';
import { judgeOrder } from './orders.ts';
import { judgeRedemption, judgeResolution } from './resolution.ts';
import { judgeSets } from './sets.ts';
import type { NaiveState } from './state.ts';

export function judge(state: NaiveState, timeMs: number, command: Command): Answer | undefined {
  switch (command.kind) {
    case 'create_market':
      return judgeMarket(state, command);
    case 'open_account':
      return judgeAccount(state, command);
    case 'deposit':
    case 'withdraw':
      return judgeMoney(state, command);
    case 'split':
    case 'merge':
      return judgeSets(state, command);
    case 'issue_api_key':
      return judgeApiKey(state, command);
    case 'revoke_api_key':
      return judgeRevocation(state, command);
    case 'arm_switch':
      return judgeArming(state, command);
    case 'trip_switch':
      return judgeTripping(state, command);
    case 'dismiss_notifications':
      return judgeDismissal(state, command);
    case 'set_trading_state':
      return judgeTradingState(state, command);
    case 'change_market':
      return judgeChange(state, command);
    case 'close_market':
      return judgeClosing(state, command);
    case 'set_standing':
      return judgeStanding(state, command);
    case 'place_order':
      return judgeOrder(state, command, timeMs);
    case 'cancel_orders':
      return judgeCancels(state, command);
    case 'cancel_all':
      return judgeCancelAll(state, command);
    case 'redeem':
      return judgeRedemption(state, command);
    case 'resolve_market':
      return judgeResolution(state, command);
    case 'open_event':
      return judgeOpening(state, command);
    case 'convert':
      return judgeConversion(state, command);
    case 'resolve_event':
      return judgeWinner(state, command);
    case 'set_builder':
      return judgeBuilder(state, command);
    case 'advance_time':
      return undefined;
  }
}
