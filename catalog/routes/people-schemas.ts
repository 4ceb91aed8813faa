/**
 * Schemas of tags, series, creators, profiles, teams and sports as the catalog's threads write them
 * (wire 8.4). Further fields of a source are included as they came.
 */
import { Type } from 'typebox';
import { DateOrNull, openObject } from '../../http/format/index.ts';
import { OrNull } from '../../http/parameters/index.ts';

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

export const Sport = openObject({
  id: Type.Integer(),
  sport: Type.String(),
  image: Type.String(),
  resolution: Type.String(),
  ordering: Type.String(),
  tags: Type.String(),
  series: Type.String(),
});

export const MarketTypes = Type.Object({ marketTypes: Type.Array(Type.String()) });

export const CommentCount = Type.Object({ count: Type.Integer() });
