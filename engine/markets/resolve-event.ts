/** Resolving a neg-risk event: one market to YES and all others to NO, in one command. */
import { invariant, ONE_TICKS, type ResolveEvent, type Ticks } from '../model/index.ts';
import { clearMarkets } from '../orders/index.ts';
import {
  answerKnown,
  type EngineState,
  findOpenedEvent,
  lockedMicrosOf,
  reject,
} from '../state/index.ts';
import { resolve } from './resolve-market.ts';

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
