/** The categories of the catalog as links, those that a search found before the others. */
import { linkTo, useAnswer } from '../kit/index.ts';
import type { CatalogTag } from '../wire/index.ts';
import type { FoundTag } from './list-requests.ts';
import { type ListTerms, MARKETS_BOUNDS, queryOf } from './list-terms.ts';

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

export function Categories({ terms, found }: CategoriesProps) {
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
