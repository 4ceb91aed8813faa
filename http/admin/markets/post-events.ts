/** What the operator does with a whole neg-risk event, of whose markets exactly one wins. */
import { Type } from 'typebox';
import { eventRejectError } from '../../errors/index.ts';
import { defineRoute } from '../../services/index.ts';
import type { Settings } from '../../settings/index.ts';
import { act, Duplicate, WHO_AND_WHY } from '../shared/index.ts';

/** Of a resolution: what is asked for. */
export const REDEEM_ALL = {
  redeem_all: Type.Optional(
    Type.Boolean({
      description:
        'Whether everybody is paid without asking for it; left out, as --redemption says',
    }),
  ),
} as const;

/** What holds, also where it was resolved before: a repetition starts no payments. */
export const REDEEMS_ALL = {
  redeem_all: Type.Boolean({
    description:
      'Whether everybody is paid without asking for it: what its first resolution said, which a ' +
      'duplicate does not change',
  }),
} as const;

/** What a resolution says, or the setting where it says nothing. */
export function redeemAllOf(
  { redeem_all }: { readonly redeem_all?: boolean },
  { redemption }: Pick<Settings, 'redemption'>,
): boolean {
  return redeem_all ?? redemption === 'automatic';
}

const EventPath = Type.Object({ event_id: Type.String({ description: 'Of the catalog' }) });

/**
 * POST /events/{event_id}/open: from then on the event has the markets that it has now, NO of them
 * can be converted, and exactly one of them resolves to YES.
 */
export const postEventOpen = defineRoute({
  method: 'POST',
  path: '/events/{event_id}/open',
  summary: 'Open a neg-risk event: it gets no more markets',
  auth: 'operator',
  params: EventPath,
  body: Type.Object({
    none: Type.Optional(
      Type.String({ description: 'Condition id of the market that wins when no other does' }),
    ),
    ...WHO_AND_WHY,
  }),
  response: Type.Object({
    event_id: Type.String(),
    markets: Type.Array(Type.String({ description: 'Condition id' })),
    none: Type.String({ description: 'Condition id, or empty' }),
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, services: { exchange, registry } }) => {
    const eventId = params.event_id;
    const noneConditionId = body.none?.toLowerCase() ?? '';
    const command = { kind: 'open_event', eventId, noneConditionId } as const;
    const { duplicate } = await act({ exchange }, command, body, eventRejectError);
    const markets = [...registry.marketsOfEvent(eventId)];
    return { event_id: eventId, markets, none: noneConditionId, duplicate };
  },
});

/** POST /events/{event_id}/resolve: one of its markets to YES, all others to NO, for good. */
export const postEventResolve = defineRoute({
  method: 'POST',
  path: '/events/{event_id}/resolve',
  summary: 'Resolve a neg-risk event to one of its markets, for good',
  auth: 'operator',
  params: EventPath,
  body: Type.Object({
    winner: Type.String({ description: 'Condition id of the market that resolves to YES' }),
    ...REDEEM_ALL,
    ...WHO_AND_WHY,
  }),
  response: Type.Object({
    event_id: Type.String(),
    winner: Type.String(),
    ...REDEEMS_ALL,
    duplicate: Duplicate,
  }),
  needs: ['settings', 'exchange', 'registry'],
  handler: async ({ params, body, services }) => {
    const eventId = params.event_id;
    const conditionId = body.winner.toLowerCase();
    const { registry, settings } = services;
    const redeemAll = redeemAllOf(body, settings);
    const command = { kind: 'resolve_event', eventId, conditionId, redeemAll } as const;
    const { duplicate } = await act(services, command, body, eventRejectError);
    const redeems = { redeem_all: registry.market(conditionId)?.redeemsAll ?? false };
    return { event_id: eventId, winner: conditionId, ...redeems, duplicate };
  },
});
