/**
 * Closing a market: it never trades again. What its tokens are worth follows from its resolution.
 */

import { CLOSED, type CloseMarket } from '../model/index.ts';
import { clearMarkets } from '../orders/index.ts';
import { answerKnown, type EngineState, findMarket } from '../state/index.ts';

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
