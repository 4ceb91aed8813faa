/**
 * Opening and pausing a market or the whole exchange. A pause closes delayed orders; resting orders
 * stay. `state/trading-checks.ts` says what each state permits.
 */
import {
  CLOSED,
  type CloseMarket,
  OPEN,
  type SetTradingState,
  stateNumber,
} from '../model/index.ts';
import { clearDelayed, clearMarkets } from '../orders/clearing.ts';
import { isTrading } from '../state/checks.ts';
import { answerKnown, type EngineState, findMarket, reject } from '../state/engine-state.ts';

// Closing a market: it never trades again. What its tokens are worth follows from its resolution.

/** A resolved market counts as closed. */
export function closeMarket(state: EngineState, command: CloseMarket): void {
  const { conditionId } = command;
  const market = findMarket(state, conditionId);
  if (market === undefined) return;
  if (market.status >= CLOSED) {
    answerKnown(state, 'close_market');
    return;
  }
  if (!clearMarkets(state, [market], 'market_closed')) {
    state.clearing = command;
    return;
  }
  market.status = CLOSED;
  state.events.push({ kind: 'market_closed', conditionId });
}

/** Checks, in order: the new state; the market; that it can still trade; its present state. */
export function setTradingState(state: EngineState, command: SetTradingState): void {
  const { conditionId } = command;
  const status = stateNumber(command.state);
  if (status < 0) {
    reject(state, 'trading_state_malformed', { field: 'state', actual: command.state });
    return;
  }
  const market = conditionId === '' ? undefined : findMarket(state, conditionId);
  if (conditionId !== '' && market === undefined) return;
  if (market !== undefined && !isTrading(state, market)) return;
  const target = market ?? state;
  if (target.status === status) {
    answerKnown(state, 'set_trading_state');
    return;
  }
  if (status !== OPEN && !clearDelayed(state, market, 'trading_paused')) {
    state.clearing = command;
    return;
  }
  target.status = status;
  state.events.push({ kind: 'trading_state_changed', conditionId, state: command.state });
}
