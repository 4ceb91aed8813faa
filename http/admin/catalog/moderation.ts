/** Moderation of comments and profiles, and the list of the operator's writes to the catalog. */
import { Type } from 'typebox';
import {
  CommentId,
  changeReply,
  commentIdIn,
  MODERATION_MESSAGES,
  textReply,
} from '../../../catalog/routes/content/index.ts';
import { listReply, PublicProfile, written } from '../../../catalog/routes/index.ts';
import { MODERATIONS } from '../../../persistence/index.ts';
import { READ_BOUNDS } from '../../bounds/read-bounds.ts';
import { isoTime } from '../../codec/index.ts';
import { Comment } from '../../format/index.ts';
import { Text } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/address.ts';
import { addressIn } from '../../views/index.ts';
import { ATTRIBUTION, DuplicateAction, saidIn } from '../shared/action-route.ts';

const SOURCE_FIELDS = { additionalProperties: Type.Unknown({ description: 'As in the source' }) };

/**
 * POST /comments/{id}/moderate: hides a comment, shows it again, or removes it permanently, as its
 * author could. Lists of an event's or series' comments hide the replies to a hidden comment too.
 */
export const postModeration = defineRoute({
  method: 'POST',
  path: '/comments/{id}/moderate',
  summary: 'Hide a comment, show it again, or remove it',
  auth: 'operator',
  params: CommentId,
  body: Type.Object({ act: Type.Enum(MODERATIONS), ...ATTRIBUTION }),
  response: Type.Object({ ...Comment.properties, duplicate: DuplicateAction }, SOURCE_FIELDS),
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const { act } = body;
    const change = await written(
      services.exchange.catalog.write.moderateComment({
        id: commentIdIn(params),
        act,
        nowIso: isoTime(nowMs),
        said: saidIn(body, caller),
      }),
    );
    return changeReply(MODERATION_MESSAGES[act], change, services);
  },
});

const Report = Type.Object({
  userAddress: Type.String(),
  reason: Type.String(),
  createdAt: Type.String(),
});

/** GET /comments/reported: reported comments with their reports, the most reported first. */
export const getReported = defineRoute({
  method: 'GET',
  path: '/comments/reported',
  summary: 'Reported comments',
  auth: 'operator',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.catalogItems, default: 20 }),
    offset: Type.Integer({ minimum: 0, default: 0 }),
  }),
  response: Type.Array(
    Type.Object(
      { ...Comment.properties, hidden: Type.Boolean(), reports: Type.Array(Report) },
      SOURCE_FIELDS,
    ),
  ),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query, services }) =>
    listReply(services.exchange.catalog.read.reportedComments(query), services),
});

/** POST /profiles/{address}/clear: removes what the owner wrote; the pseudonym stays. */
export const postProfileClear = defineRoute({
  method: 'POST',
  path: '/profiles/{address}/clear',
  summary: 'Remove the content of a profile',
  auth: 'operator',
  params: Type.Object({ address: Type.String() }),
  body: Type.Object(ATTRIBUTION),
  response: PublicProfile,
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const text = await services.exchange.catalog.write.clearProfile({
      address: toChecksumAddress(addressIn('address', params.address)),
      nowIso: isoTime(nowMs),
      said: saidIn(body, caller),
    });
    return textReply(text, services);
  },
});

/**
 * GET /catalog-actions: the operator's writes to the catalog, newest first. Writes that were
 * refused or changed nothing are not listed.
 */
export const getCatalogActions = defineRoute({
  method: 'GET',
  path: '/catalog-actions',
  summary: "The operator's writes to the catalog, with who asked for them and why",
  auth: 'operator',
  query: Type.Object({
    before_id: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Lists actions older than this one' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: READ_BOUNDS.actionsPerPage, default: 100 }),
  }),
  response: Type.Array(
    Type.Object({
      id: Type.String(),
      time: Text('ISO 8601'),
      kind: Type.String(),
      by: Text('Who asked for it'),
      reason: Text('Why'),
      details: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
  needs: ['exchange', 'registry', 'liveMarkets'],
  handler: ({ query: { before_id: before, limit }, services }) => {
    return listReply(services.exchange.catalog.read.catalogActions({ limit, before }), services);
  },
});
