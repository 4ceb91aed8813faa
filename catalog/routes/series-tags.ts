/** The routes of series and tags (wire 1.8, 8.4). */
import { type Static, Type } from 'typebox';
import { OptionalTrueFalse } from '../../http/parameters/index.ts';
import { type RelatedTagsQuery, SERIES_ORDERS, TAG_ORDERS } from '../../persistence/index.ts';
import { listRoute, recordRoute } from './define-catalog-route.ts';
import { CatalogSeries } from './market.ts';
import {
  ByCreator,
  CreatorParameter,
  IdParameter,
  idOf,
  orderParameters,
  orderReader,
  SlugParameter,
  texts,
} from './parameters.ts';
import { CatalogTag, CommentCount, RelatedTag } from './people-schemas.ts';
import { Recurrence } from './searches.ts';

const seriesOrder = orderReader(SERIES_ORDERS);
const tagOrder = orderReader(TAG_ORDERS);

const listSeries = listRoute({
  path: '/series',
  summary: 'Series with their events',
  filters: {
    slug: texts('Slugs; a series must have one of them'),
    closed: OptionalTrueFalse('Only closed series, or only others'),
    recurrence: Recurrence,
    exclude_events: OptionalTrueFalse('Whether `events` stays empty'),
    ...orderParameters(SERIES_ORDERS),
    creator: CreatorParameter,
  },
  response: Type.Array(CatalogSeries),
  read: (reads, { slug = [], closed, recurrence, exclude_events, creator, ...order }, part) =>
    reads.seriesList({
      ...part,
      ...seriesOrder(order),
      slugs: slug.length === 0 ? undefined : slug,
      closed,
      recurrence: recurrence || undefined,
      withoutEvents: exclude_events,
      creator,
    }),
});

const getSeries = recordRoute({
  path: '/series/{id}',
  summary: 'One series with its events',
  params: IdParameter,
  response: CatalogSeries,
  read: (reads, id) => reads.series({ id: idOf(id) }),
});

const getSeriesCommentCount = recordRoute({
  path: '/series/{id}/comments/count',
  summary: 'The number of comments on a series',
  params: IdParameter,
  response: CommentCount,
  read: (reads, id) => reads.commentCount({ type: 'Series', id: idOf(id) }),
});

const listTags = listRoute({
  path: '/tags',
  summary: 'Tags of events',
  filters: { ...orderParameters(TAG_ORDERS), creator: CreatorParameter },
  response: Type.Array(CatalogTag),
  read: (reads, { creator, ...order }, part) =>
    reads.tags({ ...part, ...tagOrder(order), creator }),
});

const getTag = recordRoute({
  path: '/tags/{id}',
  summary: 'One tag',
  params: IdParameter,
  query: ByCreator,
  response: CatalogTag,
  read: (reads, id, { creator }) => reads.tag({ tag: { id: idOf(id) }, creator }),
});

const getTagBySlug = recordRoute({
  path: '/tags/slug/{slug}',
  summary: 'One tag',
  params: SlugParameter,
  query: ByCreator,
  response: CatalogTag,
  read: (reads, slug, { creator }) => reads.tag({ tag: { slug }, creator }),
});

const RelatedQuery = Type.Object({
  omit_empty: OptionalTrueFalse('Accepted for compatibility; every related tag has an event'),
  status: Type.Optional(
    Type.Enum(['active', 'closed', 'all'], {
      default: 'all',
      description: 'Only events with this status are counted',
    }),
  ),
});

/** The routes of related tags, by id and by slug, as pairs of ids or as whole tags. */
const RELATED_TAG_ROUTES = (
  [
    { path: '', form: 'relations', response: Type.Array(RelatedTag) },
    { path: '/tags', form: 'tags', response: Type.Array(CatalogTag) },
  ] as const
).flatMap(({ path, form, response }) => {
  const route = {
    summary:
      form === 'tags'
        ? 'The tags that share events with a tag, most often first'
        : 'The relations of a tag to the tags that share events with it, most often first',
    query: RelatedQuery,
    response,
  };
  const queryOf = (
    tag: RelatedTagsQuery['tag'],
    { status = 'all' }: Static<typeof RelatedQuery>,
  ): RelatedTagsQuery => ({ tag, form, status });
  return [
    recordRoute({
      ...route,
      path: `/tags/{id}/related-tags${path}`,
      params: IdParameter,
      read: (reads, id, query) => reads.relatedTags(queryOf({ id: idOf(id) }, query)),
    }),
    recordRoute({
      ...route,
      path: `/tags/slug/{slug}/related-tags${path}`,
      params: SlugParameter,
      read: (reads, slug, query) => reads.relatedTags(queryOf({ slug }, query)),
    }),
  ];
});

export const SERIES_AND_TAG_ROUTES = [
  listSeries,
  getSeries,
  getSeriesCommentCount,
  listTags,
  getTag,
  getTagBySlug,
  ...RELATED_TAG_ROUTES,
];
