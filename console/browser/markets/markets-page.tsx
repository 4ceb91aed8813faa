/** The first page: events with their markets. What it shows is in its address. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import {
  Choice,
  Field,
  goTo,
  Loaded,
  linkTo,
  place,
  replaceQuery,
  Segments,
  useAnswer,
  useResource,
  useTitle,
} from '../kit/index.ts';
import type { CatalogTag } from '../wire/index.ts';
import { EventTable } from './event-table.tsx';
import { type FoundTag, fetchListing, type Listing } from './list-requests.ts';
import {
  BEST_MATCH,
  type ListTerms,
  MARKETS_BOUNDS,
  queryOf,
  SORTS,
  termsOf,
} from './list-terms.ts';

/** The categories of the catalog as links, those that a search found before the others. */
interface CategoriesProps {
  readonly terms: ListTerms;
  readonly found: readonly FoundTag[];
}

interface Category {
  readonly slug: string;
  readonly label: string;
  /** Events that a search found in it. */
  readonly count?: number;
}

/** Each category once; the chosen one is there even if the catalog has more than are offered. */
function categoriesOf(
  tag: string,
  found: readonly FoundTag[],
  tags: readonly CatalogTag[],
): readonly Category[] {
  const all = new Map<string, Category>();
  for (const { slug, label, event_count: count } of found) all.set(slug, { slug, label, count });
  for (const { slug, label } of tags) if (!all.has(slug)) all.set(slug, { slug, label });
  if (tag !== '' && !all.has(tag)) all.set(tag, { slug: tag, label: tag });
  return [...all.values()];
}

function Categories({ terms, found }: CategoriesProps) {
  const tags = useAnswer('/tags', { query: { limit: MARKETS_BOUNDS.tags } });
  const now = tags.now.value;
  const categories = categoriesOf(terms.tag, found, now.state === 'ready' ? now.value : []);
  const addressOf = (tag: string) => linkTo(['markets'], queryOf({ ...terms, tag, pages: 1 }));
  return (
    <nav class="categories" aria-label="Categories">
      {[{ slug: '', label: 'All' }, ...categories].map(({ slug, label, count }: Category) => (
        <a key={slug} href={addressOf(slug)} aria-current={slug === terms.tag ? 'true' : undefined}>
          {label}
          {count !== undefined && <small> {count}</small>}
        </a>
      ))}
    </nav>
  );
}

/** How long a person may pause while typing before the search begins. */
const TYPING_MS = 150;
/** Volumes change, and so does the order of events. Prices are live. */
const REFRESH_MS = 30_000;

const STATES = [
  ['open', 'Open'],
  ['closed', 'Closed'],
] as const;

/** Shows other events, as a new entry of the browser's history. */
function show(terms: ListTerms): void {
  goTo(['markets'], queryOf(terms));
}

/** The text that is being typed. The address follows after a pause; no entry for each letter. */
function SearchField({ terms }: { terms: ListTerms }) {
  const text = useSignal(terms.text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const written = useRef(terms.text);
  useEffect(() => {
    // The address was changed by a link or by the browser's buttons.
    if (terms.text !== written.current) text.value = terms.text;
    written.current = terms.text;
  }, [terms.text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  function type(next: string): void {
    text.value = next;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const words = next.trim();
      written.current = words;
      const query = new URLSearchParams(place.peek().query);
      const now = termsOf(query);
      const sort = words === '' && now.sort === 'match' ? 'day' : now.sort;
      const isNew = (now.text === '') !== (words === '');
      replaceQuery(
        queryOf({ ...now, text: words, sort: isNew && words !== '' ? 'match' : sort, pages: 1 }),
      );
    }, TYPING_MS);
  }
  return (
    <Field
      label="Search"
      type="search"
      value={text.value}
      maxLength={MARKETS_BOUNDS.searchCharacters}
      placeholder="Words of a title"
      onInput={type}
    />
  );
}

function More({ listing: { terms, events, hasMore, total } }: { listing: Listing }) {
  const isFull = terms.pages === MARKETS_BOUNDS.pages;
  return (
    <div class="row apart more">
      <span class="muted">
        {events.length} of {total} {total === 1 ? 'event' : 'events'}
        {terms.sort === 'move' &&
          `, sorted among the ${MARKETS_BOUNDS.comparedEvents} that were traded most`}
        {hasMore && isFull && '; search or choose a category to see the others'}
      </span>
      {hasMore && !isFull && (
        <button
          type="button"
          onClick={() => replaceQuery(queryOf({ ...terms, pages: terms.pages + 1 }))}
        >
          Show more
        </button>
      )}
    </div>
  );
}

function Controls({ terms, found }: { terms: ListTerms; found: Listing['tags'] }) {
  return (
    <>
      <div class="controls">
        <SearchField terms={terms} />
        <Choice
          label="Sort by"
          value={terms.sort}
          options={terms.text === '' ? SORTS : [BEST_MATCH, ...SORTS]}
          onChange={(sort) => show({ ...terms, sort, pages: 1 })}
        />
        <Segments
          label="State"
          value={terms.isClosed ? 'closed' : 'open'}
          options={STATES}
          onChange={(state) => show({ ...terms, isClosed: state === 'closed', pages: 1 })}
        />
      </div>
      <Categories terms={terms} found={found} />
    </>
  );
}

export function MarketsPage() {
  useTitle('Markets');
  const terms = termsOf(place.value.query);
  const key = JSON.stringify(terms);
  const isFirst = useRef(true);
  // Events stay while others are fetched, so what was asked is no input of the resource.
  const listing = useResource((signal) => fetchListing(terms, signal), [], {
    everyMs: REFRESH_MS,
  });
  useEffect(() => {
    if (!isFirst.current) listing.reload();
    isFirst.current = false;
  }, [key]);
  const now = listing.now.value;
  const shown = now.state === 'ready' ? now.value : undefined;
  const isOld = shown !== undefined && JSON.stringify(shown.terms) !== key;
  return (
    <div class="panel markets">
      <h1>Markets</h1>
      <Controls terms={terms} found={shown?.tags ?? []} />
      <div aria-busy={isOld} class={isOld ? 'old' : ''}>
        <Loaded resource={listing} lines={12}>
          {(value) => (
            <>
              <EventTable events={value.events} />
              <More listing={value} />
            </>
          )}
        </Loaded>
      </div>
    </div>
  );
}
