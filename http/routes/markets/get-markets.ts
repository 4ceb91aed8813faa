import { Type } from 'typebox';
import {
  catalogFailure,
  listQuery,
  listReply,
  MARKET_FILTERS,
  marketSearchOf,
  OneCatalogMarket,
  partOf,
} from '../../../catalog/routes/index.ts';
import { isOrderBookForm } from '../../admission/route-groups.ts';
import { ANY_QUERY, compileCheck, ignoredHeader, queryReader, RawReply } from '../../api/index.ts';
import { FullMarket, formatFullMarket } from '../../format/index.ts';
import { CursorParameter, pageSchema } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { readMarketPage } from './market-list.ts';

const CatalogForm = listQuery(MARKET_FILTERS);
const readCatalogForm = queryReader(CatalogForm.query);
const checkCatalogForm = compileCheck(CatalogForm.query, 'invalid_parameter');

/** The reply with a header that names parameters of the other form. */
function withIgnored(reply: RawReply, names: readonly string[]): RawReply {
  if (names.length === 0) return reply;
  const headers = [...reply.headers, ...ignoredHeader(names)];
  return new RawReply(reply.status, reply.body, reply.contentType, headers);
}

/**
 * GET /markets: two lists on one path (wire 0.3, 0.4). Under /clob, or with `next_cursor`, it is
 * the order-book form; otherwise the catalog form. Each form reads only its own parameters
 * (docs/decisions/0030-dialects.md).
 */
export const getMarkets = defineRoute({
  method: 'GET',
  path: '/markets',
  showsPictures: true,
  summary:
    'Markets: pages of the order-book form with next_cursor, otherwise a list of the catalog',
  auth: 'none',
  query: ANY_QUERY,
  documentedQuery: Type.Object({
    next_cursor: CursorParameter,
    ...CatalogForm.documentedQuery.properties,
  }),
  response: Type.Union([pageSchema(FullMarket), Type.Array(OneCatalogMarket)]),
  failureKeys: catalogFailure,
  byDialect: true,
  needs: ['exchange', 'registry', 'books', 'liveMarkets'],
  handler: async ({ query, request, services }) => {
    if (isOrderBookForm(request.surface, Object.hasOwn(query, 'next_cursor'))) {
      const cursor = query.next_cursor?.at(-1);
      const page = await readMarketPage(services, cursor, {
        scope: 'all',
        format: formatFullMarket,
      });
      const isOfCatalog = (name: string): boolean =>
        Object.hasOwn(CatalogForm.query.properties, name);
      return withIgnored(page, Object.keys(query).filter(isOfCatalog));
    }
    const catalogForm = checkCatalogForm(readCatalogForm(new Map(Object.entries(query))));
    const part = partOf(catalogForm, request);
    const search = marketSearchOf(catalogForm, part, services.registry);
    const asked = services.exchange.catalog.read.markets(search);
    const reply = await listReply(asked, services);
    return withIgnored(reply, Object.hasOwn(query, 'next_cursor') ? ['next_cursor'] : []);
  },
});
