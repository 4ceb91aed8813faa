/**
 * The lists of events, markets and comments with cursors, as Polymarket's newer clients page
 * through them (wire 1.8). Invariant: filters, orders and elements are those of the plain lists. A
 * cursor holds the place of the last element before the page.
 */
import { type TProperties, Type } from 'typebox';
import type { RequestInfo } from '../../http/api/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { Comment } from '../../http/format/index.ts';
import { OptionalText, OptionalTrueFalse } from '../../http/parameters/index.ts';
import {
  type AfterPlace,
  type CommentSearch,
  type Conditioned,
  type ListOrder,
  placeLength,
  placeOfCursor,
  searchDigest,
} from '../model/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { CatalogEvent, OneCatalogMarket } from './market.ts';
import {
  type ListQuery,
  type ListSlice,
  listQuery,
  orderParameters,
  orderReader,
  partOf,
} from './parameters.ts';
import { askedParent, PARENT_PARAMETERS } from './people.ts';
import { listReply } from './reply.ts';
import { EVENT_FILTERS, eventSearchOf, MARKET_FILTERS, marketSearchOf } from './searches.ts';

const CURSORS = { after_cursor: OptionalText('The `next_cursor` of the previous page') } as const;

/** The query of a plain list with a cursor in place of an offset. */
function keysetQuery<Properties extends TProperties>(filters: Properties) {
  const { query, documentedQuery } = listQuery({ ...filters, ...CURSORS });
  return { query, documentedQuery: Type.Omit(documentedQuery, ['offset']) };
}

const NextCursor = OptionalText('Cursor of the next page; missing on the last one');

interface KeysetQuery extends ListQuery {
  readonly after_cursor?: string;
}

/**
 * The search of the page after the cursor. Throws `invalid_cursor` for one that this search did not
 * give. An offset is refused, because both would say where to start.
 */
function pageAfter<Search extends ListOrder<string> & Conditioned>(
  { after_cursor: cursor = '', offset = 0, ...rest }: KeysetQuery,
  request: Pick<RequestInfo, 'dialect'>,
  searchOf: (part: ListSlice) => Search,
): Search & AfterPlace {
  if (offset !== 0) {
    throw new ApiError('invalid_parameter', { field: 'offset', limit: 0, actual: offset });
  }
  const search = searchOf(partOf(rest, request));
  const digest = searchDigest(search);
  if (cursor === '') return { ...search, digest };
  const after = placeOfCursor(cursor, digest, placeLength(search));
  if (after !== undefined) return { ...search, digest, after };
  const limit = 'the next_cursor of a page with the same filters and order';
  throw new ApiError('invalid_cursor', { field: 'after_cursor', limit, actual: echo(cursor) });
}

const eventsKeyset = defineCatalogRoute({
  path: '/events/keyset',
  summary: 'Events, paged by cursors',
  ...keysetQuery(EVENT_FILTERS),
  response: Type.Object({ events: Type.Array(CatalogEvent), next_cursor: NextCursor }),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, request, services }) => {
    const page = pageAfter(query, request, (part) => eventSearchOf(query, part));
    return listReply(services.exchange.catalog.read.eventsAfter(page), services);
  },
});

const marketsKeyset = defineCatalogRoute({
  path: '/markets/keyset',
  summary: 'Markets, paged by cursors',
  ...keysetQuery(MARKET_FILTERS),
  response: Type.Object({ markets: Type.Array(OneCatalogMarket), next_cursor: NextCursor }),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, request, services }) => {
    const page = pageAfter(query, request, (part) =>
      marketSearchOf(query, part, services.registry),
    );
    return listReply(services.exchange.catalog.read.marketsAfter(page), services);
  },
});

const KEYSET_COMMENT_ORDERS = ['createdAt', 'id'] as const;
const commentOrder = orderReader(KEYSET_COMMENT_ORDERS);

/** Oldest first unless `ascending=false`, as the public venue has it. */
const commentsKeyset = defineCatalogRoute({
  path: '/comments/keyset',
  summary: 'Comments on an event or a series, with their replies, paged by cursors',
  ...keysetQuery({
    ...PARENT_PARAMETERS,
    ...orderParameters(KEYSET_COMMENT_ORDERS),
    ascending: OptionalTrueFalse('Oldest first unless false'),
  }),
  response: Type.Object({ comments: Type.Array(Comment), next_cursor: NextCursor }),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, request, services }) => {
    const parent = askedParent(query, services);
    if (parent === undefined) return { comments: [] };
    const [first = 'createdAt', ...others] = commentOrder(query).order;
    const order = [first, ...others];
    const page = pageAfter(query, request, (part): CommentSearch => {
      return { ...part, order, ascending: query.ascending ?? true, parent };
    });
    return listReply(services.exchange.catalog.read.commentsAfter(page), services);
  },
});

export const KEYSET_ROUTES = [eventsKeyset, marketsKeyset, commentsKeyset];
