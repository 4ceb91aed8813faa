/**
 * Cursors of paged lists (wire 6.1, 6.2): base64 of a decimal offset, `LTE=` (-1) for the end. In
 * lists whose items come and go, a `-` and the id of the last item follow the offset: the next page
 * begins there, whatever has changed before it.
 *
 * Invariant: in a list that ends with "", a client that sends this "" back does not get the first
 * page again. It gets an empty page with the cursor `LTE=`. Other lists end with `LTE=`.
 * Bound: offsets below 2^53.
 */
import { type TSchema, Type } from 'typebox';
import type { RequestInfo } from '../api/index.ts';
import { ApiError } from '../errors/index.ts';

/** The cursor after the last page. A client that reads it stops. */
export const END_CURSOR = 'LTE=';
const FIRST_CURSOR = 'MA==';

export const CursorParameter = Type.Optional(
  Type.String({ description: 'Cursor of the page; `MA==` or none for the first one' }),
);

/** One page of a list in its wire form (wire 6.1). */
export interface CursorPage<Item> {
  readonly data: readonly Item[];
  readonly next_cursor: string;
  readonly limit: number;
  readonly count: number;
}

const NEXT_CURSOR = 'Cursor of the next page; `LTE=` on the last page';

/** Describes `next_cursor` of GET /data/orders, whose last page differs: see `endOfOrders`. */
export const NEXT_OF_ORDERS =
  'Cursor of the next page; `LTE=` on the last page. In the dialect kuest the last page has an ' +
  'empty one, except for User-Agents that read until `LTE=` and after an empty `next_cursor`';

export function pageSchema<Item extends TSchema>(item: Item, nextCursor = NEXT_CURSOR) {
  return Type.Object({
    data: Type.Array(item),
    next_cursor: Type.String({ description: nextCursor }),
    limit: Type.Integer({ description: 'Maximum number of items in a page' }),
    count: Type.Integer({ description: 'Number of items in this page' }),
  });
}

export interface PageBounds {
  readonly offset: number;
  readonly limit: number;
  /** Whether items follow the page. */
  readonly more: boolean;
  /** The `next_cursor` of the last page. */
  readonly end: string;
}

/** The offset as base64: 100 is "MTAw". `after`: the id of the last item before it. */
export function cursorOf(offset: number, after?: string): string {
  const text = after === undefined ? `${offset}` : `${offset}-${after}`;
  return Buffer.from(text).toString('base64');
}

/** Where a page begins: after an item, or at an offset if a client made the cursor itself. */
export interface Place {
  readonly offset: number;
  readonly after?: string;
}

/** An offset, and the id of an order, a trade or a market. */
const PLACE = /^(\d{1,15})-(\d{1,15}|0x[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The place of a request's cursor. Throws as `offsetOf` does. */
export function cursorPlace(cursor: string | undefined): Place {
  const [, offset, after = ''] = PLACE.exec(Buffer.from(cursor ?? '', 'base64').toString()) ?? [];
  const place = { offset: Number(offset), after };
  if (offset !== undefined && cursorOf(place.offset, after) === cursor) return place;
  return { offset: offsetOf(cursor) };
}

/**
 * The offset of a request's cursor. An absent or empty cursor means the first page (wire 0.4).
 * Throws `invalid_cursor`, also for `LTE=`, which is not a page (wire 6.1).
 */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '' || cursor === FIRST_CURSOR) return 0;
  const text = Buffer.from(cursor, 'base64').toString('latin1');
  const offset = Number(text);
  // Decoding ignores invalid characters, so a cursor is valid only if its offset encodes to it.
  const isCursor = /^\d+$/.test(text) && cursorOf(offset) === cursor;
  if (!isCursor || !Number.isSafeInteger(offset)) {
    throw new ApiError('invalid_cursor', {
      field: 'next_cursor',
      limit: 'base64 of an offset from 0',
      actual: cursor.slice(0, 64),
    });
  }
  return offset;
}

// These clients read pages until `LTE=` in any dialect; after "" they would start again.
const WAIT_FOR_END = ['py_clob_client', 'rs_clob_client', '@polymarket/clob-client'];

/** The last cursor of GET /data/orders (wire 6.2). */
export function endOfOrders(request: Pick<RequestInfo, 'userAgent' | 'dialect'>): string {
  const waitsForEnd = WAIT_FOR_END.some((name) => request.userAgent.startsWith(name));
  return waitsForEnd || request.dialect === 'polymarket' ? END_CURSOR : '';
}

export function pageOf<Item extends { readonly id: string }>(
  data: readonly Item[],
  bounds: PageBounds,
): CursorPage<Item> {
  const next = cursorOf(bounds.offset + bounds.limit, data.at(-1)?.id);
  return {
    data,
    next_cursor: bounds.more ? next : bounds.end,
    limit: bounds.limit,
    count: data.length,
  };
}

/** The answer to a cursor that is present but empty, where "" ends the list (wire 6.2, rule 3). */
export function pageAfterEnd(limit: number): CursorPage<never> {
  return pageOf([], { offset: 0, limit, more: false, end: END_CURSOR });
}
