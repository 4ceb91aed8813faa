/** Opening a neg-risk event: from then on no market can be added to it. */
import type { OpenEvent } from '../model/index.ts';
import { answerKnown, type EngineState, type Market, reject } from '../state/index.ts';

const MINIMUM_MARKETS = 2;

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

/** Checks, in order: that it is not open; its markets' kind; their number; the "none" market. */
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
  if (actual < MINIMUM_MARKETS || actual > maximum) {
    const limit = `${MINIMUM_MARKETS}..${maximum}`;
    return reject(state, 'event_malformed', { field: 'conditionIds', limit, actual });
  }
  const isMember = markets.some(({ terms }) => terms.conditionId === noneConditionId);
  return noneConditionId === '' || isMember || reject(state, 'event_malformed', noneDetails);
}
