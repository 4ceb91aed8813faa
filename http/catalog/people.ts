/** Creators, comments and profiles (interface.md "Catalog routes", wire 8.4). */
import { Type } from 'typebox';
import {
  COMMENT_ORDERS,
  type CommentParent,
  type CommentSearch,
  CREATOR_ORDERS,
  type ListPart,
} from '../../persistence/index.ts';
import { READ_BOUNDS } from '../bounds/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import type { Services } from '../services/index.ts';
import { defineCatalogRoute } from './define-catalog-route.ts';
import {
  flag,
  IdParameter,
  idOf,
  listQuery,
  orderParameters,
  orderReader,
  partOf,
  text,
  whole,
} from './parameters.ts';
import { Comment, EventCreator, PublicProfile } from './people-schemas.ts';
import { holdersIn, listReply, oneReply } from './reply.ts';

const creatorOrder = orderReader(CREATOR_ORDERS);

const listCreators = defineCatalogRoute({
  path: '/events/creators',
  summary: 'Who makes events',
  ...listQuery({
    ...orderParameters(CREATOR_ORDERS),
    creator_name: text('Their name, but for the case'),
    creator_handle: text('Their handle, but for the case'),
  }),
  response: Type.Array(EventCreator),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const question = {
      ...partOf(query, services.settings),
      ...creatorOrder(query),
      creatorName: query.creator_name || undefined,
      creatorHandle: query.creator_handle || undefined,
    };
    return listReply(services.exchange.catalog.read.creators(question), services);
  },
});

const getCreator = defineCatalogRoute({
  path: '/events/creators/{id}',
  summary: 'One who makes events',
  params: IdParameter,
  response: EventCreator,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.creator({ id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const PARENTS: ReadonlyMap<string, CommentParent['type']> = new Map([
  ['event', 'Event'],
  ['series', 'Series'],
  ['market', 'market'],
]);

interface ParentQuery {
  readonly parent_entity_type?: string;
  readonly parent_entity_id?: number;
  readonly event_slug?: string;
}

/** What comments are asked of, or undefined where there is no such event. */
async function parentOf(
  { parent_entity_type, parent_entity_id, event_slug }: ParentQuery,
  { exchange }: Pick<Services, 'exchange'>,
): Promise<CommentParent | undefined> {
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
  return { type, id: parent_entity_id };
}

const commentOrder = orderReader(COMMENT_ORDERS);

type CommentsOf = Omit<CommentSearch, keyof ListPart | 'authors'>;

/** Holders among those who commented: of the first comments, as many as are looked through. */
async function holdersAmong(
  asked: CommentsOf,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<readonly string[]> {
  const { commentsLookedThrough, catalogItems: limit, valuesPerFilter } = READ_BOUNDS;
  const holders = new Set<string>();
  for (let offset = 0; offset < commentsLookedThrough; offset += limit) {
    const question = { ...asked, limit, offset };
    const text = await services.exchange.catalog.read.comments(question);
    if (text === undefined) break;
    for (const address of await holdersIn(text, services)) holders.add(address);
    if (text.count < limit) break;
  }
  return [...holders].slice(0, valuesPerFilter);
}

const listComments = defineCatalogRoute({
  path: '/comments',
  summary: 'Comments on an event, a series or a market, with their replies',
  ...listQuery({
    parent_entity_type: text('Event, Series or market'),
    parent_entity_id: whole('Numeric id of what is commented on'),
    event_slug: text('Slug of an event, in place of the two'),
    holders_only: flag('Only by those who hold tokens of what is commented on'),
    get_positions: flag('Taken from clients that send it; positions are always told'),
    ...orderParameters(COMMENT_ORDERS),
  }),
  response: Type.Array(Comment),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: async ({ query, services }) => {
    const part = partOf(query, services.settings);
    const order = commentOrder(query);
    const parent = await parentOf(query, services);
    if (parent === undefined) return [];
    const question = { ...part, ...order, parent };
    const { read } = services.exchange.catalog;
    if (query.holders_only !== true) return listReply(read.comments(question), services);
    const authors = await holdersAmong({ ...order, parent }, services);
    if (authors.length === 0) return [];
    return listReply(read.comments({ ...question, authors }), services);
  },
});

const getComment = defineCatalogRoute({
  path: '/comments/{id}',
  summary: 'A comment, and the others of its thread after it',
  params: IdParameter,
  response: Type.Array(Comment),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { id }, services }) => {
    const asked = services.exchange.catalog.read.commentThread({ id: idOf(id) });
    return oneReply(asked, { field: 'id', actual: id }, services);
  },
});

const ADDRESS = /^0[xX][0-9a-fA-F]{40}$/;

/** An address of a path or a query, whose case does not count; throws `invalid_parameter`. */
function addressOf(written: string, field: string): string {
  if (ADDRESS.test(written)) return written.toLowerCase();
  if (written === '') throw new ApiError('missing_field', { field });
  const limit = '0x and 40 hex digits';
  throw new ApiError('invalid_parameter', { field, limit, actual: echo(written) });
}

const listUserComments = defineCatalogRoute({
  path: '/comments/user_address/{user_address}',
  summary: 'The comments of a user, newest first',
  params: Type.Object({
    user_address: Type.String({ description: 'Address of a user, or of its wallet' }),
  }),
  ...listQuery({}),
  response: Type.Array(Comment),
  needs: ['settings', 'exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { user_address }, query, services }) => {
    const address = addressOf(user_address, 'user_address');
    const question = { ...partOf(query, services.settings), address };
    return listReply(services.exchange.catalog.read.userComments(question), services);
  },
});

const getPublicProfile = defineCatalogRoute({
  path: '/public-profile',
  summary: 'What a user tells of themselves',
  query: Type.Object({
    address: Type.String({ description: 'Address of a user, or of its wallet' }),
  }),
  response: PublicProfile,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) => {
    const address = addressOf(query.address, 'address');
    const asked = services.exchange.catalog.read.profile({ address });
    return oneReply(asked, { field: 'address', actual: query.address }, services);
  },
});

const getProfile = defineCatalogRoute({
  path: '/profiles/user_address/{user_address}',
  summary: 'What a user tells of themselves',
  params: Type.Object({
    user_address: Type.String({ description: 'Address of a user, or of its wallet' }),
  }),
  response: PublicProfile,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ params: { user_address }, services }) => {
    const address = addressOf(user_address, 'user_address');
    const asked = services.exchange.catalog.read.profile({ address });
    return oneReply(asked, { field: 'user_address', actual: user_address }, services);
  },
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
