/** The routes by which account holders comment on events and series. */
import { Type } from 'typebox';
import { isoTime } from '../../../http/codec/index.ts';
import { ApiError } from '../../../http/errors/index.ts';
import { Comment } from '../../../http/format/index.ts';
import { OptionalText, Text } from '../../../http/parameters/index.ts';
import { defineRoute } from '../../../http/services/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { addressIn } from '../../../http/views/index.ts';
import { CONTENT_BOUNDS } from '../../../persistence/index.ts';
import { NAMED_PARENTS } from '../../model/index.ts';
import { catalogFailure, written } from '../index.ts';
import {
  authorAddress,
  CommentId,
  changeReply,
  commentIdIn,
  DuplicateContent,
  readNumericId,
} from './content-input.ts';
import { readUserText } from './user-text.ts';

const { commentChars, keyChars, commentDepth, commentEditMs, reportChars } = CONTENT_BOUNDS;

const Id = Type.Union([Type.String(), Type.Integer()]);
const Body = Text(`Plain text of 1 to ${commentChars} characters, without markup`);

export const CommentAnswer = Type.Object(
  { ...Comment.properties, duplicate: DuplicateContent },
  { additionalProperties: Type.Unknown({ description: 'A further field of the source' }) },
);

const BASE = {
  auth: 'l2',
  givesWay: true,
  failureKeys: catalogFailure,
} as const;

function bodyIn(text: string): string {
  return readUserText(text, { field: 'body', least: 1, most: commentChars, lines: 'many' });
}

/**
 * POST /comments: a new comment, on the disk when it is answered. A repeated request within the
 * freshness window of signatures returns the first comment, marked `duplicate`. It is recognised by
 * its `key`, or without a key by its content.
 */
export const postComment = defineRoute({
  ...BASE,
  method: 'POST',
  path: '/comments',
  summary: 'Comment on an event or a series',
  body: Type.Object({
    body: Body,
    parent_entity_type: Type.Enum(NAMED_PARENTS, {
      description: 'A comment on a market is one on its event',
    }),
    parent_entity_id: Id,
    parent_comment_id: Type.Optional(
      Type.Union([Id, Type.Null()], {
        description: `The parent comment, at most ${commentDepth} deep in its conversation`,
      }),
    ),
    reply_address: OptionalText(
      'The author whom it answers; by default the author of the parent comment',
    ),
    key: Type.Optional(
      Type.String({
        pattern: `^[\\x21-\\x7e]{1,${keyChars}}$`,
        description:
          'Idempotency key: a repeated request with the same key creates no second comment',
      }),
    ),
  }),
  response: CommentAnswer,
  needs: ['settings', 'exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ body, caller, request: { nowMs, wallMs }, services }) => {
    const { parent_entity_type: type, parent_comment_id: answered, reply_address } = body;
    const { write, lookup } = services.exchange.catalog;
    const field = 'parent_entity_id';
    const id = readNumericId(body.parent_entity_id, field, 'invalid_payload');
    const parent = lookup.commentParent(type, id);
    if (parent === undefined) {
      throw new ApiError('id_not_found', { field, limit: 'the id of a known market', actual: id });
    }
    const change = await written(
      write.comment({
        parent,
        parentCommentId:
          answered === undefined || answered === null
            ? undefined
            : readNumericId(answered, 'parent_comment_id', 'invalid_payload'),
        userAddress: authorAddress(caller, services),
        replyAddress:
          reply_address === undefined || reply_address === ''
            ? undefined
            : toChecksumAddress(addressIn('reply_address', reply_address)),
        body: bodyIn(body.body),
        key: body.key ?? '',
        // A signature may be as far ahead of our clock as it may be behind, and it may be by the
        // wall clock, which is behind after the sandbox moved the time.
        sinceIso: isoTime(Math.min(nowMs, wallMs) - 2 * services.settings.authWindowMs),
        nowIso: isoTime(nowMs),
      }),
    );
    return changeReply('comment_created', change, services);
  },
});

/**
 * PUT /comments/{id}: edits one's own comment, for `commentEditMs` after it was written. Edits are
 * not published on the live-data socket, which has no message for them.
 */
export const putComment = defineRoute({
  ...BASE,
  method: 'PUT',
  path: '/comments/{id}',
  summary: `Change your own comment, within ${commentEditMs / 3_600_000} hours`,
  params: CommentId,
  body: Type.Object({ body: Body }),
  response: CommentAnswer,
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const { write } = services.exchange.catalog;
    const change = await written(
      write.editComment({
        id: commentIdIn(params),
        userAddress: authorAddress(caller, services),
        body: bodyIn(body.body),
        nowIso: isoTime(nowMs),
      }),
    );
    return changeReply(undefined, change, services);
  },
});

/**
 * DELETE /comments/{id}: removes one's own comment permanently. A comment with replies stays in
 * place, empty and without its author. The answer is the comment as it was.
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
    // A banned owner may remove comments too.
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

/** POST /comments/{id}/reports: reports a comment to the operator, once for each user. */
export const postCommentReport = defineRoute({
  ...BASE,
  method: 'POST',
  path: '/comments/{id}/reports',
  summary: 'Report a comment to the operator',
  params: CommentId,
  body: Type.Object({
    reason: OptionalText(`At most ${reportChars} characters`),
  }),
  response: Type.Object({
    id: Type.String(),
    reported: Type.Boolean(),
    duplicate: DuplicateContent,
  }),
  needs: ['exchange', 'registry'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const id = commentIdIn(params);
    const reason = readUserText(body.reason ?? '', {
      field: 'reason',
      least: 0,
      most: reportChars,
      lines: 'many',
    });
    const { changed } = await written(
      services.exchange.catalog.write.reportComment({
        id,
        userAddress: authorAddress(caller, services),
        reason,
        nowIso: isoTime(nowMs),
      }),
    );
    return { id: `${id}`, reported: true, duplicate: !changed };
  },
});
