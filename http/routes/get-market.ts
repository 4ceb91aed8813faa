import { Type } from 'typebox';
import type { CatalogMarket } from '../../persistence/index.ts';
import { ApiError } from '../errors.ts';
import { catalogFailure } from '../format/catalog-failure.ts';
import {
  formatMergedMarket,
  formatOneMarket,
  MergedMarket,
  OneCatalogMarket,
} from '../format/catalog-market.ts';
import { FullMarket, formatFullMarket } from '../format/full-market.ts';
import { liveMarket } from '../format/market.ts';
import { defineRoute, NO_BODY, type Surface } from '../route.ts';
import { echo } from '../schema-fault.ts';
import type { Services } from '../services.ts';

const NUMERIC_ID = /^\d{1,15}$/;
const CONDITION_ID = /^0[xX][0-9a-fA-F]{64}$/;

/** Throws `invalid_parameter` for what is neither a numeric id nor a condition id. */
const findMarket = ({ exchange }: Services, id: string): CatalogMarket | undefined => {
  if (NUMERIC_ID.test(id)) return exchange.catalog.market(Number(id));
  if (CONDITION_ID.test(id)) return exchange.catalog.marketByCondition(id.toLowerCase());
  const limit = 'a numeric id, or 0x and 64 hex digits';
  throw new ApiError('invalid_parameter', { field: 'id', limit, actual: echo(id) });
};

/** Wallet addresses, whose case does not count; without a creator every market will do. */
const isOf = ({ creator }: CatalogMarket, wanted: string): boolean =>
  wanted === '' || creator.toLowerCase() === wanted.toLowerCase();

/** Whether a request means the catalog's market alone (wire 0.4), and its words for errors. */
const isCatalogForm = (surface: Surface, id: string): boolean =>
  surface === 'gamma' || (surface !== 'clob' && NUMERIC_ID.test(id));

const notFound = (surface: Surface, id: string): never => {
  const code = isCatalogForm(surface, id) ? 'id_not_found' : 'market_not_found';
  throw new ApiError(code, { field: 'id', actual: echo(id) });
};

/**
 * GET /markets/{id} (wire 0.4): by numeric id the catalog's market; by condition id both forms in
 * one object. Under /clob it is the order-book form alone, under /gamma the catalog's alone.
 */
export const getMarket = defineRoute({
  method: 'GET',
  path: '/markets/{id}',
  summary: 'One market, by its numeric id or its condition id',
  auth: 'none',
  params: Type.Object({ id: Type.String({ description: 'Numeric id or condition id' }) }),
  query: Type.Object({
    creator: Type.Optional(
      Type.String({ description: 'Wallet address of its creator, or the identifier of a site' }),
    ),
  }),
  body: NO_BODY,
  response: Type.Union([MergedMarket, OneCatalogMarket, FullMarket]),
  failureKeys: catalogFailure,
  handler: ({ params: { id }, query: { creator = '' }, request: { surface }, services }) => {
    const market = findMarket(services, id);
    if (market === undefined || !isOf(market, creator)) return notFound(surface, id);
    const live = liveMarket(market, services);
    if (surface === 'clob') return formatFullMarket(live);
    const event = services.exchange.catalog.event(Number(market.eventId));
    const events = event === undefined ? [] : [event];
    return isCatalogForm(surface, id)
      ? formatOneMarket(live, events)
      : formatMergedMarket(live, events);
  },
});
