/** The routes of searches, teams and sports (wire 8.4, 8.5). */
import { Type } from 'typebox';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError } from '../../http/errors/index.ts';
import { hashFilter, OptionalText, OptionalTrueFalse } from '../../http/parameters/index.ts';
import { EVENT_ORDER_NAMES, type EventSort, type EventsFound } from '../../persistence/index.ts';
import { defineCatalogRoute, listRoute } from './define-catalog-route.ts';
import { SearchResult } from './market.ts';
import {
  CreatorParameter,
  condition,
  listQuery,
  orderParameters,
  orderReader,
  partOf,
  texts,
  wholes,
} from './parameters.ts';
import { MarketTypes, Sport, Team } from './people-schemas.ts';
import { listReply } from './reply.ts';
import { Recurrence } from './searches.ts';

const { foundPerType, defaultFoundPerType, searchCharacters } = READ_BOUNDS;

const publicSearch = defineCatalogRoute({
  path: '/public-search',
  summary: 'Searches events, their markets and tags by words',
  query: Type.Object({
    q: Type.String({ maxLength: searchCharacters, description: 'The words to search for' }),
    limit_per_type: Type.Optional(
      Type.Integer({ minimum: 1, maximum: foundPerType, default: defaultFoundPerType }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    search_tags: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether to search tags too' }),
    ),
    search_profiles: OptionalTrueFalse('Accepted for compatibility; profiles are not searched'),
    events_status: Type.Optional(
      Type.Enum(['active', 'closed', 'resolved', 'all'], {
        default: 'all',
        description: 'Which events are found; resolved means closed',
      }),
    ),
    events_tag: texts('Slugs of tags; an event must have one of them'),
    exclude_tag_id: wholes('Numeric ids of tags that an event must not have'),
    recurrence: Recurrence,
    sort: OptionalText(`Sorts the events by one of ${EVENT_ORDER_NAMES.join(', ')}`),
    ascending: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether `sort` is ascending' }),
    ),
    creator: CreatorParameter,
  }),
  response: SearchResult,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const { q, limit_per_type: limit = defaultFoundPerType, page = 1, creator } = query;
    const text = q.trim();
    if (text === '') throw new ApiError('missing_field', { field: 'q' });
    const withTags = query.search_tags ?? true;
    const found = { events: eventsFoundBy(query), sort: sortOf(query) };
    const search = { text, limit, page, withTags, creator, ...found };
    return listReply(services.exchange.catalog.read.search(search), services);
  },
});

interface EventFilters {
  readonly events_status?: string;
  readonly events_tag?: string[];
  readonly exclude_tag_id?: number[];
  readonly recurrence?: string;
}

function eventsFoundBy(query: EventFilters): EventsFound {
  const { events_status = 'all', events_tag, exclude_tag_id, recurrence } = query;
  return {
    status: events_status === 'all' ? undefined : events_status === 'active' ? 'active' : 'closed',
    conditions: [
      ...condition('tagSlug', events_tag),
      ...condition('exceptTagId', exclude_tag_id),
      ...condition('recurrence', [recurrence]),
    ],
  };
}

const eventOrder = orderReader(EVENT_ORDER_NAMES, 'sort');

interface SortQuery {
  readonly sort?: string;
  readonly ascending?: boolean;
}

function sortOf({ sort = '', ascending }: SortQuery): EventSort | undefined {
  const [by] = eventOrder({ order: sort === '' ? [] : [sort] }).order;
  if (by !== undefined) return { by, ascending: ascending ?? false };
  if (ascending !== true) return undefined;
  const reason = 'without sort the best matches come first';
  throw new ApiError('parameter_not_served', { field: 'ascending', reason, actual: 'true' });
}

const TEAM_ORDERS = ['id', 'name', 'league', 'abbreviation'] as const;
const teamOrder = orderReader(TEAM_ORDERS);

const listTeams = listRoute({
  path: '/teams',
  summary: 'Teams',
  filters: {
    league: texts('Leagues; a team must be in one of them'),
    name: texts('Names; a team must have one of them'),
    abbreviation: texts('Abbreviations; a team must have one of them'),
    ...orderParameters(TEAM_ORDERS),
  },
  response: Type.Array(Team),
  read: (reads, { league, name, abbreviation, ...order }, part) =>
    reads.teams({ ...part, ...teamOrder(order), league, name, abbreviation }),
});

const listSports = defineCatalogRoute({
  path: '/sports',
  summary: 'Sports',
  response: Type.Array(Sport),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ services }) => {
    const part = { limit: READ_BOUNDS.catalogItems, offset: 0 };
    return listReply(services.exchange.catalog.read.sports(part), services);
  },
});

const getMarketTypes = defineCatalogRoute({
  path: '/sports/market-types',
  summary: 'The kinds of markets on sports',
  response: MarketTypes,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ services }) => listReply(services.exchange.catalog.read.marketTypes({}), services),
});

const CLARIFICATION_STATES = ['pending', 'queued', 'success', 'failed', 'cancelled'];
const CLARIFICATION_TIMES = ['createdAt', 'queuedAt', 'scheduledFor', 'txTimestamp'] as const;
const CLARIFICATION_ORDERS = ['id', ...CLARIFICATION_TIMES] as const;
const clarificationOrder = orderReader(CLARIFICATION_ORDERS);

/**
 * Additions to a market's rules. No market here gets one: its description is changed instead.
 * Requests are still checked, so that a client finds its mistakes.
 */
const listClarifications = defineCatalogRoute({
  path: '/market-clarifications',
  summary: 'Clarifications of markets: none',
  ...listQuery({
    market_id: wholes('Numeric ids of markets'),
    event_id: wholes('Numeric ids of events'),
    question_id: texts('Question ids'),
    state: Type.Optional(
      Type.Array(Type.Enum(CLARIFICATION_STATES), { maxItems: READ_BOUNDS.valuesPerFilter }),
    ),
    show_in_frontend: OptionalTrueFalse('Only those that pages show, or only others'),
    tx_hash: OptionalText('Hash of a transaction'),
    ...orderParameters(CLARIFICATION_ORDERS),
  }),
  response: Type.Array(Type.Object({}), { maxItems: 0 }),
  byDialect: true,
  handler: ({ query, request }) => {
    partOf(query, request);
    clarificationOrder(query);
    for (const id of query.question_id ?? []) hashFilter(id, 'question_id');
    hashFilter(query.tx_hash, 'tx_hash');
    return [];
  },
});

export const SEARCH_AND_SPORT_ROUTES = [
  publicSearch,
  listTeams,
  listSports,
  getMarketTypes,
  listClarifications,
];
