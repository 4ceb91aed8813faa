/** What account holders say of events, series and markets. Words belong to the catalog. */
import { Type } from 'typebox';
import { CONTENT_BOUNDS } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { defineRoute } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/index.ts';
import { addressIn } from '../../views/index.ts';
import { Comment, catalogFailure, written } from '../index.ts';
import {
  CommentId,
  changeReply,
  commentIdIn,
  Duplicate,
  numberIn,
  PARENT_TYPES,
  speakerOf,
} from './word-input.ts';
import { wordsIn } from './words-in.ts';

const { commentChars, keyChars, commentDepth, commentEditMs, reportChars } = CONTENT_BOUNDS;

const Id = Type.Union([Type.String(), Type.Integer()]);
const Body = Type.String({
  description: `Text of 1 to ${commentChars} characters, shown as it is: no markup means anything`,
});

export const CommentAnswer = Type.Object(
  { ...Comment.properties, duplicate: Duplicate },
  { additionalProperties: Type.Unknown({ description: 'What the source said besides' }) },
);

const BASE = {
  auth: 'l2',
  givesWay: true,
  failureKeys: catalogFailure,
} as const;

function bodyIn(text: string): string {
  return wordsIn(text, { field: 'body', least: 1, most: commentChars, lines: 'many' });
}

/**
 * POST /comments: a new comment, on the disk when it is answered. The same request again within the
 * freshness window of signatures is answered with the comment that it made, marked `duplicate`: it
 * is known by its `key`, or without one by what it says and where.
 */
export const postComment = defineRoute({
  ...BASE,
  method: 'POST',
  path: '/comments',
  summary: 'Comment on an event, a series or a market',
  body: Type.Object({
    body: Body,
    parent_entity_type: Type.Enum(PARENT_TYPES),
    parent_entity_id: Id,
    parent_comment_id: Type.Optional(
      Type.Union([Id, Type.Null()], {
        description: `What it answers, at most ${commentDepth} deep in its conversation`,
      }),
    ),
    reply_address: Type.Optional(
      Type.String({ description: 'Whom it answers; left out, the author of what it answers' }),
    ),
    key: Type.Optional(
      Type.String({
        pattern: `^[\\x21-\\x7e]{1,${keyChars}}$`,
        description: 'Names the request, so that it can be sent again',
      }),
    ),
  }),
  response: CommentAnswer,
  needs: ['settings', 'exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ body, caller, request: { nowMs }, services }) => {
    const { parent_entity_type: type, parent_comment_id: answered, reply_address } = body;
    const { write } = services.exchange.catalog;
    const change = await written(
      write.comment({
        parent: {
          type,
          id: numberIn(body.parent_entity_id, 'parent_entity_id', 'invalid_payload'),
        },
        parentCommentId:
          answered === undefined || answered === null
            ? undefined
            : numberIn(answered, 'parent_comment_id', 'invalid_payload'),
        userAddress: speakerOf(caller, services),
        replyAddress:
          reply_address === undefined || reply_address === ''
            ? undefined
            : toChecksumAddress(addressIn('reply_address', reply_address)),
        body: bodyIn(body.body),
        key: body.key ?? '',
        // A request may be signed as far ahead of our clock as it may be behind.
        sinceIso: isoTime(nowMs - 2 * services.settings.authWindowMs),
        nowIso: isoTime(nowMs),
      }),
    );
    return changeReply('comment_created', change, services);
  },
});

/**
 * PUT /comments/{id}: other words for a comment of one's own, for a day. Not told on the live-data
 * socket, which has no word for it.
 */
export const putComment = defineRoute({
  ...BASE,
  method: 'PUT',
  path: '/comments/{id}',
  summary: `Change your own comment, for ${commentEditMs / 3_600_000} hours`,
  params: CommentId,
  body: Type.Object({ body: Body }),
  response: CommentAnswer,
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const { write } = services.exchange.catalog;
    const change = await written(
      write.editComment({
        id: commentIdIn(params),
        userAddress: speakerOf(caller, services),
        body: bodyIn(body.body),
        nowIso: isoTime(nowMs),
      }),
    );
    return changeReply(undefined, change, services);
  },
});

/**
 * DELETE /comments/{id}: takes one's own comment back, for good. One that was answered keeps its
 * place, empty and without its author, so that the answers stay. Answers with what it was.
 */
export const deleteComment = defineRoute({
  ...BASE,
  method: 'DELETE',
  path: '/comments/{id}',
  summary: 'Remove your own comment; its replies stay',
  params: CommentId,
  response: CommentAnswer,
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, caller, request: { nowMs }, services }) => {
    const { write } = services.exchange.catalog;
    // Also who is banned may take words back.
    const change = await written(
      write.removeComment({
        id: commentIdIn(params),
        userAddress: toChecksumAddress(caller.owner),
        nowIso: isoTime(nowMs),
      }),
    );
    return changeReply('comment_removed', change, services);
  },
});

/** POST /comments/{id}/reports: tells the operator of a comment, once a user. */
export const postCommentReport = defineRoute({
  ...BASE,
  method: 'POST',
  path: '/comments/{id}/reports',
  summary: 'Report a comment to the operator',
  params: CommentId,
  body: Type.Object({
    reason: Type.Optional(Type.String({ description: `At most ${reportChars} characters` })),
  }),
  response: Type.Object({ id: Type.String(), reported: Type.Boolean(), duplicate: Duplicate }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const id = commentIdIn(params);
    const reason = wordsIn(body.reason ?? '', {
      field: 'reason',
      least: 0,
      most: reportChars,
      lines: 'many',
    });
    const { changed } = await written(
      services.exchange.catalog.write.reportComment({
        id,
        userAddress: speakerOf(caller, services),
        reason,
        nowIso: isoTime(nowMs),
      }),
    );
    return { id: `${id}`, reported: true, duplicate: !changed };
  },
});
