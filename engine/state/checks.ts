/**
 * Checks of trading states, of the exchange and of each market. Orders are placed only while both
 * are open; cancels also work while they are cancel_only. A closed or resolved market never trades
 * again. The engine's own cancels work in any state. See
 * docs/decisions/0011-market-lives.md.
 */
import {
  CLOSED,
  HALTED,
  OPEN,
  type Rejected,
  statusName,
  type TradingState,
} from '../model/index.ts';
import { type EngineState, passes, refusal, reject } from './engine-state.ts';
import type { Market, Token } from './market.ts';

/** Checks that an account has enough available funds; the fault says what it lacks. */
export function cashFault(
  { ledger }: EngineState,
  account: number,
  required: number,
): Rejected | undefined {
  const available = ledger.availableMicros[account]!;
  if (available >= required) return undefined;
  const held = ledger.heldMicros[account]!;
  const details = { field: 'account', asset: 'cash', required, available, held };
  return refusal('not_enough_cash', details);
}

/** `position` is NONE for an account that never had tokens or orders in the market. */
export function tokenFault(
  { positions }: EngineState,
  position: number,
  { tokenId: asset, outcome }: Pick<Token, 'tokenId' | 'outcome'>,
  required: number,
): Rejected | undefined {
  const available = positions.available(position, outcome);
  if (available >= required) return undefined;
  const held = positions.held(position, outcome);
  const details = { field: 'account', asset, required, available, held };
  return refusal('not_enough_tokens', details);
}

export function exchangeState(state: EngineState): TradingState {
  return statusName(state.status) as TradingState; // the exchange never has another status
}

/** Why no orders may be placed in a market: checks the exchange first, then the market. */
export function marketFault({ status }: EngineState, market: Market): Rejected | undefined {
  if ((status | market.status) === OPEN) return undefined;
  if (status !== OPEN) {
    return refusal('exchange_paused', { field: 'state', actual: statusName(status) });
  }
  if (market.status >= CLOSED) return closedFault(market);
  return refusal('market_paused', { field: 'tokenId', actual: statusName(market.status) });
}

/** Whether a market, paused or not, is neither closed nor resolved. */
export function isTrading(state: EngineState, market: Market): boolean {
  return market.status < CLOSED || passes(state, closedFault(market));
}

function closedFault({ terms }: Market): Rejected {
  return refusal('market_closed', { field: 'conditionId', actual: terms.conditionId });
}

/** Whether the exchange permits cancels, and movements between cash and tokens. */
export function isExchangeRunning(state: EngineState): boolean {
  if (state.status !== HALTED) return true;
  return reject(state, 'exchange_halted', { field: 'state', actual: statusName(HALTED) });
}

/** Whether the exchange and a market permit movements between cash and the market's tokens. */
export function isRunning(state: EngineState, market: Market): boolean {
  if (!isExchangeRunning(state)) return false;
  if (market.status !== HALTED) return true;
  const { conditionId } = market.terms;
  return reject(state, 'market_halted', { field: 'conditionId', actual: conditionId });
}
