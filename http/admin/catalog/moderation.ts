/** What the operator does about what people say, and the list of its acts upon the catalog. */
import { Type } from 'typebox';
import { MODERATIONS } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/index.ts';
import { CommentId, changeReply, commentIdIn, textReply } from '../../catalog/content/index.ts';
import { Comment, listReply, PublicProfile, written } from '../../catalog/index.ts';
import { isoTime } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/index.ts';
import { addressIn } from '../../views/index.ts';
import { Duplicate, WHO_AND_WHY } from '../shared/index.ts';

const FURTHER = { additionalProperties: Type.Unknown({ description: 'What the source said' }) };

/** What people on the live-data socket hear of it. */
const NEWS = {
  hide: 'comment_removed',
  unhide: 'comment_created',
  remove: 'comment_removed',
} as const;

/**
 * POST /comments/{id}/moderate: hides a comment from everybody, shows it again, or takes its words
 * away for good as its author could. What answers a hidden comment is hidden with it in lists of
 * what is commented on.
 */
export const postModeration = defineRoute({
  method: 'POST',
  path: '/comments/{id}/moderate',
  summary: 'Hide a comment, show it again, or remove it',
  auth: 'operator',
  params: CommentId,
  body: Type.Object({ act: Type.Enum(MODERATIONS), ...WHO_AND_WHY }),
  response: Type.Object({ ...Comment.properties, duplicate: Duplicate }, FURTHER),
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, body: { act, by, reason }, request: { nowMs }, services }) => {
    const change = await written(
      services.exchange.catalog.write.moderateComment({
        id: commentIdIn(params),
        act,
        nowIso: isoTime(nowMs),
        said: { by, reason },
      }),
    );
    return changeReply(NEWS[act], change, services);
  },
});

const Report = Type.Object({
  userAddress: Type.String(),
  reason: Type.String(),
  createdAt: Type.String(),
});

/** GET /comments/reported: most reported first, with who reported them and why. */
export const getReported = defineRoute({
  method: 'GET',
  path: '/comments/reported',
  summary: 'Comments that were reported',
  auth: 'operator',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.catalogItems, default: 20 }),
    offset: Type.Integer({ minimum: 0, default: 0 }),
  }),
  response: Type.Array(
    Type.Object(
      { ...Comment.properties, hidden: Type.Boolean(), reports: Type.Array(Report) },
      FURTHER,
    ),
  ),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) =>
    listReply(services.exchange.catalog.read.reportedComments(query), services),
});

/** POST /profiles/{address}/clear: takes away what its owner said; the pseudonym stays. */
export const postProfileClear = defineRoute({
  method: 'POST',
  path: '/profiles/{address}/clear',
  summary: 'Take away what a profile says',
  auth: 'operator',
  params: Type.Object({ address: Type.String() }),
  body: Type.Object(WHO_AND_WHY),
  response: PublicProfile,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: async ({ params, body: { by, reason }, request: { nowMs }, services }) => {
    const text = await services.exchange.catalog.write.clearProfile({
      address: toChecksumAddress(addressIn('address', params.address)),
      nowIso: isoTime(nowMs),
      said: { by, reason },
    });
    return textReply(text, services);
  },
});

/**
 * GET /catalog-actions: what the operator did to the catalog, newest first. What was refused, or
 * was so already, changed nothing and is not listed.
 */
export const getCatalogActions = defineRoute({
  method: 'GET',
  path: '/catalog-actions',
  summary: 'What the operator did to the catalog, by whom and why',
  auth: 'operator',
  query: Type.Object({
    before_id: Type.Optional(Type.Integer({ minimum: 1, description: 'Older than this one' })),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.actionsPerPage, default: 100 }),
  }),
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      time: Type.String({ description: 'ISO 8601' }),
      kind: Type.String(),
      by: Type.String({ description: 'Who asked for it' }),
      reason: Type.String({ description: 'Why' }),
      details: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query: { before_id: before, limit }, services }) => {
    return listReply(services.exchange.catalog.read.catalogActions({ limit, before }), services);
  },
});
