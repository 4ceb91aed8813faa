/**
 * Cursors of the keyset lists: base64url of a JSON array with a digest of the search, the sort
 * values of the last item of the page, and its id. The next page begins after that place, whatever
 * appeared or disappeared before it. Bound: the texts that a list is sorted by.
 */
import { createHash } from 'node:crypto';

/** The values of the fields that a list is sorted by, and then the id. */
export type ListPlace = readonly (string | number | null)[];

/** Where a page of a keyset list begins; what the list contains is said by its search. */
export interface AfterPlace {
  readonly digest: string;
  /** The first page has none. */
  readonly after?: ListPlace | undefined;
}

/** How many values the places of a list have: its order ends with the id. */
export function placeLength({ order }: { readonly order: readonly string[] }): number {
  const end = order.indexOf('id');
  return (end < 0 ? order.length : end) + 1;
}

export interface Conditioned {
  readonly conditions?: readonly { readonly kind: string }[];
}

/**
 * The same for each page of a list: its filters and order, not the length of its pages, nor the
 * markets that the engine leaves out of it now.
 */
export function searchDigest(search: Conditioned): string {
  const asked = search.conditions?.filter(({ kind }) => kind !== 'exceptConditionId');
  const { limit, offset, withTags, ...kept }: Readonly<Record<string, unknown>> = {
    ...search,
    conditions: asked,
  };
  return createHash('sha256').update(JSON.stringify(kept)).digest('base64url').slice(0, 12);
}

function placeCursor(digest: string, place: ListPlace): string {
  return Buffer.from(JSON.stringify([digest, ...place])).toString('base64url');
}

interface FoundPage<Item> {
  readonly items: readonly Item[];
  readonly limit: number;
  readonly digest: string;
}

/** The last member of a page, with its cursor; '' for the last page. */
export function nextCursor<Item>(
  { items, limit, digest }: FoundPage<Item>,
  placeOf: (last: Item) => ListPlace,
): string {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return '';
  return `,"next_cursor":"${placeCursor(digest, placeOf(last))}"`;
}

/** Undefined for a text that is no cursor of a search with this digest and so many values. */
export function placeOfCursor(
  cursor: string,
  digest: string,
  values: number,
): ListPlace | undefined {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(read) || read[0] !== digest || read.length !== values + 1) return undefined;
  const place: readonly unknown[] = read.slice(1);
  return place.every(isValue) && Number.isSafeInteger(place.at(-1)) ? place : undefined;
}

function isValue(value: unknown): value is ListPlace[number] {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
