/**
 * A page of a list as JSON text, and the place after it. Version 2 of the Data API pages by places:
 * the values by which its last row is sorted. The next page begins after them, so rows that come or
 * go before the place neither repeat nor hide others.
 */
import type { AnalyticsReads } from './analytics-reads.ts';

/** Each list says which values its places have. */
export type RowPlace = readonly (number | string)[];

export interface PageText {
  readonly text: string;
  readonly next: RowPlace | undefined;
}

interface Page<Item> {
  readonly limit: number;
  /** Finds the first `limit` rows of the page. */
  readonly find: (limit: number) => readonly Item[];
  readonly textOf: (item: Item) => string;
  /** The place after these rows, which are not none. */
  readonly placeAfter: (items: readonly Item[]) => RowPlace;
}

/** Version 2 looks for one row more, so that `next` is there only if a row follows. */
export function pageText<Item>(
  { version }: Pick<AnalyticsReads, 'version'>,
  { limit, find, textOf, placeAfter }: Page<Item>,
): PageText {
  const found = find(version === 2 ? limit + 1 : limit);
  const shown = found.slice(0, limit);
  const next = found.length > shown.length && shown.length > 0 ? placeAfter(shown) : undefined;
  return { text: `[${shown.map(textOf).join(',')}]`, next };
}
