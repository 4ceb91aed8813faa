/**
 * Resolution fixes what a market's tokens are worth: a YES lot pays the payout in micros, a NO lot
 * the rest of 10,000. The collateral that was locked for the sets pays for it.
 */

import type { ResolveMarket, Ticks } from '../model/index.ts';
import { invariant, isWhole, ONE_TICKS, RESOLVED } from '../model/index.ts';
import { clearMarkets } from '../orders/index.ts';
import { answerKnown, type EngineState, findMarket, type Market, reject } from '../state/index.ts';
import { formEvent } from './open-event.ts';

export function resolveMarket(state: EngineState, command: ResolveMarket): void {
  const { conditionId, payoutTicks, redeemAll } = command;
  if (!isWhole(payoutTicks, 0, ONE_TICKS)) {
    const details = { field: 'payoutTicks', limit: `0..${ONE_TICKS}`, actual: payoutTicks };
    reject(state, 'payout_out_of_bounds', details);
    return;
  }
  const market = findMarket(state, conditionId);
  if (market === undefined || !checkUnresolved(state, market, payoutTicks)) return;
  if (!clearMarkets(state, [market], 'market_resolved')) {
    state.clearing = command;
    return;
  }
  const lockedMicros = market.setsLots * ONE_TICKS;
  resolve(state, market, payoutTicks);
  invariant(market.owedMicros === lockedMicros, 'a market owes what was locked for its sets');
  if (redeemAll) state.redemptions.add([market.index]);
}

/** Checks, in order: that the market does not resolve with its event; that it is not resolved. */
function checkUnresolved(state: EngineState, market: Market, payoutTicks: Ticks): boolean {
  const { eventId } = market.terms;
  if (formEvent(state, state.marketsByEvent.get(eventId) ?? [])) {
    return reject(state, 'market_of_event', { field: 'conditionId', actual: eventId });
  }
  if (market.status !== RESOLVED) return true;
  if (market.payoutTicks === payoutTicks) return answerKnown(state, 'resolve_market');
  const details = { field: 'payoutTicks', limit: market.payoutTicks, actual: payoutTicks };
  return reject(state, 'market_resolved', details);
}

/** Resolves a market without orders. The payout alone determines what each account is owed. */
export function resolve(state: EngineState, market: Market, payoutTicks: Ticks): void {
  const { index, terms } = market;
  market.status = RESOLVED;
  market.payoutTicks = payoutTicks;
  market.setsLots = 0;
  market.bundlesLots = 0;
  market.owedMicros =
    state.positions.supply(index, 0) * payoutTicks +
    state.positions.supply(index, 1) * (ONE_TICKS - payoutTicks);
  state.events.push({ kind: 'market_resolved', conditionId: terms.conditionId, payoutTicks });
}
