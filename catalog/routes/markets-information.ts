/**
 * POST /markets/information: markets by a filter in the body, for lists of ids that are too long
 * for a query (wire 8.3). Its fields are filters of `GET /markets` in camelCase. Invariant: a field
 * that is not served is refused, with the reason that the query's parameter has. Bound: `values`
 * values of a list, so that all named markets are on one page.
 */
import { type Static, Type } from 'typebox';
import { unservedParameters } from '../../http/api/index.ts';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { defineRoute, type Services } from '../../http/services/index.ts';
import { type MarketSearch, snakeCase } from '../../persistence/index.ts';
import { OneCatalogMarket } from './market.ts';
import { type ListSlice, partOf } from './parameters.ts';
import { catalogFailure, listReply } from './reply.ts';
import { MARKET_FILTERS, type MarketFilters, marketSearchOf } from './searches.ts';

const values = READ_BOUNDS.catalogItems;

const Texts = Type.Optional(Type.Array(Type.String(), { maxItems: values }));
const OneText = Type.Optional(Type.String());
const Amount = Type.Optional(Type.Number());
const Flag = Type.Optional(Type.Boolean());
const Whole = Type.Optional(Type.Integer({ minimum: 0 }));

const FIELDS = {
  id: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: values })),
  slug: Texts,
  conditionIds: Texts,
  clobTokenIds: Texts,
  questionIds: Texts,
  marketMakerAddress: Texts,
  sportsMarketTypes: Texts,
  gameId: OneText,
  umaResolutionStatus: OneText,
  tagId: Whole,
  closed: Flag,
  active: Flag,
  archived: Flag,
  includeTags: Flag,
  liquidityNumMin: Amount,
  liquidityNumMax: Amount,
  volumeNumMin: Amount,
  volumeNumMax: Amount,
  startDateMin: OneText,
  startDateMax: OneText,
  endDateMin: OneText,
  endDateMax: OneText,
};

const Body = Type.Object({
  ...FIELDS,
  limit: Type.Optional(Type.Integer({ default: values })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
});

/** Fields whose parameter has another name than the field in snake_case. */
const OTHER_NAMES: Readonly<Record<string, keyof typeof MARKET_FILTERS>> = {
  includeTags: 'include_tag',
};

function parameterOf(field: string): string {
  return OTHER_NAMES[field] ?? snakeCase(field);
}

const { refused, noEffect } = unservedParameters('/markets', new Set(Object.keys(MARKET_FILTERS)));

/** No documented name is longer. */
const LONGEST_NAME = 64;

/** Throws `parameter_not_served` for a field that no filter here serves, unless it asks nothing. */
function refuseOthers(body: Static<typeof Body>): void {
  for (const [field, value] of Object.entries(body)) {
    if (Object.hasOwn(Body.properties, field)) continue;
    if (field.length > LONGEST_NAME) {
      const limit = `names of at most ${LONGEST_NAME} characters`;
      throw new ApiError('invalid_parameter', { field: String(echo(field)), limit });
    }
    if (noEffect.has(parameterOf(field))) continue;
    const reason = refused.get(parameterOf(field));
    if (reason !== undefined && (value === null || value === false || value === 0)) continue;
    const told = reason ?? `the fields are ${Object.keys(Body.properties).join(', ')}`;
    throw new ApiError('parameter_not_served', { field, reason: told, actual: echo(value) });
  }
}

function filtersOf({ tagId, ...body }: Omit<Static<typeof Body>, 'limit' | 'offset'>) {
  const renamed = Object.entries(body).map(([field, value]) => [parameterOf(field), value]);
  const tags = tagId === undefined ? {} : { tag_id: [tagId] };
  // Safe: a field has the type of its parameter.
  return { ...Object.fromEntries(renamed), ...tags } as MarketFilters;
}

/** Throws what the list of markets throws, with the names that fields have here. */
function searchOf(
  fields: Parameters<typeof filtersOf>[0],
  part: ListSlice,
  registry: Services['registry'],
): MarketSearch {
  try {
    return marketSearchOf(filtersOf(fields), part, registry);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const field = Object.keys(fields).find((name) => parameterOf(name) === error.details.field);
    throw field === undefined ? error : new ApiError(error.code, { ...error.details, field });
  }
}

export const postMarketsInformation = defineRoute({
  method: 'POST',
  path: '/markets/information',
  summary: 'Markets by lists of ids and other filters in the body',
  auth: 'none',
  failureKeys: catalogFailure,
  body: Body,
  byDialect: true,
  showsPictures: true,
  response: Type.Array(OneCatalogMarket),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ body, request, services }) => {
    refuseOthers(body);
    const { limit = values, offset = 0, ...fields } = body;
    const search = searchOf(fields, partOf({ limit, offset }, request), services.registry);
    return listReply(services.exchange.catalog.read.markets(search), services);
  },
});
