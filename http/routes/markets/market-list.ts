/**
 * The pages of the order-book lists of markets (wire 1.4, 6.1).
 *
 * Invariant: a page is made of slices, one in each turn of the event loop, so that other requests
 * wait for one slice at most. Lists are by catalog id. A page begins after the last market of the
 * page before it, whatever opened or closed meanwhile; a cursor that a client made itself is an
 * offset into the markets of the list's scope.
 * Bound: READ_BOUNDS.marketsPerPage markets and, since descriptions may be long, bytesPerPage.
 */
import type { MarketScope } from '../../../persistence/index.ts';
import { RawReply } from '../../api/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { type LiveMarket, liveMarket } from '../../format/index.ts';
import { cursorOf, cursorPlace, END_CURSOR } from '../../parameters/index.ts';
import { nextTurn } from '../../runtime/log.ts';
import type { Services } from '../../services/index.ts';

export interface MarketList {
  /** `tradable`: only markets that accept orders. */
  readonly scope: MarketScope;
  readonly format: (market: LiveMarket) => unknown;
}

type Sources = Pick<Services, 'exchange' | 'books' | 'registry'>;

/** Where a slice begins: at an offset, or after the market of an id. */
type From = Parameters<Sources['exchange']['catalog']['lookup']['marketPage']>[0];

interface Slice {
  readonly next: From;
  /** Markets that were read, listed or not. */
  readonly read: number;
  /** Whether the list ends with this slice. */
  readonly isLast: boolean;
  readonly count: number;
  readonly bytes: Buffer;
}

interface SlicePlace {
  readonly from: From;
  /** Markets that still fit into the page. */
  readonly most: number;
}

/** Reads and writes markets until the slice is full. */
function writeSlice(
  sources: Sources,
  { from, most }: SlicePlace,
  { scope, format }: MarketList,
): Slice {
  const limit = Math.min(most, READ_BOUNDS.marketsPerSlice);
  const markets = sources.exchange.catalog.lookup.marketPage(from, limit, scope);
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
  const last = markets[read - 1];
  const next = last === undefined ? from : { after: Number(last.id) };
  return { next, read, isLast, count: texts.length, bytes: Buffer.from(texts.join(',')) };
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
  const { offset, after } = cursorPlace(cursor);
  let from: From = after === undefined ? offset : { after: Number(after) };
  const slices: Buffer[] = [];
  let [read, count, bytes] = [0, 0, 0];
  let isLast = false;
  while (!isLast && read < limit && bytes < bytesPerPage) {
    await nextTurn();
    const slice = writeSlice(services, { from, most: limit - read }, list);
    from = slice.next;
    if (slice.count > 0) slices.push(slice.bytes);
    read += slice.read;
    count += slice.count;
    bytes += slice.bytes.length;
    isLast = slice.isLast;
  }
  // It queries for one more market, because counting them would read the whole index.
  const { lookup } = services.exchange.catalog;
  const more = !isLast && lookup.marketPage(from, 1, list.scope).length > 0;
  const lastId = typeof from === 'number' ? undefined : `${from.after}`;
  const next = more ? cursorOf(offset + read, lastId) : END_CURSOR;
  const bounds = { next_cursor: next, limit, count };
  return new RawReply(200, joinPage(slices, bounds));
}
