/**
 * The lists of events and markets as Polymarket's newer clients page through them (wire 1.8): with
 * cursors, and with whether there is more and how many there are.
 *
 * Invariant: the elements are those of the plain lists, and so are filters and orders. A cursor
 * counts what was read before.
 */
import { type TProperties, Type } from 'typebox';
import type { SlottedJson } from '../../persistence/index.ts';
import { BytesReply, type OwnBytes, type RawReply } from '../api/index.ts';
import { ApiError } from '../errors/index.ts';
import { cursorOf, offsetOf } from '../parameters/index.ts';
import type { Services } from '../services/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { CatalogEvent, ListedCatalogMarket, Pagination } from './market.ts';
import { type ListQuery, listQuery, partOf, text } from './parameters.ts';
import { filledBytes, listReply } from './reply.ts';
import { EVENT_FILTERS, eventSearchOf, MARKET_FILTERS, marketSearchOf } from './searches.ts';

const CURSORS = { after_cursor: text('The `next_cursor` of the page before') } as const;

/** As a plain list, but for what a cursor says in place of an offset. */
function keysetQuery<Properties extends TProperties>(filters: Properties) {
  const { query, documentedQuery } = listQuery({ ...filters, ...CURSORS });
  return { query, documentedQuery: Type.Omit(documentedQuery, ['offset']) };
}

const NextCursor = Type.Optional(
  Type.String({ description: 'Of the next page; left out where none follows' }),
);

interface KeysetQuery extends ListQuery {
  readonly after_cursor?: string;
}

/** The part behind a cursor; an offset beside it is refused, for it would be read otherwise. */
function partBehind(query: KeysetQuery, { settings }: Pick<Services, 'settings'>) {
  const { after_cursor, offset = 0, ...rest } = query;
  if (offset !== 0) {
    throw new ApiError('invalid_parameter', { field: 'offset', limit: 0, actual: offset });
  }
  return partOf({ ...rest, offset: offsetOf(after_cursor) }, settings);
}

interface KeysetPage {
  readonly name: 'events' | 'markets';
  readonly limit: number;
  readonly offset: number;
}

const EMPTY: OwnBytes = { bytes: Buffer.from('[]'), memory: [] };

async function keysetReply(
  asked: Promise<SlottedJson | undefined>,
  { name, limit, offset }: KeysetPage,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<RawReply> {
  const text = await asked;
  const list = text === undefined ? EMPTY : await filledBytes(text, services);
  const isFull = text?.count === limit;
  const next = isFull ? `,"next_cursor":${JSON.stringify(cursorOf(offset + limit))}` : '';
  const parts = [Buffer.from(`{"${name}":`), list.bytes, Buffer.from(`${next}}`)];
  const bytes = Buffer.concat(parts);
  // Small ones are of the shared pool.
  const own = bytes.buffer.byteLength === bytes.length ? [bytes.buffer] : [];
  return new BytesReply(200, { bytes, memory: [...list.memory, ...own] });
}

const eventsKeyset = defineCatalogRoute({
  path: '/events/keyset',
  summary: 'Events, by cursors',
  ...keysetQuery(EVENT_FILTERS),
  response: Type.Object({ events: Type.Array(CatalogEvent), next_cursor: NextCursor }),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const part = partBehind(query, services);
    const asked = services.exchange.catalog.read.events(eventSearchOf(query, part));
    return keysetReply(asked, { name: 'events', ...part }, services);
  },
});

const marketsKeyset = defineCatalogRoute({
  path: '/markets/keyset',
  summary: 'Markets, by cursors',
  ...keysetQuery(MARKET_FILTERS),
  response: Type.Object({ markets: Type.Array(ListedCatalogMarket), next_cursor: NextCursor }),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const part = partBehind(query, services);
    const asked = services.exchange.catalog.read.markets(marketSearchOf(query, part));
    return keysetReply(asked, { name: 'markets', ...part }, services);
  },
});

const eventsPagination = defineCatalogRoute({
  path: '/events/pagination',
  summary: 'Events, with how many there are',
  ...listQuery(EVENT_FILTERS),
  response: Type.Object({ data: Type.Array(CatalogEvent), pagination: Pagination }),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const search = eventSearchOf(query, partOf(query, services.settings));
    return listReply(services.exchange.catalog.read.eventPage(search), services);
  },
});

export const KEYSET_ROUTES = [eventsKeyset, marketsKeyset, eventsPagination];
