import { Type } from 'typebox';
import { HTTP_BOUNDS } from '../../bounds/sizes.ts';
import { ApiError, echo } from '../../errors/index.ts';
import { Text, TrueFalse } from '../../parameters/index.ts';
import { nextTurn } from '../../runtime/log.ts';
import { defineRoute, type Services } from '../../services/index.ts';
import { ATTRIBUTION, DuplicateAction, saidIn } from '../shared/action-route.ts';
import { createPlanned } from './create-planned.ts';
import { planEvent, planMarket } from './event-plan.ts';
import {
  EVENT_INPUT,
  MARKET_INPUT,
  type NewMarketRequest,
  readEvent,
  readMarket,
} from './event-request.ts';

const NewMarket = Type.Object({
  slug: Type.String(),
  condition_id: Type.String(),
  token_ids: Type.Array(Text('In the order of the outcomes')),
});

function newMarket({ texts, conditionId, clobTokenIds }: NewMarketRequest) {
  return {
    slug: texts.slug,
    condition_id: conditionId,
    token_ids: [...clobTokenIds],
  };
}

/**
 * POST /events: creates an event with all its markets, or nothing. The markets trade from this
 * answer on. If a stop interrupts it, the next start or the same request finishes it.
 */
export const postNewEvent = defineRoute({
  method: 'POST',
  path: '/events',
  summary: 'Create an event with its markets',
  auth: 'operator',
  body: Type.Object({ ...EVENT_INPUT, ...ATTRIBUTION }),
  bodyBytes: HTTP_BOUNDS.eventBodyBytes,
  response: Type.Object({
    event_id: Type.String(),
    slug: Type.String(),
    markets: Type.Array(NewMarket),
    accepts_markets: TrueFalse('Whether more can be added: not to a neg-risk event that is open'),
    none: Text('Condition id, or empty'),
    duplicate: DuplicateAction,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ body, caller, request: { nowMs }, services }) => {
    const said = saidIn(body, caller);
    // An event may have many markets, so each part of the work has a turn of the event loop.
    await nextTurn();
    const request = readEvent(body);
    await nextTurn();
    const planned = planEvent(request, { ...said, nowMs }, services);
    await nextTurn();
    const { lookup } = services.exchange.catalog;
    const { texts, markets, open, none } = request;
    const duplicate = await createPlanned(
      {
        ...planned,
        kind: 'event',
        pathOf: (index) => `markets.${index}`,
        given: [
          { field: 'id', id: request.id, conditionId: undefined },
          ...markets.map(({ id, conditionId }, index) => ({
            field: `markets.${index}.id`,
            id,
            conditionId,
          })),
        ].filter(({ id }) => id !== ''),
      },
      services,
    );
    const { eventId } = lookup.plan(planned.plan.name) ?? planned.plan;
    return {
      event_id: `${eventId}`,
      slug: texts.slug,
      markets: markets.map(newMarket),
      accepts_markets: !open,
      none: markets.find((market) => market.texts.slug === none)?.conditionId ?? '',
      duplicate,
    };
  },
});

const EVENT_ID = /^[1-9]\d{0,15}$/;

/** Throws `event_unknown`. */
function eventIn({ exchange }: Pick<Services, 'exchange'>, text: string) {
  const id = EVENT_ID.test(text) ? Number(text) : 0;
  const event = exchange.catalog.lookup.eventKind(id);
  if (event !== undefined) return { ...event, id };
  throw new ApiError('event_unknown', { field: 'event_id', actual: echo(text) });
}

/** POST /events/{event_id}/markets: adds a market to an event that is not open yet. */
export const postNewMarket = defineRoute({
  method: 'POST',
  path: '/events/{event_id}/markets',
  summary: 'Add a market to an event that is not open yet',
  auth: 'operator',
  params: Type.Object({ event_id: Text('Id of the event in the catalog') }),
  body: Type.Object({ ...MARKET_INPUT, ...ATTRIBUTION }),
  response: Type.Object({
    event_id: Type.String(),
    ...NewMarket.properties,
    duplicate: DuplicateAction,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const said = saidIn(body, caller);
    const event = eventIn(services, params.event_id);
    const request = readMarket(body);
    const planned = planMarket(request, event, { ...said, nowMs }, services);
    const { id, conditionId } = request;
    const duplicate = await createPlanned(
      {
        ...planned,
        kind: 'market',
        pathOf: () => '',
        given: id === '' ? [] : [{ field: 'id', id, conditionId }],
      },
      services,
    );
    return { event_id: `${event.id}`, ...newMarket(request), duplicate };
  },
});
