/**
 * Trading states, of the exchange and of each market (design 7): cancels work while open and while
 * cancel_only, orders are placed only while both are open. A market that is closed or resolved has
 * left them for good. What the engine cancels by itself is cancelled in any state. Orders that are
 * delayed do not outlast the state in which they were placed.
 */
import type { SetTradingState, TradingState } from '../model/index.ts';
import { CLOSED, HALTED, OPEN, stateNumber, statusName } from '../model/index.ts';
import { killDelayed } from '../orders/index.ts';
import { type Core, type Market, reject } from './core.ts';

/** Checks, in order: the state; the market; that it can still trade; what it is now. */
export function setTradingState(core: Core, { conditionId, state }: SetTradingState): void {
  const status = stateNumber(state);
  if (status < 0) {
    reject(core, 'trading_state_malformed', { field: 'state', actual: state });
    return;
  }
  // '' names the exchange: no market has that condition id.
  const place = conditionId === '' ? core : core.marketByCondition.get(conditionId);
  if (place === undefined) {
    reject(core, 'market_unknown', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (place.status >= CLOSED) {
    rejectClosed(core, conditionId);
    return;
  }
  if (place.status === status) {
    core.events.push({ kind: 'known', command: 'set_trading_state' });
    return;
  }
  if (status !== OPEN) killDelayed(core, core.marketByCondition.get(conditionId));
  place.status = status;
  core.events.push({ kind: 'trading_state_changed', conditionId, state });
}

// Safe: an exchange is set to no other status.
export function exchangeState(core: Core): TradingState {
  return statusName(core.status) as TradingState;
}

/** Whether orders may be placed in a market: the exchange first, then the market. */
export function isOpen(core: Core, market: Market): boolean {
  if ((core.status | market.status) === OPEN) return true;
  const { conditionId } = market.terms;
  if (core.status !== OPEN) {
    reject(core, 'exchange_paused', { field: 'state', actual: statusName(core.status) });
  } else if (market.status < CLOSED) {
    reject(core, 'market_paused', { field: 'tokenId', actual: statusName(market.status) });
  } else {
    rejectClosed(core, conditionId);
  }
  return false;
}

/** Whether a market, which may be paused, has not ended. */
export function isTrading(core: Core, market: Market): boolean {
  if (market.status < CLOSED) return true;
  rejectClosed(core, market.terms.conditionId);
  return false;
}

function rejectClosed(core: Core, conditionId: string): void {
  reject(core, 'market_closed', { field: 'conditionId', actual: conditionId });
}

/** Whether the exchange lets anyone cancel, or move anything between cash and tokens. */
export function isExchangeRunning(core: Core): boolean {
  if (core.status !== HALTED) return true;
  reject(core, 'exchange_halted', { field: 'state', actual: statusName(HALTED) });
  return false;
}

/** Whether anyone may move anything between cash and tokens of a market. */
export function isRunning(core: Core, market: Market): boolean {
  if (!isExchangeRunning(core)) return false;
  if (market.status !== HALTED) return true;
  reject(core, 'market_halted', { field: 'conditionId', actual: market.terms.conditionId });
  return false;
}
