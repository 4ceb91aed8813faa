/** What is asked of one market of the catalog besides GET /markets/{id} (wire 1.8, 8.3). */
import { Type } from 'typebox';
import type { MarketName } from '../../persistence/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { OneCatalogMarket } from './market.ts';
import { CreatorParameter, SlugParameter } from './parameters.ts';
import { CatalogTag, kept } from './people-schemas.ts';
import { oneReply } from './reply.ts';

const NUMERIC_ID = /^\d{1,15}$/;
const CONDITION_ID = /^0[xX][0-9a-fA-F]{64}$/;

export const MarketIdParameter = Type.Object({
  id: Type.String({ description: 'Numeric id or condition id' }),
});

/** Whether an id of a path is the catalog's own. */
export function isNumericId(id: string): boolean {
  return NUMERIC_ID.test(id);
}

/** Throws `invalid_parameter` for what is neither a numeric id nor a condition id. */
export function marketNamed(id: string): Exclude<MarketName, { readonly slug: string }> {
  if (NUMERIC_ID.test(id)) return { id: Number(id) };
  if (CONDITION_ID.test(id)) return { conditionId: id.toLowerCase() };
  const limit = 'a numeric id, or 0x and 64 hex digits';
  throw new ApiError('invalid_parameter', { field: 'id', limit, actual: echo(id) });
}

const getMarketOfSlug = defineCatalogRoute({
  path: '/markets/slug/{slug}',
  summary: 'One market of the catalog',
  params: SlugParameter,
  query: Type.Object({ creator: CreatorParameter }),
  response: OneCatalogMarket,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { slug }, query: { creator }, services }) => {
    const asked = services.exchange.catalog.read.market({ market: { slug }, creator });
    return oneReply(asked, { field: 'slug', actual: slug }, services);
  },
});

const getMarketDescription = defineCatalogRoute({
  path: '/markets/{id}/description',
  summary: 'How a market is resolved',
  params: MarketIdParameter,
  response: kept({ id: Type.String(), description: Type.String() }),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.marketDescription({ market: marketNamed(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getMarketTags = defineCatalogRoute({
  path: '/markets/{id}/tags',
  summary: 'The tags of a market, which are those of its event',
  params: MarketIdParameter,
  response: Type.Array(CatalogTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.marketTags({ market: marketNamed(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

export const MARKET_ROUTES = [getMarketOfSlug, getMarketDescription, getMarketTags];
