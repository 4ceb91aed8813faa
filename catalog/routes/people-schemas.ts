/**
 * Schemas of tags, series, creators, comments, profiles, teams and sports as the catalog's threads
 * write them (wire 8.4). Further fields of a source are included as they came.
 */
import { type TProperties, Type } from 'typebox';
import { DateOrNull } from '../../http/format/index.ts';
import { OrNull, Text } from '../../http/parameters/index.ts';

/** An object that includes further fields of its source. */
export function openObject<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, {
    additionalProperties: Type.Unknown({ description: 'A further field of the source' }),
  });
}

const DATES = { createdAt: DateOrNull, updatedAt: DateOrNull } as const;
const STATE = {
  active: Type.Boolean(),
  closed: Type.Boolean(),
  archived: Type.Boolean(),
} as const;

export const CatalogTag = openObject({
  id: Type.String(),
  label: Type.String(),
  slug: Type.String(),
  ...DATES,
  requiresTranslation: Type.Boolean(),
});

export const RelatedTag = Type.Object({
  id: Type.String(),
  tagID: Type.Integer(),
  relatedTagID: Type.Integer(),
  rank: Type.Integer({ minimum: 1, description: '1 for the tag that shares most events' }),
});

/** A series inside an event, without its events. */
export const SeriesBrief = openObject({
  id: Type.String(),
  ticker: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  seriesType: Type.String(),
  recurrence: Type.String(),
  image: Type.String(),
  icon: Type.String(),
  ...STATE,
  ...DATES,
});

export const EventCreator = openObject({
  id: Type.String(),
  creatorName: Type.String(),
  creatorHandle: Type.String(),
  creatorUrl: Type.String(),
  creatorImage: Type.String(),
  ...DATES,
});

const OptimizedImage = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A smaller form of the picture, if there is one',
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
  parentEntityType: Type.Enum(['Event', 'Series', 'market']),
  parentEntityID: OrNull(Type.Integer()),
  parentCommentID: OrNull(Type.String(), 'The comment that it answers, or null'),
  userAddress: Type.String(),
  replyAddress: Type.String(),
  ...DATES,
  profile: CommentProfile,
  reactions: Type.Array(Reaction),
  reportCount: Type.Integer(),
  reactionCount: Type.Integer(),
  replyCount: Type.Integer(),
  replies: Type.Array(Type.Unknown({ description: 'A comment' })),
});

export const PublicProfile = openObject({
  createdAt: DateOrNull,
  proxyWallet: Type.String(),
  profileImage: Type.String(),
  displayUsernamePublic: Type.Boolean(),
  bio: Type.String(),
  pseudonym: Type.String(),
  name: Type.String(),
  users: Type.Array(
    openObject({ id: Type.String(), creator: Type.Boolean(), mod: Type.Boolean() }),
  ),
  xUsername: OrNull(Type.String()),
  verifiedBadge: OrNull(Type.Boolean()),
});

export const Team = openObject({
  id: Type.Integer(),
  name: Type.String(),
  league: Type.String(),
  abbreviation: Type.String(),
});

export const Sport = openObject({ sport: Type.String() });

export const MarketTypes = Type.Object({ marketTypes: Type.Array(Type.String()) });

export const CommentCount = Type.Object({ count: Type.Integer() });
