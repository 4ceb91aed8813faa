/**
 * Resolution fixes what a market's tokens are worth: a YES lot pays the payout in micros, a NO lot
 * the rest of 10,000. The collateral that was locked for the sets pays for it.
 */
import {
  invariant,
  isWhole,
  ONE_TICKS,
  RESOLVED,
  type ResolveEvent,
  type ResolveMarket,
  type Ticks,
} from '../model/index.ts';
import { clearMarkets } from '../orders/clearing.ts';
import {
  answerKnown,
  type EngineState,
  findMarket,
  findOpenedEvent,
  reject,
} from '../state/engine-state.ts';
import { lockedMicrosOf, type Market } from '../state/market.ts';
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
function resolve(state: EngineState, market: Market, payoutTicks: Ticks): void {
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

// Resolving a neg-risk event: one market to YES and all others to NO, in one command.

/** Checks, in order: the event; that the market belongs to it; that it is not resolved. */
export function resolveEvent(state: EngineState, command: ResolveEvent): void {
  const { eventId, conditionId, redeemAll } = command;
  const event = findOpenedEvent(state, eventId);
  if (event === undefined) return;
  const winner = event.markets[event.places.get(conditionId) ?? -1];
  if (winner === undefined) {
    reject(state, 'event_malformed', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (event.winner !== undefined) {
    if (event.winner === winner) answerKnown(state, 'resolve_event');
    else reject(state, 'event_resolved', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (!clearMarkets(state, event.markets, 'market_resolved')) {
    state.clearing = command;
    return;
  }
  const lockedMicros = lockedMicrosOf(event);
  event.winner = winner;
  for (const market of event.markets) {
    resolve(state, market, market === winner ? ONE_TICKS : (0 as Ticks)); // 0 is a payout
  }
  const owedMicros = event.markets.reduce((sum, market) => sum + market.owedMicros, 0);
  invariant(owedMicros === lockedMicros, 'an event owes the collateral of its sets');
  if (redeemAll) state.redemptions.add(event.markets.map(({ index }) => index));
  state.events.push({ kind: 'event_resolved', eventId, conditionId });
}
