/**
 * Schemas of comments and reactions as the catalog's threads write them (wire 8.4), for its routes
 * and for the live-data channel. Further fields of a source are included as they came.
 */
import { type TProperties, Type } from 'typebox';
import { OrNull, Text } from '../parameters/index.ts';
import { DateOrNull } from './market.ts';

/** An object that includes further fields of its source. */
export function openObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, {
    additionalProperties: Type.Unknown({ description: 'A further field of the source' }),
  });
}

const OptimizedImage = openObject({
  id: Type.String(),
  imageUrlSource: Type.String(),
  imageUrlOptimized: Text('A smaller form of the picture if the source has one'),
});

export const CommentProfile = openObject({
  name: Type.String(),
  pseudonym: Type.String(),
  displayUsernamePublic: Type.Boolean(),
  bio: Type.String(),
  isMod: Type.Boolean(),
  isCreator: Type.Boolean(),
  proxyWallet: Type.String(),
  baseAddress: Type.String(),
  profileImage: Type.String(),
  profileImageOptimized: OptimizedImage,
  positions: Type.Array(
    Type.Object({
      tokenId: Type.String(),
      positionSize: Text('Micro-tokens: 10000000 is 10 tokens'),
    }),
    { description: 'What the author holds in the markets that are commented on' },
  ),
});

export const Reaction = openObject({
  id: Type.String(),
  commentID: Type.Union([Type.String(), Type.Integer()]),
  reactionType: Type.String(),
  icon: Type.String(),
  userAddress: Type.String(),
  createdAt: DateOrNull,
  profile: Type.Unknown(),
});

export const Comment = openObject({
  id: Type.String(),
  body: Type.String(),
  parentEntityType: Type.Enum(['Event', 'Series']),
  parentEntityID: OrNull(Type.Integer()),
  parentCommentID: OrNull(Type.String(), 'The comment that it answers, or null'),
  userAddress: Type.String(),
  replyAddress: Type.String(),
  createdAt: DateOrNull,
  updatedAt: DateOrNull,
  profile: CommentProfile,
  reactions: Type.Array(Reaction),
  reportCount: Type.Integer(),
  reactionCount: Type.Integer(),
  replyCount: Type.Integer(),
  replies: Type.Array(Type.Unknown({ description: 'A comment' })),
});
