/**
 * The lists of events and markets with cursors, as Polymarket's newer clients page through them
 * (wire 1.8). Invariant: filters, orders and elements are those of the plain lists. A cursor holds
 * the number of elements before the page.
 */
import { type TProperties, Type } from 'typebox';
import {
  BytesReply,
  type OwnBytes,
  type RawReply,
  type RequestInfo,
} from '../../http/api/index.ts';
import { ApiError } from '../../http/errors/index.ts';
import { cursorOf, OptionalText, offsetOf } from '../../http/parameters/index.ts';
import type { Services } from '../../http/services/index.ts';
import type { SlottedJson } from '../../persistence/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { CatalogEvent, OneCatalogMarket } from './market.ts';
import { type ListQuery, listQuery, partOf } from './parameters.ts';
import { filledBytes } from './reply.ts';
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

/** The page after the cursor. An offset is refused, because both would say where to start. */
function partAfter(query: KeysetQuery, request: Pick<RequestInfo, 'dialect'>) {
  const { after_cursor, offset = 0, ...rest } = query;
  if (offset !== 0) {
    throw new ApiError('invalid_parameter', { field: 'offset', limit: 0, actual: offset });
  }
  return partOf({ ...rest, offset: offsetOf(after_cursor) }, request);
}

interface KeysetPage {
  readonly name: 'events' | 'markets';
  readonly limit: number;
  readonly offset: number;
}

const EMPTY: OwnBytes = { bytes: Buffer.from('[]'), memory: [] };

async function keysetReply(
  answer: Promise<SlottedJson | undefined>,
  { name, limit, offset }: KeysetPage,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<RawReply> {
  const json = await answer;
  const list = json === undefined ? EMPTY : await filledBytes(json, services);
  const isFull = json?.count === limit;
  const next = isFull ? `,"next_cursor":${JSON.stringify(cursorOf(offset + limit))}` : '';
  const parts = [Buffer.from(`{"${name}":`), list.bytes, Buffer.from(`${next}}`)];
  const bytes = Buffer.concat(parts);
  // A small buffer may be part of the shared pool, whose memory must not be sent.
  const own = bytes.buffer.byteLength === bytes.length ? [bytes.buffer] : [];
  return new BytesReply(200, { bytes, memory: [...list.memory, ...own] });
}

const eventsKeyset = defineCatalogRoute({
  path: '/events/keyset',
  summary: 'Events, paged by cursors',
  ...keysetQuery(EVENT_FILTERS),
  response: Type.Object({ events: Type.Array(CatalogEvent), next_cursor: NextCursor }),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, request, services }) => {
    const part = partAfter(query, request);
    const answer = services.exchange.catalog.read.events(eventSearchOf(query, part));
    return keysetReply(answer, { name: 'events', ...part }, services);
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
    const part = partAfter(query, request);
    const answer = services.exchange.catalog.read.markets(marketSearchOf(query, part));
    return keysetReply(answer, { name: 'markets', ...part }, services);
  },
});

export const KEYSET_ROUTES = [eventsKeyset, marketsKeyset];
