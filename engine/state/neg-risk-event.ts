/**
 * Neg-risk events: markets of which exactly one resolves to YES, so that NO in several of them is
 * partly cash already (design 5). An event is opened once, with the markets it has then, and trades
 * before and after. Invariants: in each of its markets YES held = sets, NO held = sets - bundles;
 * the collateral locked for it is the sum of its sets less (n - 1) x bundles. Bound:
 * `marketsPerEvent`.
 */

import { ONE_TICKS } from '../model/index.ts';
import { type Core, type Market, type NegRiskEvent, reject } from './core.ts';

/** The open event of that id; says why there is none. */
export function openedEvent(core: Core, eventId: string): NegRiskEvent | undefined {
  const event = core.negRiskEvents.get(eventId);
  if (event !== undefined) return event;
  const code = core.marketsByEvent.has(eventId) ? 'event_not_sealed' : 'event_unknown';
  reject(core, code, { field: 'eventId', actual: eventId });
  return undefined;
}

/** Whether a market resolves with its event alone, which is a neg-risk one or can become one. */
export function isOfEvent(core: Core, { terms }: Market): boolean {
  const siblings = core.marketsByEvent.get(terms.eventId) ?? [];
  return siblings.length > 0 && siblings.every((market) => market.terms.negRisk);
}

/** Collateral behind an event's tokens. In lots first, because its sets alone may pass 2^53. */
export function lockedMicrosOf({ markets }: NegRiskEvent): number {
  const sets = markets.reduce((sum, { setsLots }) => sum + setsLots, 0);
  const bundles = markets[0]?.bundlesLots ?? 0;
  return (sets - (markets.length - 1) * bundles) * ONE_TICKS;
}
