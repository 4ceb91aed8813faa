/** Opening a neg-risk event: from then on no market can be added to it. */
import { invariant, MINIMUM_EVENT_MARKETS, type OpenEvent, RESOLVED } from '../model/index.ts';
import { answerKnown, type EngineState, reject } from '../state/engine-state.ts';
import type { Market } from '../state/market.ts';

export function openEvent(state: EngineState, command: OpenEvent): void {
  const { eventId, noneConditionId } = command;
  const markets = state.marketsByEvent.get(eventId);
  if (markets === undefined) {
    reject(state, 'event_unknown', { field: 'eventId', actual: eventId });
    return;
  }
  if (!checkOpening(state, command, markets)) return;
  const conditionIds = markets.map(({ terms }) => terms.conditionId);
  state.openEvent({ eventId, noneConditionId, markets: [...markets] });
  state.events.push({ kind: 'event_opened', eventId, conditionIds, noneConditionId });
}

/**
 * Whether markets are, or can be opened as, a neg-risk event, which resolves as a whole. All other
 * markets resolve one by one, so that every market can end.
 */
export function formEvent(state: EngineState, markets: readonly Market[]): boolean {
  const [first] = markets;
  if (first === undefined || !markets.every(({ terms }) => terms.negRisk)) return false;
  if (state.negRiskEvents.has(first.terms.eventId)) return true;
  const isSized = markets.length >= MINIMUM_EVENT_MARKETS;
  return isSized && markets.every(({ status }) => status !== RESOLVED);
}

/**
 * Checks, in order: that it is not open; its markets' kind; their number; that none is resolved;
 * the "none" market.
 */
function checkOpening(
  state: EngineState,
  { eventId, noneConditionId }: OpenEvent,
  markets: readonly Market[],
): boolean {
  const noneDetails = { field: 'noneConditionId', actual: noneConditionId };
  const known = state.negRiskEvents.get(eventId);
  if (known !== undefined) {
    if (known.noneConditionId === noneConditionId) return answerKnown(state, 'open_event');
    return reject(state, 'event_sealed', noneDetails);
  }
  const plain = markets.find(({ terms }) => !terms.negRisk);
  if (plain !== undefined) {
    const details = { field: 'negRisk', actual: plain.terms.conditionId };
    return reject(state, 'event_malformed', details);
  }
  const maximum = state.bounds.marketsPerEvent;
  const actual = markets.length;
  invariant(actual <= maximum, 'no market is added to an event that is full');
  if (actual < MINIMUM_EVENT_MARKETS) {
    const limit = `${MINIMUM_EVENT_MARKETS}..${maximum}`;
    return reject(state, 'event_malformed', { field: 'conditionIds', limit, actual });
  }
  const ended = markets.find(({ status }) => status === RESOLVED);
  if (ended !== undefined) {
    const details = { field: 'conditionIds', actual: ended.terms.conditionId };
    return reject(state, 'event_malformed', details);
  }
  const isMember = markets.some(({ terms }) => terms.conditionId === noneConditionId);
  return noneConditionId === '' || isMember || reject(state, 'event_malformed', noneDetails);
}
