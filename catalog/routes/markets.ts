/** The routes of one market of the catalog, except GET /markets/{id} (wire 1.8, 8.3). */
import { Type } from 'typebox';
import { ApiError, echo } from '../../http/errors/index.ts';
import { openObject } from '../../http/format/index.ts';
import { isHash, Text } from '../../http/parameters/index.ts';
import type { MarketName } from '../../persistence/index.ts';
import { recordRoute } from './define-catalog-route.ts';
import { OneCatalogMarket } from './market.ts';
import { ByCreator, CreatorParameter, SlugParameter } from './parameters.ts';
import { CatalogTag } from './people-schemas.ts';
import { IncludeTag } from './searches.ts';

const NUMERIC_ID = /^\d{1,15}$/;

export const MarketIdParameter = Type.Object({
  id: Text('Numeric id or condition id'),
});

export function isMarketId(id: string): boolean {
  return NUMERIC_ID.test(id);
}

/** Throws `invalid_parameter` for a text that is neither a numeric id nor a condition id. */
export function marketNamed(id: string): Exclude<MarketName, { readonly slug: string }> {
  if (NUMERIC_ID.test(id)) return { id: Number(id) };
  if (isHash(id)) return { conditionId: id.toLowerCase() };
  const limit = 'a numeric id, or 0x and 64 hex digits';
  throw new ApiError('invalid_parameter', { field: 'id', limit, actual: echo(id) });
}

const getMarketBySlug = recordRoute({
  path: '/markets/slug/{slug}',
  summary: 'One market of the catalog',
  params: SlugParameter,
  query: Type.Object({ creator: CreatorParameter, include_tag: IncludeTag }),
  response: OneCatalogMarket,
  read: (reads, slug, { creator, include_tag: withTags }) =>
    reads.market({ market: { slug }, creator, withTags }),
});

const getMarketDescription = recordRoute({
  path: '/markets/{id}/description',
  summary: 'The rules by which a market resolves',
  params: MarketIdParameter,
  query: ByCreator,
  response: openObject({ id: Type.String(), description: Type.String() }),
  read: (reads, id, { creator }) => reads.marketDescription({ market: marketNamed(id), creator }),
});

const getMarketTags = recordRoute({
  path: '/markets/{id}/tags',
  summary: 'The tags of a market, which are those of its event',
  params: MarketIdParameter,
  query: ByCreator,
  response: Type.Array(CatalogTag),
  read: (reads, id, { creator }) => reads.marketTags({ market: marketNamed(id), creator }),
});

export const MARKET_ROUTES = [getMarketBySlug, getMarketDescription, getMarketTags];
