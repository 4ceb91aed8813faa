/** The requests of a list of events. */
import { type Answer, type CatalogEvent, send } from '../wire/index.ts';
import { fetchHistories, movementOf } from './histories.ts';
import { type ListTerms, MARKETS_BOUNDS, type Sort } from './list-terms.ts';
import { type EventRow, eventRowOf } from './market-row.ts';

const { pageEvents, comparedEvents } = MARKETS_BOUNDS;

export type FoundTag = Answer<'GET', '/public-search'>['tags'][number];

export interface Listing {
  readonly terms: ListTerms;
  readonly events: readonly EventRow[];
  readonly tags: readonly FoundTag[];
  readonly hasMore: boolean;
  readonly total: number;
}

type Part = Omit<Listing, 'terms'>;

/** How the catalog sorts; none where the best matches come first. */
const ORDERS: Readonly<Record<Sort, { order: string; ascending: boolean } | undefined>> = {
  match: undefined,
  day: { order: 'volume24hr', ascending: false },
  move: { order: 'volume24hr', ascending: false },
  volume: { order: 'volume', ascending: false },
  end: { order: 'endDate', ascending: true },
  new: { order: 'createdAt', ascending: false },
  liquidity: { order: 'liquidity', ascending: false },
};

interface PageTerms {
  readonly terms: ListTerms;
  /** Events of a page. */
  readonly limit: number;
  /** From 0. */
  readonly page: number;
}

function partOf(
  events: readonly CatalogEvent[],
  pagination: Answer<'GET', '/events/pagination'>['pagination'],
  tags: readonly FoundTag[] = [],
): Part {
  const { hasMore, totalResults } = pagination;
  return { events: events.map(eventRowOf), tags, hasMore, total: totalResults };
}

async function fetchPage({ terms, limit, page }: PageTerms, signal: AbortSignal): Promise<Part> {
  const { text, tag, sort, isClosed } = terms;
  const { order, ascending } = ORDERS[sort] ?? {};
  if (text === '') {
    const query = {
      ...{ limit, offset: limit * page, closed: isClosed, order, ascending },
      tag_slug: tag === '' ? undefined : tag,
    };
    const request = { method: 'GET', path: '/events/pagination', query, signal } as const;
    const { data, pagination } = await send(request);
    return partOf(data, pagination);
  }
  const query = {
    ...{ q: text, limit_per_type: limit, page: page + 1, sort: order, ascending },
    events_status: isClosed ? 'closed' : 'active',
    events_tag: tag === '' ? undefined : tag,
  };
  const request = { method: 'GET', path: '/public-search', query, signal } as const;
  const { events, tags, pagination } = await send(request);
  return partOf(events, pagination, tags);
}

/** An event that moves up while pages are fetched may be on two of them. */
function withoutRepetitions(events: readonly EventRow[]): readonly EventRow[] {
  return [...new Map(events.map((event) => [event.slug, event])).values()];
}

/**
 * The events that moved most, of those that were traded most: the catalog knows no movement, so
 * that the page compares price histories.
 */
async function fetchMoves(terms: ListTerms, signal: AbortSignal): Promise<Part> {
  const part = await fetchPage({ terms, limit: comparedEvents, page: 0 }, signal);
  const leaders = part.events.flatMap(({ markets }) => markets.slice(0, 1));
  const histories = await fetchHistories(leaders, signal);
  const moves = new Map(
    part.events.map(({ slug, markets: [leader] }) => {
      const history = leader === undefined ? undefined : histories.get(leader.conditionId);
      return [slug, Math.abs(movementOf(history, leader?.chance) ?? 0)];
    }),
  );
  const moveOf = ({ slug }: EventRow) => moves.get(slug) ?? 0;
  const sorted = part.events.toSorted((one, other) => moveOf(other) - moveOf(one));
  const shown = sorted.slice(0, terms.pages * pageEvents);
  return { ...part, events: shown, hasMore: shown.length < sorted.length };
}

export async function fetchListing(terms: ListTerms, signal: AbortSignal): Promise<Listing> {
  if (terms.sort === 'move') return { terms, ...(await fetchMoves(terms, signal)) };
  const pages = Array.from({ length: terms.pages }, (_, page) => page);
  const parts = await Promise.all(
    pages.map((page) => fetchPage({ terms, limit: pageEvents, page }, signal)),
  );
  const last = parts.at(-1);
  return {
    terms,
    events: withoutRepetitions(parts.flatMap(({ events }) => events)),
    tags: parts[0]?.tags ?? [],
    hasMore: last?.hasMore ?? false,
    total: last?.total ?? 0,
  };
}
