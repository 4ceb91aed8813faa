/** Actions on a whole neg-risk event. Exactly one of its markets wins. */
import { Type } from 'typebox';
import { ApiError, echo, eventRejectError } from '../../errors/index.ts';
import { OptionalText, Text } from '../../parameters/index.ts';
import { actionRoute } from '../shared/action-route.ts';
import { approvedResolution, RESOLUTION_STATUS } from './approval.ts';
import { REDEEM_ALL, REDEEMS_ALL, redeemAllOf } from './redeem-all.ts';

const EventPath = Type.Object({
  event_id: Text('Id of the event in the catalog'),
});

/**
 * POST /events/{event_id}/open: opens an event. From then on it gets no more markets, NO tokens of
 * its markets can be converted, and exactly one of them resolves to YES.
 */
export const postEventOpen = actionRoute({
  path: '/events/{event_id}/open',
  summary: 'Open a neg-risk event, which then accepts no more markets',
  params: EventPath,
  body: {
    none: OptionalText('Condition id of the market that wins when no other does'),
  },
  response: {
    event_id: Type.String(),
    markets: Type.Array(Text('Condition id')),
    none: Text('Condition id, or empty'),
  },
  needs: ['registry'],
  errorOf: eventRejectError,
  commandOf: ({ params, body }) => ({
    kind: 'open_event',
    eventId: params.event_id,
    noneConditionId: body.none?.toLowerCase() ?? '',
  }),
  answerOf: ({ eventId, noneConditionId }, { services: { registry } }) => ({
    event_id: eventId,
    markets: [...registry.marketsOfEvent(eventId)],
    none: noneConditionId,
  }),
});

/**
 * POST /events/{event_id}/resolve: resolves one market to YES and all others to NO for good. An
 * event that is not open yet is opened first: its markets trade before, so it must be able to end.
 */
export const postEventResolve = actionRoute({
  path: '/events/{event_id}/resolve',
  summary: 'Resolve a neg-risk event to one of its markets permanently',
  params: EventPath,
  body: {
    winner: Text('Condition id of the market that resolves to YES'),
    ...REDEEM_ALL,
  },
  response: {
    event_id: Type.String(),
    winner: Type.String(),
    ...RESOLUTION_STATUS,
    ...REDEEMS_ALL,
  },
  needs: ['settings', 'registry', 'operators', 'approvals'],
  errorOf: eventRejectError,
  firstOf: ({ params, body, services: { registry } }) => {
    const { event_id: eventId } = params;
    if (registry.marketsOfEvent(eventId).length > 0) return undefined;
    const ofEvent = [...registry.markets()].filter((market) => market.eventId === eventId);
    if (ofEvent.length === 0) return undefined;
    // A wrong winner must not open the event.
    const winner = body.winner.toLowerCase();
    if (ofEvent.some(({ conditionId }) => conditionId === winner)) {
      return { kind: 'open_event', eventId, noneConditionId: '' };
    }
    throw new ApiError('event_malformed', { field: 'winner', actual: echo(body.winner) });
  },
  commandOf: ({ params, body, services: { settings } }) => ({
    kind: 'resolve_event',
    eventId: params.event_id,
    conditionId: body.winner.toLowerCase(),
    redeemAll: redeemAllOf(body, settings),
  }),
  answerOf: ({ eventId, conditionId }, { services: { registry } }) => ({
    event_id: eventId,
    winner: conditionId,
    status: 'resolved',
    redeem_all: registry.market(conditionId)?.redeemsAll ?? false,
  }),
  approvalOf: (command, said, { services, request: { nowMs } }) =>
    approvedResolution(command, said, { services, nowMs }),
  waitingAnswer: ({ redeemAll }) => ({ status: 'awaiting_approval', redeem_all: redeemAll }),
});
