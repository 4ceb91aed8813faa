/** What the operator adds to what is traded: events with their markets, and further markets. */
import { Type } from 'typebox';
import { HTTP_BOUNDS } from '../../bounds/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import type { Services } from '../../services/index.ts';
import { defineRoute } from '../../services/index.ts';
import { Duplicate, WHO_AND_WHY } from '../shared/index.ts';
import {
  type AskedMarket,
  EVENT_INPUT,
  eventAsked,
  MARKET_INPUT,
  marketAsked,
} from './event-input.ts';
import { make } from './event-maker.ts';
import { planEvent, planMarket } from './event-plan.ts';

const NewMarket = Type.Object({
  slug: Type.String(),
  condition_id: Type.String(),
  token_ids: Type.Array(Type.String({ description: 'In the order of the outcomes' })),
});

function newMarket({ words, conditionId, clobTokenIds }: AskedMarket) {
  return {
    slug: words.slug,
    condition_id: conditionId,
    token_ids: [...clobTokenIds],
  };
}

/**
 * POST /events: a new event with all its markets, which can be traded from this answer on. Whole or
 * not at all: what a stop cuts off is finished by the next start, or by the same request again.
 */
export const postNewEvent = defineRoute({
  method: 'POST',
  path: '/events',
  summary: 'Create an event with its markets',
  auth: 'operator',
  body: Type.Object({ ...EVENT_INPUT, ...WHO_AND_WHY }),
  bodyBytes: HTTP_BOUNDS.eventBodyBytes,
  response: Type.Object({
    event_id: Type.String(),
    slug: Type.String(),
    markets: Type.Array(NewMarket),
    opened: Type.Boolean({ description: 'It is a neg-risk event that takes no more markets' }),
    none: Type.String({ description: 'Condition id, or empty' }),
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ body, request: { nowMs }, services }) => {
    const { by, reason } = body;
    const asked = eventAsked(body);
    const planned = planEvent(asked, { by, reason, nowMs }, services);
    const { lookup } = services.exchange.catalog;
    const { words, markets, open, none } = asked;
    const duplicate = await make(
      {
        ...planned,
        kind: 'event',
        pathOf: (place) => `markets.${place}`,
        given: [
          { field: 'id', id: asked.id, conditionId: undefined },
          ...markets.map(({ id, conditionId }, place) => {
            return { field: `markets.${place}.id`, id, conditionId };
          }),
        ].filter(({ id }) => id !== ''),
      },
      services,
    );
    const { eventId } = lookup.plan(planned.plan.name) ?? planned.plan;
    return {
      event_id: `${eventId}`,
      slug: words.slug,
      markets: markets.map(newMarket),
      opened: open,
      none: markets.find((market) => market.words.slug === none)?.conditionId ?? '',
      duplicate,
    };
  },
});

const EVENT_ID = /^[1-9]\d{0,15}$/;

/** The stored event of a path; throws `event_unknown`. */
function eventIn({ exchange }: Pick<Services, 'exchange'>, text: string) {
  const id = EVENT_ID.test(text) ? Number(text) : 0;
  const event = exchange.catalog.lookup.eventKind(id);
  if (event !== undefined) return { ...event, id };
  throw new ApiError('event_unknown', { field: 'event_id', actual: echo(text) });
}

/** POST /events/{event_id}/markets: a further market of an event that is not opened. */
export const postNewMarket = defineRoute({
  method: 'POST',
  path: '/events/{event_id}/markets',
  summary: 'Add a market to an event that is not opened',
  auth: 'operator',
  params: Type.Object({ event_id: Type.String({ description: 'Of the catalog' }) }),
  body: Type.Object({ ...MARKET_INPUT, ...WHO_AND_WHY }),
  response: Type.Object({
    event_id: Type.String(),
    ...NewMarket.properties,
    duplicate: Duplicate,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, request: { nowMs }, services }) => {
    const { by, reason } = body;
    const event = eventIn(services, params.event_id);
    const asked = marketAsked(body);
    const planned = planMarket(asked, event, { by, reason, nowMs }, services);
    const { id, conditionId } = asked;
    const duplicate = await make(
      {
        ...planned,
        kind: 'market',
        pathOf: () => '',
        given: id === '' ? [] : [{ field: 'id', id, conditionId }],
      },
      services,
    );
    return { event_id: `${event.id}`, ...newMarket(asked), duplicate };
  },
});
