/** Series and tags (interface.md "GET /series", wire 1.8, 8.4). */
import { type Static, Type } from 'typebox';
import type { IdOrSlug, RelatedTagsQuery } from '../../persistence/index.ts';
import type { Services } from '../services/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import { CatalogSeries } from './market.ts';
import {
  CreatorParameter,
  flag,
  IdParameter,
  idOf,
  listQuery,
  partOf,
  SlugParameter,
  text,
} from './parameters.ts';
import { CatalogTag, CommentCount, RelatedTag } from './people-schemas.ts';
import { listReply, oneReply } from './reply.ts';

const listSeries = defineCatalogRoute({
  path: '/series',
  summary: 'Series with their events',
  ...listQuery({ slug: text('Slug of a series'), creator: CreatorParameter }),
  response: Type.Array(CatalogSeries),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const { slug, creator } = query;
    const question = { ...partOf(query, services.settings), slug: slug || undefined, creator };
    return listReply(services.exchange.catalog.read.seriesList(question), services);
  },
});

const getSeries = defineCatalogRoute({
  path: '/series/{id}',
  summary: 'One series with its events',
  params: IdParameter,
  response: CatalogSeries,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.series({ id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getSeriesCommentCount = defineCatalogRoute({
  path: '/series/{id}/comments/count',
  summary: 'How many comments a series has',
  params: IdParameter,
  response: CommentCount,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.commentCount({ type: 'Series', id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const listTags = defineCatalogRoute({
  path: '/tags',
  summary: 'Tags of events',
  ...listQuery({ creator: CreatorParameter }),
  response: Type.Array(CatalogTag),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const question = { ...partOf(query, services.settings), creator: query.creator };
    return listReply(services.exchange.catalog.read.tags(question), services);
  },
});

const getTag = defineCatalogRoute({
  path: '/tags/{id}',
  summary: 'One tag',
  params: IdParameter,
  response: CatalogTag,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.tag({ id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getTagOfSlug = defineCatalogRoute({
  path: '/tags/slug/{slug}',
  summary: 'One tag',
  params: SlugParameter,
  response: CatalogTag,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { slug }, services }) => {
    const asked = services.exchange.catalog.read.tag({ slug });
    return oneReply(asked, { field: 'slug', actual: slug }, services);
  },
});

const RelatedQuery = Type.Object({
  omit_empty: flag('Taken from clients that send it; a related tag always has an event'),
  status: Type.Optional(
    Type.Enum(['active', 'closed', 'all'], {
      default: 'all',
      description: 'Of which events tags are related',
    }),
  ),
});

function askRelated(
  { read }: Services['exchange']['catalog'],
  query: Static<typeof RelatedQuery>,
  asked: Pick<RelatedTagsQuery, 'form'> & { readonly tag: IdOrSlug },
) {
  return read.relatedTags({ ...asked, status: query.status ?? 'all' });
}

const getRelatedTags = defineCatalogRoute({
  path: '/tags/{id}/related-tags',
  summary: 'Which tags stand at the same events as a tag, most often first',
  params: IdParameter,
  query: RelatedQuery,
  response: Type.Array(RelatedTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, query, services }) => {
    const question = { tag: { id: idOf(id) }, form: 'relations' } as const;
    const asked = askRelated(services.exchange.catalog, query, question);
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getRelatedTagsOfSlug = defineCatalogRoute({
  path: '/tags/slug/{slug}/related-tags',
  summary: 'Which tags stand at the same events as a tag, most often first',
  params: SlugParameter,
  query: RelatedQuery,
  response: Type.Array(RelatedTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { slug }, query, services }) => {
    const asked = askRelated(services.exchange.catalog, query, {
      tag: { slug },
      form: 'relations',
    });
    return oneReply(asked, { field: 'slug', actual: slug }, services);
  },
});

const getTagsRelated = defineCatalogRoute({
  path: '/tags/{id}/related-tags/tags',
  summary: 'The tags that are related to a tag',
  params: IdParameter,
  query: RelatedQuery,
  response: Type.Array(CatalogTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, query, services }) => {
    const question = { tag: { id: idOf(id) }, form: 'tags' } as const;
    const asked = askRelated(services.exchange.catalog, query, question);
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const getTagsRelatedOfSlug = defineCatalogRoute({
  path: '/tags/slug/{slug}/related-tags/tags',
  summary: 'The tags that are related to a tag',
  params: SlugParameter,
  query: RelatedQuery,
  response: Type.Array(CatalogTag),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { slug }, query, services }) => {
    const asked = askRelated(services.exchange.catalog, query, { tag: { slug }, form: 'tags' });
    return oneReply(asked, { field: 'slug', actual: slug }, services);
  },
});

export const SERIES_AND_TAG_ROUTES = [
  listSeries,
  getSeries,
  getSeriesCommentCount,
  listTags,
  getTag,
  getTagOfSlug,
  getRelatedTags,
  getRelatedTagsOfSlug,
  getTagsRelated,
  getTagsRelatedOfSlug,
];
