/**
 * The pages of the order-book lists of markets (wire 1.4, 6.1).
 *
 * Invariant: a page is made of slices, one a turn of the event loop, each written to bytes before
 * the next is read: nobody waits for more than one slice. Cursors count the catalog's markets of
 * the list's scope by id.
 * Bound: READ_BOUNDS.marketsPerPage markets, with the texts that the catalog's bounds allow.
 */
import type { MarketScope } from '../../persistence/index.ts';
import { RawReply } from '../route.ts';
import type { Services } from '../services.ts';
import { nextTurn } from '../turns.ts';
import { END_CURSOR, offsetOf, pageOf } from './cursor.ts';
import { type LiveMarket, liveMarket } from './market.ts';
import { READ_BOUNDS } from './read-bounds.ts';

export interface MarketList {
  /**
   * The sampling lists are restricted to markets whose resting orders earn rewards (wire 1.4). No
   * market pays any, so they list the markets that accept orders, and say that their rewards are
   * none: `tradable`.
   */
  readonly scope: MarketScope;
  readonly format: (market: LiveMarket) => unknown;
}

type Sources = Pick<Services, 'exchange' | 'books'>;

/** The markets of a slice as JSON, one text each. */
const formatSlice = (
  { exchange, books }: Sources,
  offset: number,
  { scope, format }: MarketList,
) => {
  const slice = exchange.catalog.marketPage(offset, READ_BOUNDS.marketsPerSlice, scope);
  const texts = slice
    .map((market) => liveMarket(market, (tokenId) => books.token(tokenId)))
    .filter(({ acceptsOrders }) => scope === 'all' || acceptsOrders)
    .map((market) => JSON.stringify(format(market)));
  return { read: slice.length, count: texts.length, bytes: Buffer.from(texts.join(',')) };
};

const COMMA = Buffer.from(',');

/** Slices of a list, those that are not empty, as a page. */
const joinPage = (slices: readonly Buffer[], bounds: object): Buffer => {
  const items = slices.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes]));
  const end = Buffer.from(`],${JSON.stringify(bounds).slice(1)}`);
  return Buffer.concat([Buffer.from('{"data":['), ...items, end]);
};

/** The page of a cursor; throws `invalid_cursor`. */
export const readMarketPage = async (
  services: Sources,
  cursor: string | undefined,
  list: MarketList,
): Promise<RawReply> => {
  const { marketsPerPage: limit, marketsPerSlice } = READ_BOUNDS;
  const offset = offsetOf(cursor);
  const slices: Buffer[] = [];
  let [read, count] = [0, 0];
  for (let isMore = true; isMore && read < limit; ) {
    await nextTurn();
    const slice = formatSlice(services, offset + read, list);
    if (slice.count > 0) slices.push(slice.bytes);
    read += slice.read;
    count += slice.count;
    isMore = slice.read === marketsPerSlice;
  }
  const more = offset + read < services.exchange.catalog.marketCount(list.scope);
  const { data: _, ...bounds } = pageOf([], { offset, limit, more, end: END_CURSOR });
  return new RawReply(200, joinPage(slices, { ...bounds, count }));
};
