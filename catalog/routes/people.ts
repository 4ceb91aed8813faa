/** The routes of creators, comments and profiles (wire 8.4). */
import { Type } from 'typebox';
import { RawReply } from '../../http/api/index.ts';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { Comment } from '../../http/format/index.ts';
import { OptionalText, OptionalTrueFalse, Text, userIn } from '../../http/parameters/index.ts';
import { defineRoute, type Services } from '../../http/services/index.ts';
import {
  builtinImage,
  COMMENT_ORDERS,
  type CommentParent,
  type CommentSearch,
  CREATOR_ORDERS,
  type ListPart,
} from '../../persistence/index.ts';
import { NAMED_PARENTS } from '../model/index.ts';
import { defineCatalogRoute, listRoute, recordRoute } from './define-catalog-route.ts';
import {
  IdParameter,
  idOf,
  listQuery,
  orderParameters,
  orderReader,
  partOf,
  whole,
} from './parameters.ts';
import { EventCreator, PublicProfile } from './people-schemas.ts';
import { holdersIn, listReply, oneReply } from './reply.ts';

const SVG = 'image/svg+xml';
/** Pictures change only with a release, and scripts in them never run. */
const HEADERS = [
  ['cache-control', 'public, max-age=86400'],
  ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox"],
  ['x-content-type-options', 'nosniff'],
] as const;

/** GET /images/{file}: a picture from the closed list of the built-in catalog. */
export const getImage = defineRoute({
  method: 'GET',
  path: '/images/{file}',
  summary: 'A picture of the built-in catalog',
  auth: 'none',
  params: Type.Object({ file: Type.String({ maxLength: 64, description: 'such as weather.svg' }) }),
  response: Type.String(),
  contentType: SVG,
  handler: ({ params: { file } }) => {
    const bytes = builtinImage(file);
    if (bytes !== undefined) return new RawReply(200, bytes, SVG, HEADERS);
    throw new ApiError('id_not_found', { field: 'file', actual: echo(file) });
  },
});

const creatorOrder = orderReader(CREATOR_ORDERS);

const listCreators = listRoute({
  path: '/events/creators',
  summary: 'The creators of events',
  filters: {
    ...orderParameters(CREATOR_ORDERS),
    creator_name: OptionalText('The whole name, in any case'),
    creator_handle: OptionalText('The whole handle, in any case'),
  },
  response: Type.Array(EventCreator),
  read: (reads, { creator_name, creator_handle, ...order }, part) =>
    reads.creators({
      ...part,
      ...creatorOrder(order),
      creatorName: creator_name || undefined,
      creatorHandle: creator_handle || undefined,
    }),
});

const getCreator = recordRoute({
  path: '/events/creators/{id}',
  summary: 'One creator of events',
  params: IdParameter,
  response: EventCreator,
  read: (reads, id) => reads.creator({ id: idOf(id) }),
});

const PARENTS = new Map(NAMED_PARENTS.map((type) => [type.toLowerCase(), type] as const));

export const PARENT_PARAMETERS = {
  parent_entity_type: OptionalText('Event, Series or market, which means its event'),
  parent_entity_id: whole('Numeric id of that event, series or market'),
  event_slug: OptionalText('Slug of an event, in place of type and id'),
} as const;
const PARENT_NAMES = ['parent_entity_type', 'parent_entity_id', 'event_slug'] as const;

interface ParentQuery {
  readonly parent_entity_type?: string;
  readonly parent_entity_id?: number;
  readonly event_slug?: string;
}

/** The parent whose comments are asked for; undefined for an unknown slug or market. */
export function askedParent(
  { parent_entity_type, parent_entity_id, event_slug }: ParentQuery,
  { exchange }: Pick<Services, 'exchange'>,
): CommentParent | undefined {
  if (event_slug !== undefined && event_slug !== '') {
    const id = exchange.catalog.lookup.eventId(event_slug);
    return id === undefined ? undefined : { type: 'Event', id };
  }
  if (parent_entity_type === undefined || parent_entity_type === '') {
    throw new ApiError('query_parameter_missing', { field: 'parent_entity_type' });
  }
  const type = PARENTS.get(parent_entity_type.toLowerCase());
  if (type === undefined) {
    const details = { limit: 'Event, Series, market', actual: echo(parent_entity_type) };
    throw new ApiError('invalid_parameter', { field: 'parent_entity_type', ...details });
  }
  if (parent_entity_id === undefined) {
    throw new ApiError('query_parameter_missing', { field: 'parent_entity_id' });
  }
  return exchange.catalog.lookup.commentParent(type, parent_entity_id);
}

const commentOrder = orderReader(COMMENT_ORDERS);

type CommentsOf = Omit<CommentSearch, keyof ListPart | 'authors'>;

/** The authors of the first `commentsLookedThrough` comments who hold tokens of the parent. */
async function holdersAmong(
  search: CommentsOf,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<readonly string[]> {
  const { commentsLookedThrough, catalogItems: limit, valuesPerFilter } = READ_BOUNDS;
  const holders = new Set<string>();
  for (let offset = 0; offset < commentsLookedThrough; offset += limit) {
    const json = await services.exchange.catalog.read.comments({ ...search, limit, offset });
    if (json === undefined) break;
    for (const address of await holdersIn(json, services)) holders.add(address);
    if (json.count < limit) break;
  }
  return [...holders].slice(0, valuesPerFilter);
}

const listComments = defineCatalogRoute({
  path: '/comments',
  summary: 'Comments on an event or a series, with their replies',
  ...listQuery({
    ...PARENT_PARAMETERS,
    holders_only: OptionalTrueFalse('Only by authors who hold tokens of what they comment on'),
    get_positions: OptionalTrueFalse('Accepted for compatibility; positions are always included'),
    ...orderParameters(COMMENT_ORDERS),
  }),
  response: Type.Array(Comment),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: async ({ query, request, services }) => {
    const part = partOf(query, request);
    const order = commentOrder(query);
    const parent = askedParent(query, services);
    if (parent === undefined) return [];
    const search = { ...part, ...order, parent };
    const { read } = services.exchange.catalog;
    if (query.holders_only !== true) return listReply(read.comments(search), services);
    const authors = await holdersAmong({ ...order, parent }, services);
    if (authors.length === 0) return [];
    return listReply(read.comments({ ...search, authors }), services);
  },
});

const getComment = recordRoute({
  path: '/comments/{id}',
  summary: 'A comment, then the others of its conversation',
  params: IdParameter,
  response: Type.Array(Comment),
  read: (reads, id) => reads.commentThread({ id: idOf(id) }),
});

const UserAddress = Text('Address of a user, or of its wallet');
const UserParameter = Type.Object({ user_address: UserAddress });

const USER_COMMENT_ORDERS = ['createdAt'] as const;
const userCommentOrder = orderReader(USER_COMMENT_ORDERS);

const listUserComments = defineCatalogRoute({
  path: '/comments/user_address/{user_address}',
  summary: 'The comments of a user; without `order` newest first',
  params: UserParameter,
  ...listQuery({ ...PARENT_PARAMETERS, ...orderParameters(USER_COMMENT_ORDERS) }),
  response: Type.Array(Comment),
  byDialect: true,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { user_address }, query, request, services }) => {
    const address = userIn(user_address, 'user_address');
    const part = partOf(query, request);
    const isScoped = PARENT_NAMES.some((name) => (query[name] ?? '') !== '');
    const parent = isScoped ? askedParent(query, services) : undefined;
    // An event that does not exist has no comments.
    if (isScoped && parent === undefined) return [];
    const { order, ascending } = userCommentOrder(query);
    const search = { ...part, address, parent, ascending: order.length > 0 && ascending };
    return listReply(services.exchange.catalog.read.userComments(search), services);
  },
});

/** A profile that was set or imported, or that of any account. */
function profileReply(
  field: 'address' | 'user_address',
  actual: string,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
) {
  const address = userIn(actual, field);
  const owner = services.registry.accountOwner(address);
  const answer = services.exchange.catalog.read.profile({ address, owner });
  return oneReply(answer, { field, actual }, services);
}

const PROFILE = {
  summary: 'The public profile of a user; every account has one',
  response: PublicProfile,
} as const;

const getPublicProfile = defineCatalogRoute({
  ...PROFILE,
  path: '/public-profile',
  query: Type.Object({ address: UserAddress }),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => profileReply('address', query.address, services),
});

const getProfile = defineCatalogRoute({
  ...PROFILE,
  path: '/profiles/user_address/{user_address}',
  params: UserParameter,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params, services }) => profileReply('user_address', params.user_address, services),
});

export const PEOPLE_ROUTES = [
  listCreators,
  getCreator,
  listComments,
  getComment,
  listUserComments,
  getPublicProfile,
  getProfile,
];
