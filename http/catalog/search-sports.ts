/** GET /public-search, and what sports have (interface.md "GET /public-search", wire 8.4, 8.5). */
import { Type } from 'typebox';
import { READ_BOUNDS } from '../bounds/index.ts';
import { ApiError } from '../errors/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { SearchResult } from './market.ts';
import {
  CreatorParameter,
  flag,
  listQuery,
  orderParameters,
  orderReader,
  partOf,
  texts,
} from './parameters.ts';
import { MarketTypes, Sport, Team } from './people-schemas.ts';
import { listReply } from './reply.ts';

const { foundPerType, defaultFoundPerType, searchCharacters } = READ_BOUNDS;

const publicSearch = defineCatalogRoute({
  path: '/public-search',
  summary: 'Events, by their words and those of their markets, and tags',
  query: Type.Object({
    q: Type.String({ maxLength: searchCharacters, description: 'What is searched for' }),
    limit_per_type: Type.Optional(
      Type.Integer({ minimum: 1, maximum: foundPerType, default: defaultFoundPerType }),
    ),
    page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    search_tags: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether tags are searched too' }),
    ),
    search_profiles: flag('Taken for compatibility; profiles are never found'),
    creator: CreatorParameter,
  }),
  response: SearchResult,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const { q, limit_per_type: limit = defaultFoundPerType, page = 1, creator } = query;
    const text = q.trim();
    if (text === '') throw new ApiError('missing_field', { field: 'q' });
    const withTags = query.search_tags ?? true;
    const question = { text, limit, page, withTags, creator };
    return listReply(services.exchange.catalog.read.search(question), services);
  },
});

const TEAM_ORDERS = ['id', 'name', 'league', 'abbreviation'] as const;
const teamOrder = orderReader(TEAM_ORDERS);

const listTeams = defineCatalogRoute({
  path: '/teams',
  summary: 'Teams of sports',
  ...listQuery({
    league: texts('Leagues of which a team is in one'),
    name: texts('Names of which a team has one'),
    abbreviation: texts('Abbreviations of which a team has one'),
    ...orderParameters(TEAM_ORDERS),
  }),
  response: Type.Array(Team),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const { league, name, abbreviation } = query;
    const filters = { league, name, abbreviation };
    const question = { ...partOf(query, services.settings), ...teamOrder(query), ...filters };
    return listReply(services.exchange.catalog.read.teams(question), services);
  },
});

const listSports = defineCatalogRoute({
  path: '/sports',
  summary: 'Kinds of sports',
  response: Type.Array(Sport),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ services }) => {
    const question = { limit: READ_BOUNDS.catalogItems, offset: 0 };
    return listReply(services.exchange.catalog.read.sports(question), services);
  },
});

const getMarketTypes = defineCatalogRoute({
  path: '/sports/market-types',
  summary: 'What markets of sports are about',
  response: MarketTypes,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ services }) => listReply(services.exchange.catalog.read.marketTypes({}), services),
});

export const SEARCH_AND_SPORT_ROUTES = [publicSearch, listTeams, listSports, getMarketTypes];
