/**
 * Opening and pausing a market or the whole exchange. A pause closes delayed orders; resting orders
 * stay. `state/trading-checks.ts` says what each state permits.
 */
import { OPEN, type SetTradingState, stateNumber } from '../model/index.ts';
import { clearDelayed } from '../orders/index.ts';
import { answerKnown, type EngineState, findMarket, isTrading, reject } from '../state/index.ts';

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
