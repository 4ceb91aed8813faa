/** The routes of reactions to comments. A user may add each kind of reaction to a comment once. */
import { Type } from 'typebox';
import { isoTime } from '../../../http/codec/index.ts';
import { Reaction } from '../../../http/format/index.ts';
import { OptionalText, Text } from '../../../http/parameters/index.ts';
import { defineRoute } from '../../../http/services/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import { CONTENT_BOUNDS } from '../../../persistence/index.ts';
import { catalogFailure, written } from '../index.ts';
import {
  authorAddress,
  CommentId,
  commentIdIn,
  DuplicateContent,
  markedReply,
  publishChange,
  ReactionType,
} from './content-input.ts';
import { readUserText } from './user-text.ts';

const { reactionChars, reactionsAUser } = CONTENT_BOUNDS;

const BASE = {
  path: '/comments/{id}/reactions',
  auth: 'l2',
  givesWay: true,
  params: CommentId,
  failureKeys: catalogFailure,
} as const;

export const postReaction = defineRoute({
  ...BASE,
  method: 'POST',
  summary: `React to a comment, with at most ${reactionsAUser} kinds of reactions`,
  body: Type.Object({
    reaction_type: ReactionType,
    icon: OptionalText('Such as an emoji'),
  }),
  response: Type.Object(
    { ...Reaction.properties, duplicate: DuplicateContent },
    { additionalProperties: Type.Unknown({ description: 'A further field of the source' }) },
  ),
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, body, caller, request: { nowMs }, services }) => {
    const change = await written(
      services.exchange.catalog.write.react({
        id: commentIdIn(params),
        userAddress: authorAddress(caller, services),
        reactionType: body.reaction_type,
        icon: readUserText(body.icon ?? '', {
          field: 'icon',
          least: 0,
          most: reactionChars,
          lines: 'one',
        }),
        nowIso: isoTime(nowMs),
      }),
    );
    await publishChange('reaction_created', change, services);
    return markedReply(change.reaction, change);
  },
});

export const deleteReaction = defineRoute({
  ...BASE,
  method: 'DELETE',
  summary: 'Remove your reaction',
  query: Type.Object({ reaction_type: ReactionType }),
  response: Type.Object({
    id: Text('Numeric id of the comment'),
    reaction_type: Type.String(),
    duplicate: DuplicateContent,
  }),
  needs: ['exchange', 'registry', 'liveMarkets', 'comments'],
  handler: async ({ params, query, caller, request: { nowMs }, services }) => {
    const id = commentIdIn(params);
    const { reaction_type: reactionType } = query;
    const change = await written(
      services.exchange.catalog.write.unreact({
        id,
        userAddress: toChecksumAddress(caller.owner),
        reactionType,
        nowIso: isoTime(nowMs),
      }),
    );
    await publishChange('reaction_removed', change, services);
    return { id: `${id}`, reaction_type: reactionType, duplicate: !change.changed };
  },
});
