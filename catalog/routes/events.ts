/** The routes of events (wire 8.2). */
import { Type } from 'typebox';
import { listRoute, recordRoute } from './define-catalog-route.ts';
import { CatalogEvent, OneCatalogEvent, Pagination } from './market.ts';
import { ByCreator, IdParameter, idOf, SlugParameter } from './parameters.ts';
import { CatalogTag, CommentCount } from './people-schemas.ts';
import { EVENT_FILTERS, eventSearchOf } from './searches.ts';

const listEvents = listRoute({
  path: '/events',
  summary: 'Events with their markets, tags and series',
  filters: EVENT_FILTERS,
  response: Type.Array(CatalogEvent),
  read: (reads, query, part) => reads.events(eventSearchOf(query, part)),
});

const listEventsWithTotal = listRoute({
  path: '/events/pagination',
  summary: 'Events, with the number of results',
  filters: EVENT_FILTERS,
  response: Type.Object({ data: Type.Array(CatalogEvent), pagination: Pagination }),
  read: (reads, query, part) => reads.eventPage(eventSearchOf(query, part)),
});

const getEvent = recordRoute({
  path: '/events/{id}',
  summary: 'One event, with the mirrors of its markets',
  params: IdParameter,
  query: ByCreator,
  response: OneCatalogEvent,
  read: (reads, id, { creator }) => reads.event({ event: { id: idOf(id) }, creator }),
});

const getEventBySlug = recordRoute({
  path: '/events/slug/{slug}',
  summary: 'One event',
  params: SlugParameter,
  query: ByCreator,
  response: CatalogEvent,
  read: (reads, slug, { creator }) => reads.event({ event: { slug }, creator }),
});

const getEventTags = recordRoute({
  path: '/events/{id}/tags',
  summary: 'The tags of an event',
  params: IdParameter,
  query: ByCreator,
  response: Type.Array(CatalogTag),
  read: (reads, id, { creator }) => reads.eventTags({ event: { id: idOf(id) }, creator }),
});

const getEventCommentCount = recordRoute({
  path: '/events/{id}/comments/count',
  summary: 'The number of comments on an event',
  params: IdParameter,
  response: CommentCount,
  read: (reads, id) => reads.commentCount({ type: 'Event', id: idOf(id) }),
});

// Of the paths with parameters the router takes the first that matches: `slug` precedes `{id}`.
export const EVENT_ROUTES = [
  listEvents,
  getEventBySlug,
  getEvent,
  getEventTags,
  getEventCommentCount,
  listEventsWithTotal,
];
