/** Resolving a neg-risk event: one of its markets to YES, all others to NO, by one command. */
import type { ResolveEvent } from '../model/index.ts';
import { invariant, ONE_TICKS, type Ticks } from '../model/index.ts';
import { type Core, lockedMicrosOf, openedEvent, reject } from '../state/index.ts';
import { resolve } from './resolve-market.ts';

/** Checks, in order: the event; that the market is one of its; that it is not resolved yet. */
export function resolveEvent(core: Core, command: ResolveEvent): void {
  const { eventId, conditionId, redeemAll } = command;
  const event = openedEvent(core, eventId);
  if (event === undefined) return;
  const winner = event.markets[event.places.get(conditionId) ?? -1];
  if (winner === undefined) {
    reject(core, 'event_malformed', { field: 'conditionId', actual: conditionId });
    return;
  }
  if (event.winner !== undefined) {
    if (event.winner === winner) core.events.push({ kind: 'known', command: 'resolve_event' });
    else reject(core, 'event_resolved', { field: 'conditionId', actual: conditionId });
    return;
  }
  const lockedMicros = lockedMicrosOf(event);
  event.winner = winner;
  for (const market of event.markets) {
    resolve(core, market, market === winner ? ONE_TICKS : (0 as Ticks)); // 0 is a payout
  }
  const owedMicros = event.markets.reduce((sum, market) => sum + market.owedMicros, 0);
  invariant(owedMicros === lockedMicros, 'an event owes what it had locked');
  if (redeemAll) core.redemptions.add(event.markets.map(({ index }) => index));
  core.events.push({ kind: 'event_resolved', eventId, conditionId });
}
