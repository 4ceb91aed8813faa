/** What a list of events shows, as the address of the page says it: `#/markets?q=rain&sort=end`. */

/** The values of `sort`, with their names. */
export const SORTS = [
  ['day', 'Volume in 24 hours'],
  ['volume', 'Volume in total'],
  ['move', 'Movement in 24 hours'],
  ['end', 'End, soonest first'],
  ['new', 'Newest first'],
  ['liquidity', 'Liquidity'],
] as const;

/** Only a search has it: it is the order in which the exchange finds events. */
export const BEST_MATCH = ['match', 'Best match'] as const;

export type Sort = (typeof SORTS)[number][0] | (typeof BEST_MATCH)[0];

export const MARKETS_BOUNDS = {
  /** Events of a page: as many as price histories in one request. */
  pageEvents: 20,
  /** Pages that are shown at once. */
  pages: 25,
  /** Characters of a search, as many as the exchange takes. */
  searchCharacters: 200,
  /** Events that are compared when a list is sorted by movement: one page of the catalog. */
  comparedEvents: 100,
  /** Categories that are offered. Others are found by a search. */
  tags: 100,
  /** Markets of a list whose prices are live. */
  liveMarkets: 300,
  /** Price histories that are kept. */
  histories: 1_000,
} as const;

export interface ListTerms {
  /** '' for no search. */
  readonly text: string;
  /** The slug of a category; '' for all. */
  readonly tag: string;
  readonly sort: Sort;
  readonly isClosed: boolean;
  /** Of `MARKETS_BOUNDS.pageEvents` each. */
  readonly pages: number;
}

function defaultSort(text: string): Sort {
  return text === '' ? 'day' : 'match';
}

/** Whatever an address says that is not possible is left out. */
export function termsOf(query: URLSearchParams): ListTerms {
  const text = (query.get('q') ?? '').trim().slice(0, MARKETS_BOUNDS.searchCharacters);
  const sorts = text === '' ? SORTS : [BEST_MATCH, ...SORTS];
  const sort = sorts.find(([name]) => name === query.get('sort'))?.[0] ?? defaultSort(text);
  const pages = Number.parseInt(query.get('pages') ?? '1', 10);
  return {
    text,
    tag: query.get('tag') ?? '',
    sort,
    isClosed: query.get('state') === 'closed',
    pages: Math.min(Math.max(pages || 1, 1), MARKETS_BOUNDS.pages),
  };
}

/** The query of an address, without what is so anyway. */
export function queryOf({ text, tag, sort, isClosed, pages }: ListTerms): Record<string, string> {
  return {
    ...(text === '' ? {} : { q: text }),
    ...(tag === '' ? {} : { tag }),
    ...(sort === defaultSort(text) ? {} : { sort }),
    ...(isClosed ? { state: 'closed' } : {}),
    ...(pages === 1 ? {} : { pages: `${pages}` }),
  };
}
