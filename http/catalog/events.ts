/** GET /events and what is asked of one event (interface.md "Catalog routes", wire 8.2). */
import { type Static, Type } from 'typebox';
import type { EventQuery } from '../../persistence/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { CatalogEvent, OneCatalogEvent } from './market.ts';
import {
  CreatorParameter,
  IdParameter,
  idOf,
  listQuery,
  partOf,
  SlugParameter,
} from './parameters.ts';
import { CatalogTag, CommentCount } from './people-schemas.ts';
import { listReply, oneReply } from './reply.ts';
import { EVENT_FILTERS, eventSearchOf } from './searches.ts';

const EventsQuery = listQuery(EVENT_FILTERS);

const listEvents = defineCatalogRoute({
  path: '/events',
  summary: 'Events with their markets, tags and series',
  ...EventsQuery,
  response: Type.Array(CatalogEvent),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const search = eventSearchOf(query, partOf(query, services.settings));
    return listReply(services.exchange.catalog.read.events(search), services);
  },
});

const OfCreator = Type.Object({ creator: CreatorParameter });

function eventOfId(id: string, { creator }: Static<typeof OfCreator> = {}): EventQuery {
  return {
    event: { id: idOf(id) },
    creator,
  };
}

const getEvent = defineCatalogRoute({
  path: '/events/{id}',
  summary: 'One event, with the mirrors of its markets',
  params: IdParameter,
  query: OfCreator,
  response: OneCatalogEvent,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, query, services }) => {
    const asked = services.exchange.catalog.read.event(eventOfId(id, query));
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getEventOfSlug = defineCatalogRoute({
  path: '/events/slug/{slug}',
  summary: 'One event',
  params: SlugParameter,
  query: OfCreator,
  response: CatalogEvent,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { slug }, query: { creator }, services }) => {
    const asked = services.exchange.catalog.read.event({ event: { slug }, creator });
    return oneReply(asked, { field: 'slug', actual: slug }, services);
  },
});

const getEventTags = defineCatalogRoute({
  path: '/events/{id}/tags',
  summary: 'The tags of an event',
  params: IdParameter,
  response: Type.Array(CatalogTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.eventTags(eventOfId(id));
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getEventCommentCount = defineCatalogRoute({
  path: '/events/{id}/comments/count',
  summary: 'How many comments an event has',
  params: IdParameter,
  response: CommentCount,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.commentCount({ type: 'Event', id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

// The router takes the first that fits: `slug` is no id.
export const EVENT_ROUTES = [
  listEvents,
  getEventOfSlug,
  getEvent,
  getEventTags,
  getEventCommentCount,
];
