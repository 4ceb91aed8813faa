/** Opening a neg-risk event: from then on it has no other markets than it has now. */
import type { OpenEvent } from '../model/index.ts';
import { type Core, type Market, reject } from '../state/index.ts';

const LEAST_MARKETS = 2;

/** Checks, in order: the event; what it is already; its markets' kind; their number; the "none". */
export function openEvent(core: Core, { eventId, noneConditionId }: OpenEvent): void {
  const markets = core.marketsByEvent.get(eventId);
  if (markets === undefined) {
    reject(core, 'event_unknown', { field: 'eventId', actual: eventId });
    return;
  }
  const known = core.negRiskEvents.get(eventId);
  if (known !== undefined) {
    if (known.noneConditionId === noneConditionId) {
      core.events.push({ kind: 'known', command: 'open_event' });
    } else {
      reject(core, 'event_sealed', { field: 'noneConditionId', actual: noneConditionId });
    }
    return;
  }
  if (!checkMarkets(core, markets, noneConditionId)) return;
  const conditionIds = markets.map(({ terms }) => terms.conditionId);
  core.openEvent({ eventId, noneConditionId, markets: [...markets] });
  core.events.push({ kind: 'event_opened', eventId, conditionIds, noneConditionId });
}

function checkMarkets(core: Core, markets: readonly Market[], noneConditionId: string): boolean {
  const plain = markets.find(({ terms }) => !terms.negRisk);
  const most = core.bounds.marketsPerEvent;
  const actual = markets.length;
  if (plain !== undefined) {
    reject(core, 'event_malformed', { field: 'negRisk', actual: plain.terms.conditionId });
    return false;
  }
  if (actual < LEAST_MARKETS || actual > most) {
    const limit = `${LEAST_MARKETS}..${most}`;
    reject(core, 'event_malformed', { field: 'conditionIds', limit, actual });
    return false;
  }
  const isThere = markets.some(({ terms }) => terms.conditionId === noneConditionId);
  if (noneConditionId === '' || isThere) return true;
  reject(core, 'event_malformed', { field: 'noneConditionId', actual: noneConditionId });
  return false;
}
