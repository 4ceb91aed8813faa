/**
 * The pages of the order-book lists of markets (wire 1.4, 6.1).
 *
 * Invariant: a page is made of slices, one in each turn of the event loop, so that other requests
 * wait for one slice at most. A cursor is an offset into the markets of the list's scope, by
 * catalog id.
 * Bound: READ_BOUNDS.marketsPerPage markets and, since descriptions may be long, bytesPerPage.
 */
import type { MarketScope } from '../../../persistence/index.ts';
import { RawReply } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { type LiveMarket, liveMarket } from '../../format/index.ts';
import { cursorOf, END_CURSOR, offsetOf } from '../../parameters/index.ts';
import { nextTurn } from '../../runtime/log.ts';
import type { Services } from '../../services/index.ts';

export interface MarketList {
  /** `tradable`: only markets that accept orders. */
  readonly scope: MarketScope;
  readonly format: (market: LiveMarket) => unknown;
}

type Sources = Pick<Services, 'exchange' | 'books' | 'registry'>;

interface Slice {
  /** Markets that were read, listed or not. */
  readonly read: number;
  /** Whether the list ends with this slice. */
  readonly isLast: boolean;
  readonly count: number;
  readonly bytes: Buffer;
}

interface Place {
  readonly offset: number;
  /** Markets that still fit into the page. */
  readonly most: number;
}

/** Reads and writes markets until the slice is full. */
function writeSlice(
  sources: Sources,
  { offset, most }: Place,
  { scope, format }: MarketList,
): Slice {
  const limit = Math.min(most, READ_BOUNDS.marketsPerSlice);
  const markets = sources.exchange.catalog.lookup.marketPage(offset, limit, scope);
  const texts: string[] = [];
  let [read, characters] = [0, 0];
  for (const market of markets) {
    if (characters >= READ_BOUNDS.charactersPerSlice) break;
    read += 1;
    const live = liveMarket(market, sources);
    if (scope === 'tradable' && !live.acceptsOrders) continue;
    const text = JSON.stringify(format(live));
    texts.push(text);
    characters += text.length;
  }
  const isLast = markets.length < limit && read === markets.length;
  return { read, isLast, count: texts.length, bytes: Buffer.from(texts.join(',')) };
}

const COMMA = Buffer.from(',');

/** A page of non-empty slices. */
function joinPage(slices: readonly Buffer[], bounds: object): Buffer {
  const items = slices.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes]));
  const end = Buffer.from(`],${JSON.stringify(bounds).slice(1)}`);
  return Buffer.concat([Buffer.from('{"data":['), ...items, end]);
}

/** The page of a cursor. Throws `invalid_cursor`. */
export async function readMarketPage(
  services: Sources,
  cursor: string | undefined,
  list: MarketList,
): Promise<RawReply> {
  const { marketsPerPage: limit, bytesPerPage } = READ_BOUNDS;
  const offset = offsetOf(cursor);
  const slices: Buffer[] = [];
  let [read, count, bytes] = [0, 0, 0];
  let isLast = false;
  while (!isLast && read < limit && bytes < bytesPerPage) {
    await nextTurn();
    const place = { offset: offset + read, most: limit - read };
    const slice = writeSlice(services, place, list);
    if (slice.count > 0) slices.push(slice.bytes);
    read += slice.read;
    count += slice.count;
    bytes += slice.bytes.length;
    isLast = slice.isLast;
  }
  const end = offset + read;
  // It queries for one more market, because counting them would read the whole index.
  const { lookup } = services.exchange.catalog;
  const more = !isLast && lookup.marketPage(end, 1, list.scope).length > 0;
  const bounds = { next_cursor: more ? cursorOf(end) : END_CURSOR, limit, count };
  return new RawReply(200, joinPage(slices, bounds));
}
